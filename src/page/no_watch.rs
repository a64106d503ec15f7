//! A match that nobody can watch: what stands for `watch` without a server.

use std::convert::Infallible;
use std::sync::Arc;

use serde::Serialize;

use super::watched_game::WatchedGame;
use qirkat_notation::pgn::PgnGame;

/// A match that is watched: there is none.
#[derive(Clone, Debug)]
pub(super) struct MatchWatch(Infallible);

/// What the page shows of a match.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MatchView {
    /// The name of the file of its games.
    pub file: String,
}

impl MatchWatch {
    /// What there is to see.
    pub fn view(&self) -> Arc<MatchView> {
        match self.0 {}
    }

    /// A game of the match.
    pub fn game(&self, _wanted: WatchedGame) -> Option<PgnGame> {
        match self.0 {}
    }
}
