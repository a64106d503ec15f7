//! Background work that is polled for its result: the engine's replies, hints and reviews.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use anyhow::anyhow;
use indicatif::ProgressBar;

use super::PlayOptions;
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst, GameReview, review_game};
use qirkat_rules::pgn::PgnGame;
use qirkat_search::SEARCH_STACK_BYTES;

/// Work on its own thread. Dropping it cancels it.
pub(crate) struct Background<T> {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<anyhow::Result<T>>>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts work that ends soon after its flag is set.
    pub fn start(
        name: &str,
        work: impl FnOnce(Arc<AtomicBool>) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<Background<T>> {
        let stop = Arc::new(AtomicBool::new(false));
        let for_thread = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(move || work(for_thread))?;
        Ok(Background { stop, thread: Some(thread) })
    }

    pub fn result(&mut self) -> Option<anyhow::Result<T>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().unwrap_or_else(|_| Err(anyhow!("the search has failed"))))
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the search has failed");
        }
    }
}

/// Nodes per move: a long game takes about ten seconds.
const NODES: u64 = 40_000;

/// How a review is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReviewView {
    Graph,
    Report,
}

/// A running review. Dropping it cancels it.
pub(crate) struct ReviewTask {
    pub view: ReviewView,
    pub game: PgnGame,
    bar: ProgressBar,
    pub work: Background<GameReview>,
}

impl ReviewTask {
    pub fn start(
        game: PgnGame,
        view: ReviewView,
        options: &Arc<PlayOptions>,
    ) -> anyhow::Result<ReviewTask> {
        let bar = ProgressBar::hidden();
        let (record, counter, options) = (game.clone(), bar.clone(), Arc::clone(options));
        let work = Background::start("review", move |stop| {
            let moves = record.moves.len() as u64;
            let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(NODES), moves, stop);
            let variant = record.start.variant();
            analyst.begin(variant, || options.resources.searcher(variant))?;
            analyst.on_reviewed(move |_| counter.inc(1));
            Ok(review_game(&record, &mut analyst))
        })?;
        Ok(ReviewTask { view, game, bar, work })
    }

    /// Moves reviewed, and moves in total.
    pub fn progress(&self) -> (u64, usize) {
        (self.bar.position(), self.game.moves.len())
    }
}
