//! The task of a review: the game, what it may use, and how it is done.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::event::ReviewNews;
use super::reviewed::Reviewed;
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst, review_game};
use qirkat_engine::AnySearcher;
use qirkat_evaluation::AnyEvaluation;
use qirkat_notation::pgn::PgnGame;
use qirkat_search::ResourceError;
use qirkat_tablebase::AllTables;

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
    /// The engine that makes it. `report` is called after each move with how many are left, and
    /// raising `stop` breaks it off.
    ///
    /// # Errors
    /// In words, when the machine does not give what it takes.
    pub fn analyst(
        &self,
        stop: Arc<AtomicBool>,
        report: impl FnMut(usize) + Send + 'static,
    ) -> Result<EngineAnalyst, String> {
        let JobResources { time, threads, hash } = self.resources;
        let variant = self.game.start.variant();
        let moves = self.game.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(AnalystBudget::Time(time), moves, stop);
        let ready: Result<(), ResourceError> = analyst.begin(variant, || {
            let evaluation = AnyEvaluation::embedded(variant);
            let mut searcher = AnySearcher::with_resources(evaluation, threads, hash)?;
            searcher.set_tablebases(Some(AllTables::with_embedded()));
            Ok(searcher)
        });
        ready.map_err(|error| error.to_string())?;
        analyst.on_reviewed(report);
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
