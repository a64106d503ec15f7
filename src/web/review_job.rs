//! A review in the background, as `qirkat annotate` does it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::allowance::{Allowance, Share};
use super::backend::Backend;
use super::event::{Event, ReviewNews};
use super::reviewed::Reviewed;
use crate::engine::AnySearcher;
use crate::evaluation::AnyEvaluation;
use crate::pgn::PgnGame;
use crate::review::{AnalystBudget, EngineAnalyst, review_game};
use crate::search::ResourceError;

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

/// A review that is to be made. Its events bear the number.
#[derive(Clone, Debug)]
pub(super) struct ReviewTask {
    /// No other review has it.
    pub number: u64,
    /// The game.
    pub game: PgnGame,
    /// What it may use.
    pub resources: JobResources,
}

impl ReviewTask {
    /// The engine that makes it. `tell` hears after each move how many are left, and
    /// raising `stop` breaks it off.
    ///
    /// # Errors
    /// In words, when the machine does not give what it takes.
    pub fn analyst(
        &self,
        stop: Arc<AtomicBool>,
        tell: impl FnMut(usize) + Send + 'static,
    ) -> Result<EngineAnalyst, String> {
        let JobResources { time, threads, hash } = self.resources;
        let variant = self.game.start.variant();
        let moves = self.game.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(AnalystBudget::Time(time), moves, stop);
        let ready: Result<(), ResourceError> = analyst.begin(variant, || {
            AnySearcher::with_resources(AnyEvaluation::embedded(variant), threads, hash)
        });
        ready.map_err(|error| error.to_string())?;
        analyst.on_reviewed(tell);
        Ok(analyst)
    }

    /// Makes it.
    pub fn review(&self, mut analyst: EngineAnalyst) -> ReviewNews {
        let review = review_game(&self.game, &mut analyst);
        match Reviewed::of(&self.game, &review) {
            Ok(reviewed) => ReviewNews::Done(Box::new(reviewed)),
            Err(error) => ReviewNews::Failed(error.to_string()),
        }
    }
}

/// A review that goes on in the background. Dropped, it is broken off.
pub(super) struct ReviewJob {
    number: u64,
    _running: Box<dyn Send>,
    _share: Share,
}

impl ReviewJob {
    /// Begins a review.
    ///
    /// # Errors
    /// In words, when other tabs use what it needs or the machine does not give it.
    pub fn start(
        task: ReviewTask,
        backend: &dyn Backend,
        allowance: &Allowance,
        events: &Sender<Event>,
    ) -> Result<ReviewJob, String> {
        let JobResources { threads, hash, .. } = task.resources;
        let share = allowance.take(threads, hash).map_err(|error| error.to_string())?;
        let number = task.number;
        Ok(ReviewJob { number, _running: backend.review(task, events)?, _share: share })
    }

    /// The number that its events bear.
    pub const fn number(&self) -> u64 {
        self.number
    }
}
