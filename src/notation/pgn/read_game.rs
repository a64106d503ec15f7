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
    /// The variations that could not be read; they stay as comments.
    pub unread: Vec<UnreadVariation>,
    /// The result behind the moves.
    pub written_result: Option<GameResult>,
    /// The line of that result, or the last line of the game without one.
    pub last_line: u64,
}

/// A variation that could not be read to its end. What is left of it stays in the game as a
/// comment, `[unread: ...]`, behind the last move that was read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: variation: {fault}")]
pub struct UnreadVariation {
    /// The line of the fault, from 1.
    pub line: u64,
    /// The fault.
    pub fault: PgnFault,
}
