//! What pieces do to each other: which are attacked, which are guarded, and who is in check.
//! Neighbours in a table differ most where that differs.

use super::layout::Layout;
use super::placement::{Placed, Placement};
use crate::chesquerque::{Bitboard, Color, PieceKind, Point, piece_attacks};

/// The points that a piece attacks.
#[inline]
pub(super) fn attacks(piece: Placed, occupied: Bitboard) -> Bitboard {
    if piece.kind == PieceKind::Pawn {
        pawn_attacks(piece.color, piece.point)
    } else {
        piece_attacks(piece.kind, piece.point, occupied)
    }
}

/// A pawn captures slantwise from a diagonal point, straight ahead from a plain one.
#[inline]
fn pawn_attacks(color: Color, point: Point) -> Bitboard {
    let ahead = point.bit().forward(color);
    if point.is_diagonal() { ahead.east() | ahead.west() } else { ahead }
}

impl Layout {
    /// What the pieces of a number do to each other with a side to move: a check in the
    /// lowest bit, and two bits for each piece, attacked and guarded. None where the number
    /// stands for no position, or for one that has another number too.
    #[inline]
    pub fn relations(&self, index: usize, side: Color) -> Option<u16> {
        let placement = self.placement(index)?;
        let mut attacked = [Bitboard::EMPTY; 2];
        for &piece in &placement.pieces {
            attacked[piece.color.index()] |= attacks(piece, placement.occupied);
        }
        if attacked[side.index()].contains(placement.king(!side)) || self.is_twin(&placement) {
            return None;
        }
        let is_check = attacked[(!side).index()].contains(placement.king(side));
        let of_piece = |bits: u16, piece: &Placed| {
            let by = |color: Color| u16::from(attacked[color.index()].contains(piece.point));
            bits << 2 | by(!piece.color) << 1 | by(piece.color)
        };
        let bits = placement.pieces[2..].iter().fold(0, of_piece);
        Some(bits << 1 | u16::from(is_check))
    }

    /// Whether equal pieces stand in another order than the one that is looked up.
    #[inline]
    fn is_twin(&self, placement: &Placement) -> bool {
        let placed = &placement.pieces[2..];
        (1..self.pieces.len()).any(|at| {
            self.pieces[at] == self.pieces[at - 1] && placed[at].point < placed[at - 1].point
        })
    }
}
