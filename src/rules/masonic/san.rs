//! Standard algebraic notation of Masonic chess: piece letters `K Q R B N`.
//!
//! Two pawns may be able to step to one cell: then the file tells them apart
//! as it does pieces, `ef3`.

use super::move_list::Move;
use super::position::Position;
use crate::chess::san;
use qirkat_game::SanError;

impl Position {
    /// A legal move in standard algebraic notation.
    ///
    /// ```
    /// use qirkat_rules::masonic::Position;
    ///
    /// assert_eq!(Position::start().san("e2f3".parse()?), "ef3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        san::write(self, mv)
    }

    /// A line of legal moves, each in algebraic notation; stops at the first
    /// move that is not legal.
    pub fn san_line(&self, moves: &[Move]) -> Vec<String> {
        san::write_line(self, moves)
    }

    /// Reads a move in algebraic notation. Check marks and `!?` may be there
    /// or not, right or wrong; fuller origins than needed are fine.
    ///
    /// # Errors
    /// When the text is no move, or not exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        san::read(self, text)
    }
}
