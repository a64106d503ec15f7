//! The view of a match: what the page shows of it.

use serde::Serialize;

use super::cross_table::Row;
use super::running_games::RunningGame;
use qirkat_notation::pgn::GameResult;
use qirkat_rules::variant::Variant;

/// What the page shows of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct MatchView {
    /// The name of the file of its games.
    pub file: String,
    /// What is wrong with it, or is waited for.
    pub trouble: Option<String>,
    /// How many games are finished.
    pub games: u64,
    /// How many could not be read.
    pub faults: u64,
    /// Who scored what, the best first.
    pub table: Vec<Row>,
    /// The games being played; none where nobody shows them.
    pub running: Option<Vec<RunningGame>>,
    /// The games that ended last, the very last first.
    pub finished: Vec<FinishedGame>,
}

/// A finished game in a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct FinishedGame {
    /// Its place in the file, from 1.
    pub place: u64,
    /// Its number in the match, if that is told.
    pub number: Option<usize>,
    /// Which game it is.
    pub game: Variant,
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// How it ended.
    pub result: GameResult,
    /// Why, if that is told.
    pub reason: String,
    /// How many moves each side made, rounded up.
    pub moves: usize,
}
