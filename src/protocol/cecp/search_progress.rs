//! The latest reports of a running search, for `.`, `?` and draw offers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use qirkat_engine::{SearchLine, SearchResult};
use qirkat_game::distance::Depth;
use qirkat_rules::chesquerque::{Move, Position};
use qirkat_rules::variant::Member;

/// Shared by the conversation and the search it waits for.
#[derive(Clone, Default)]
pub(super) struct SearchProgress(Arc<Mutex<Reported>>);

/// What a search has reported.
#[derive(Default)]
pub(super) struct Reported {
    /// The last finished depth.
    pub depth: Depth,
    /// The best line so far.
    pub line: Vec<Move>,
    /// What it has come to, once it has ended.
    pub result: Option<SearchResult>,
}

impl SearchProgress {
    /// What has been reported so far.
    pub fn reported(&self) -> MutexGuard<'_, Reported> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a line of the search.
    pub fn note(&self, line: &SearchLine) {
        if line.rank == 1 {
            let mut reported = self.reported();
            reported.depth = line.depth;
            reported.line.clear();
            reported.line.extend(line.moves.iter().filter_map(|&mv| Position::own_move(mv)));
        }
    }
}
