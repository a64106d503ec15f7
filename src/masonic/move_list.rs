//! A move and its long algebraic text.

use std::fmt;

use super::cell::Cell;
use super::piece::PieceKind;
use crate::game::PackedMove;
use arrayvec::ArrayVec;

/// A move: from, to, and what a pawn becomes. Castling is the king's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C, align(4))]
pub struct Move {
    /// Where the piece stands.
    pub from: Cell,
    /// Where it goes.
    pub to: Cell,
    /// What a pawn that reaches the last rank becomes.
    pub promotion: Option<PieceKind>,
}

/// The most moves a position can have, promotions counted apart.
///
/// A piece has at most 31 moves (a queen on `e4`), so `p` pieces have at most
/// `31 p`. A cell is reached along at most ten lines and
/// by at most twelve knights, so the `64 - p` other cells take at most
/// `22 (64 - p)`. Both together allow 814. The eight cells of the last rank
/// take pawns from two cells each, and a promotion counts four times:
/// 3 × 16 more. Castling adds two.
pub const MAX_MOVES: usize = 814 + 3 * 16 + 2;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Numbers of promotions in a packed move, none among them.
const PACKED_PROMOTIONS: usize = 8;

impl Move {
    /// A move without promotion.
    #[inline]
    pub const fn new(from: Cell, to: Cell) -> Move {
        Move { from, to, promotion: None }
    }

    /// The move in 16 bits: `(from * 64 + to) * 8 + promotion`. That is never
    /// [`PackedMove::NONE`], since `a1a1` is no move.
    pub fn pack(self) -> PackedMove {
        let promotion = match self.promotion {
            None => 0,
            Some(PieceKind::Queen) => 1,
            Some(PieceKind::Rook) => 2,
            Some(PieceKind::Bishop) => 3,
            Some(_) => 4,
        };
        let cells = self.from.index() * Cell::COUNT + self.to.index();
        PackedMove((cells * PACKED_PROMOTIONS + promotion) as u16)
    }

    /// The move, if the number stands for one (it need not be legal).
    pub fn unpack(packed: PackedMove) -> Option<Move> {
        if packed == PackedMove::NONE {
            return None;
        }
        let number = usize::from(packed.0);
        let cells = number / PACKED_PROMOTIONS;
        let promotion = match number % PACKED_PROMOTIONS {
            0 => None,
            number => Some(*PieceKind::PROMOTIONS.get(number - 1)?),
        };
        Some(Move {
            from: Cell::from_index(cells / Cell::COUNT)?,
            to: Cell::from_index(cells % Cell::COUNT)?,
            promotion,
        })
    }

    /// Reads long algebraic text such as `e2e4` or `a7a8q`. Whether the move
    /// is legal anywhere is another question.
    pub fn parse(text: &str) -> Option<Move> {
        let (cells, promotion) = match *text.as_bytes() {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, letter] => {
                let kind = PieceKind::from_letter(char::from(letter))?;
                if !PieceKind::PROMOTIONS.contains(&kind) {
                    return None;
                }
                ([a, b, c, d], Some(kind))
            }
            _ => return None,
        };
        Some(Move {
            from: Cell::from_bytes(cells[0], cells[1])?,
            to: Cell::from_bytes(cells[2], cells[3])?,
            promotion,
        })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
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

    #[test]
    fn packed_moves_are_unpacked_again() {
        for from in Cell::all() {
            for to in Cell::all().filter(|&to| to != from) {
                for promotion in
                    PieceKind::PROMOTIONS.into_iter().map(Some).chain(std::iter::once(None))
                {
                    let mv = Move { from, to, promotion };
                    assert_ne!(mv.pack(), PackedMove::NONE);
                    assert_eq!(Move::unpack(mv.pack()), Some(mv));
                    assert_eq!(Move::parse(&mv.to_string()), Some(mv));
                }
            }
        }
    }
}
