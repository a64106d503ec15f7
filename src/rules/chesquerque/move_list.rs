//! Moves of Chesquerque and lists of them.

use std::str::FromStr;

use super::piece::PieceKind;
use super::point::Point;
use crate::chess;
use arrayvec::ArrayVec;
use qirkat_game::ParseError;

/// A move of Chesquerque.
pub type Move = chess::Move<Point, PieceKind>;

/// The most moves a position can have, promotions counted apart.
///
/// A piece has at most 32 moves (a queen on `e5`), so `p` pieces have at most
/// `32 p`. A point is reached from at most eight lines and eight knights, so
/// the `81 - p` other points take at most `16 (81 - p)`. Both together allow
/// 864. The nine points of the last rank take pawns from three points each,
/// and a promotion counts five times: 4 × 27 more. Castling adds two.
pub const MAX_MOVES: usize = 864 + 4 * 27 + 2;

/// The moves of one position, on the stack.
///
/// ```
/// let moves: qirkat_rules::chesquerque::MoveList = qirkat_rules::chesquerque::Position::start().legal_moves();
/// assert_eq!(moves.len(), 18);
/// ```
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Reads long algebraic text; see [`Move::parse`].
impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Move, ParseError> {
        let expected = "a move such as `e2e4` or `a8a9q`";
        Move::parse(text).ok_or_else(|| ParseError::new(expected, text))
    }
}
