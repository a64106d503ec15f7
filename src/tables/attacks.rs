//! What a piece of a placement attacks.

use super::placement::Placed;
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
