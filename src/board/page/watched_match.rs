//! A match that another program plays, as the page shows it. The host of the sessions follows
//! it, where there is one.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qirkat_rules::pgn::{GameResult, PgnGame};
use qirkat_rules::variant::Variant;

pub trait WatchedMatch: Send + Sync {
    /// The match as it stands. The same view is the same memory.
    fn view(&self) -> Arc<MatchView>;

    fn game(&self, wanted: WatchedGame) -> Option<PgnGame>;
}

/// A game of the match, as the page asks for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WatchedGame {
    /// The finished one at this place in the file, from 1.
    Finished(u64),
    Running(usize),
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MatchView {
    pub file: String,
    /// The trouble with it, or what is waited for.
    pub trouble: Option<String>,
    pub games: u64,
    pub faults: u64,
    /// Who scored what, the best first.
    pub table: Vec<TableRow>,
    /// The games being played; none where nobody shows them.
    pub running: Option<Vec<RunningGame>>,
    /// The games that ended last, the very last first.
    pub finished: Vec<FinishedGame>,
}

/// A player's line of the cross table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableRow {
    pub name: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// A point for each win, half of one for each draw.
    pub points: f64,
    /// With the 95 % error, as in the report of `qirkat match`: of two players how much
    /// stronger this one is, by pairs where all games are played in pairs; of more, the
    /// rating around the average.
    pub elo: Option<[f64; 2]>,
    /// Points and games against the player of each row; none against oneself.
    pub against: Vec<Option<(f64, u64)>>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunningGame {
    pub number: usize,
    pub game: Variant,
    pub names: [String; 2],
    /// Milliseconds left on their clocks after the last move.
    pub left: [Option<u64>; 2],
    /// Their thoughts of their last moves: score, depth and time.
    pub thoughts: [Option<String>; 2],
    /// The first field of the FEN.
    pub pieces: String,
    pub turn: &'static str,
    pub last: Vec<String>,
    pub check: Option<String>,
    pub moves: String,
    pub plies: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FinishedGame {
    /// Its place in the file, from 1.
    pub place: u64,
    /// Its number in the match, if that is told.
    pub number: Option<usize>,
    pub game: Variant,
    pub white: String,
    pub black: String,
    pub result: GameResult,
    pub reason: String,
    /// How many moves each side made, rounded up.
    pub moves: usize,
}
