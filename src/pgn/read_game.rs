//! A game that was read, and where it was found.

use super::pgn_game::PgnGame;
use crate::game::GameResult;

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
    /// How many variations could not be read to their end, those inside others not counted.
    pub variations: u64,
    /// The result behind the moves.
    pub written_result: Option<GameResult>,
    /// The line of that result, or the last line of the game without one.
    pub last_line: u64,
}
