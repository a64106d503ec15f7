//! Standard algebraic notation of Chesquerque: piece letters `K Q R B N A`, `O-O` towards
//! the archbishop, `O-O-O` towards the queen.
//!
//! A plain-point pawn captures straight ahead, so its file is written there
//! too: `exe5` captures, `e5` does not.

use super::move_list::Move;
use super::position::Position;
use crate::chess::san;
use qirkat_game::SanError;

impl Position {
    /// A legal move in standard algebraic notation.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position: Position = "4k4/9/9/4p4/4P4/9/9/9/4K3R w K - 0 1".parse()?;
    /// assert_eq!(position.san("e1h1".parse()?), "O-O");
    /// assert_eq!(position.san("i1i9".parse()?), "Ri9+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        san::write(self, mv)
    }

    /// A line of legal moves, each in algebraic notation; stops at the first
    /// move that is not legal.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let line = ["e2e4".parse()?, "e8e6".parse()?, "a1a9".parse()?];
    /// assert_eq!(Position::start().san_line(&line), ["e4", "e6"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san_line(&self, moves: &[Move]) -> Vec<String> {
        san::write_line(self, moves)
    }

    /// Reads a move in algebraic notation. Check marks and `!?` may be there
    /// or not, right or wrong; fuller origins than needed are fine.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{Position, SanError};
    ///
    /// let position: Position = "4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1".parse()?;
    /// assert_eq!(position.parse_san("O-O-O")?.to_string(), "e1b1");
    /// assert_eq!(position.parse_san("Rae9").unwrap_err().to_string(), "`Rae9` is not a legal move here");
    /// assert!(matches!(position.parse_san("e9x"), Err(SanError::Malformed(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no move, or not exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        san::read(self, text)
    }
}
