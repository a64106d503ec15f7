//! The review of a game, in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use anyhow::anyhow;
use indicatif::ProgressBar;

use super::options::PlayOptions;
use crate::pgn::PgnGame;
use crate::review::{AnalystBudget, EngineAnalyst, GameReview, review_game};
use crate::search::SEARCH_STACK_BYTES;

/// Positions to visit for each move: a long game takes some ten seconds.
const NODES: u64 = 40_000;

/// What is to be shown of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// The chances from move to move.
    Graph,
    /// The whole report.
    Report,
}

/// A review under way. Dropping it breaks it off.
pub(super) struct ReviewTask {
    wanted: Wanted,
    game: PgnGame,
    stop: Arc<AtomicBool>,
    bar: ProgressBar,
    thread: Option<JoinHandle<anyhow::Result<GameReview>>>,
}

impl ReviewTask {
    /// Begins to review a game.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub fn start(
        game: PgnGame,
        wanted: Wanted,
        options: &Arc<PlayOptions>,
    ) -> anyhow::Result<ReviewTask> {
        let stop = Arc::new(AtomicBool::new(false));
        let bar = ProgressBar::hidden();
        let work = Work {
            game: game.clone(),
            options: Arc::clone(options),
            stop: Arc::clone(&stop),
            bar: bar.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("review".to_owned())
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(move || work.run())?;
        Ok(ReviewTask { wanted, game, stop, bar, thread: Some(thread) })
    }

    /// What is to be shown of it.
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// Something else is to be shown of it.
    pub fn want(&mut self, wanted: Wanted) {
        self.wanted = wanted;
    }

    /// The game.
    pub fn game(&self) -> &PgnGame {
        &self.game
    }

    /// Moves reviewed, and moves in all.
    pub fn progress(&self) -> (u64, usize) {
        (self.bar.position(), self.game.moves.len())
    }

    /// The review, once it is done.
    pub fn result(&mut self) -> Option<anyhow::Result<GameReview>> {
        if !self.thread.as_ref()?.is_finished() {
            return None;
        }
        let joined = self.thread.take()?.join();
        Some(joined.unwrap_or_else(|_| Err(anyhow!("the review has failed"))))
    }
}

impl Drop for ReviewTask {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the review has failed");
        }
    }
}

/// What the thread needs.
struct Work {
    game: PgnGame,
    options: Arc<PlayOptions>,
    stop: Arc<AtomicBool>,
    bar: ProgressBar,
}

impl Work {
    fn run(self) -> anyhow::Result<GameReview> {
        let moves = self.game.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(NODES), moves, self.stop);
        let variant = self.game.start.variant();
        analyst.begin(variant, || self.options.resources.searcher(variant))?;
        let bar = self.bar;
        analyst.on_reviewed(move |_| bar.inc(1));
        Ok(review_game(&self.game, &mut analyst))
    }
}
