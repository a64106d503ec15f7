//! A review on a thread of its own, as `qirkat annotate` does it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::Duration;

use super::allowance::{Allowance, Share};
use super::event::{Event, ReviewNews};
use crate::engine::AnySearcher;
use crate::evaluation::AnyEvaluation;
use crate::pgn::PgnGame;
use crate::review::{AnalystBudget, EngineAnalyst, review_game};
use crate::search::{ResourceError, SEARCH_STACK_BYTES};

/// What a review may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobResources {
    /// Time for each search.
    pub time: Duration,
    /// Threads to search with.
    pub threads: usize,
    /// Megabytes of the table.
    pub hash: usize,
}

/// A review that goes on in the background. Dropped, it is broken off.
pub(super) struct ReviewJob {
    number: u64,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    _share: Share,
}

impl ReviewJob {
    /// Begins a review, whose events bear this number.
    ///
    /// # Errors
    /// In words, when other tabs use what it needs or the machine does not give it.
    pub fn start(
        number: u64,
        game: PgnGame,
        resources: JobResources,
        allowance: &Allowance,
        events: &Sender<Event>,
    ) -> Result<ReviewJob, String> {
        let JobResources { time, threads, hash } = resources;
        let share = allowance.take(threads, hash).map_err(|error| error.to_string())?;
        let variant = game.start.variant();
        let stop = Arc::new(AtomicBool::new(false));
        let moves = game.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(AnalystBudget::Time(time), moves, Arc::clone(&stop));
        let ready: Result<(), ResourceError> = analyst.begin(variant, || {
            AnySearcher::with_resources(AnyEvaluation::embedded(variant), threads, hash)
        });
        ready.map_err(|error| error.to_string())?;
        let (steps, end) = (events.clone(), events.clone());
        // Nobody may be there any more to hear of it.
        analyst.on_reviewed(move |left| {
            let _ = steps.send(Event::Review(number, ReviewNews::Left(left)));
        });
        let thread = std::thread::Builder::new()
            .name("review".to_owned())
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(move || {
                let review = review_game(&game, &mut analyst);
                let _ = end.send(Event::Review(number, ReviewNews::Done(Box::new(review))));
            })
            .map_err(|error| format!("no thread for a review: {error}"))?;
        Ok(ReviewJob { number, stop, thread: Some(thread), _share: share })
    }

    /// The number that its events bear.
    pub const fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for ReviewJob {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the thread of a review has panicked");
        }
    }
}
