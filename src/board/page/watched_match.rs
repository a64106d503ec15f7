//! A match that another program plays, as the page shows it. The host of the sessions follows it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qirkat_rules::pgn::{GameResult, PgnGame};
use qirkat_rules::variant::Variant;

pub trait WatchedMatch: Send + Sync {
    /// The current state. An unchanged view is the same allocation.
    fn view(&self) -> Arc<MatchView>;

    fn game(&self, wanted: WatchedGame) -> Option<PgnGame>;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WatchedGame {
    /// The finished game with this number in the file, from 1.
    Finished(u64),
    Running(usize),
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MatchView {
    pub file: String,
    /// What is wrong with the match, or what it waits for.
    pub trouble: Option<String>,
    pub games: u64,
    pub faults: u64,
    pub table: Vec<TableRow>,
    /// The games in progress; none if they are not shown.
    pub running: Option<Vec<RunningGame>>,
    /// The latest finished games, the last first.
    pub finished: Vec<FinishedGame>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableRow {
    pub name: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// A win counts one, a draw a half.
    pub points: f64,
    /// With its 95 % error, as `qirkat match` reports it. For two players, the difference between
    /// them, by pairs if all games are paired; for more, the rating relative to the average.
    pub elo: Option<[f64; 2]>,
    /// Points and games against the player of each row; none against oneself.
    pub against: Vec<Option<(f64, u64)>>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunningGame {
    pub number: usize,
    pub game: Variant,
    pub names: [String; 2],
    /// Milliseconds left on the clocks after the last move.
    pub left: [Option<u64>; 2],
    /// Score, depth and time of their last moves.
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
    /// Its position in the file, from 1.
    pub place: u64,
    #[serde(skip)]
    pub offset: u64,
    pub number: Option<usize>,
    pub game: Variant,
    pub white: String,
    pub black: String,
    pub result: GameResult,
    pub reason: String,
    /// Full moves, rounded up.
    pub moves: usize,
}
