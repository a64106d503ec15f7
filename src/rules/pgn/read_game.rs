//! A game that was read, and where it was found.

use thiserror::Error;

use qirkat_game::GameResult;

use super::error::PgnFault;
use super::pgn_game::PgnGame;

/// A game and where it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame {
    /// The game. Its result is the one behind the moves, or that of the tag
    /// when there is none.
    pub game: PgnGame,
    /// The game's number in its file, from 1.
    pub number: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// The line of each move.
    pub move_lines: Vec<u64>,
    /// What could not be read and spoils no game; it stays as comments.
    pub unread: Vec<Unread>,
    /// The result behind the moves.
    pub written_result: Option<GameResult>,
    /// The line of that result, or the last line of the game without one.
    pub last_line: u64,
}

/// A variation that could not be read to its end, a faulty tag, or stray text. What is left of a
/// variation stays in the game as a comment, `[unread: ...]`, behind the last move that was read,
/// anything else as it was.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {}{fault}", self.place())]
pub struct Unread {
    /// The line of the fault, from 1.
    pub line: u64,
    /// The fault.
    pub fault: PgnFault,
}

impl Unread {
    /// Where the fault is, before it is told: in a variation or, where nothing is said, in the
    /// game.
    pub fn place(&self) -> &'static str {
        let is_in_variation = matches!(
            self.fault,
            PgnFault::Move { .. } | PgnFault::NothingToReplace | PgnFault::TooDeep
        );
        if is_in_variation { "variation: " } else { "" }
    }
}
