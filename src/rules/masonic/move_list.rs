//! Moves of Masonic chess and lists of them.

use std::str::FromStr;

use super::cell::Cell;
use super::piece::PieceKind;
use crate::chess;
use arrayvec::ArrayVec;
use qirkat_game::ParseError;

/// A move of Masonic chess.
pub type Move = chess::Move<Cell, PieceKind>;

/// The most moves a position can have, promotions counted apart.
///
/// A piece has at most 31 moves (a queen on `e4`), so `p` pieces have at most
/// `31 p`. A cell is reached along at most ten lines and
/// by at most twelve knights, so the `64 - p` other cells take at most
/// `22 (64 - p)`. Both together allow 814. The eight cells of the last rank
/// take pawns from two cells each, and a promotion counts four times:
/// 3 × 16 more. Castling adds two.
pub const MAX_MOVES: usize = 814 + 3 * 16 + 2;

/// The moves of one position, on the stack.
///
/// ```
/// use qirkat_rules::masonic::{MoveList, Position};
///
/// let moves: MoveList = Position::start().legal_moves();
/// assert!(moves.contains(&"e2f4".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Reads long algebraic text; see [`Move::parse`].
impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Move, ParseError> {
        let expected = "a move such as `e2f4` or `a7a8q`";
        Move::parse(text).ok_or_else(|| ParseError::new(expected, text))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bitboard, piece_attacks};
    use super::*;

    #[test]
    fn the_bound_on_moves_counts_a_piece_right() {
        let most =
            |kind| Cell::all().map(|cell| piece_attacks(kind, cell, Bitboard::EMPTY).len()).max();
        assert_eq!(most(PieceKind::Queen), Some(31));
        assert_eq!(most(PieceKind::Knight), Some(12));
    }
}
