//! What a piece of a placement attacks.

use super::placement::Placed;
use super::table_board::TableBoard;
use qirkat_rules::chess::Kind;

/// The points that a piece attacks.
#[inline]
pub fn attacks<G: TableBoard>(piece: Placed<G>, occupied: G::Bitboard) -> G::Bitboard {
    if piece.kind == G::Kind::PAWN {
        G::pawn_captures(piece.color, piece.point)
    } else {
        G::piece_attacks(piece.kind, piece.point, occupied)
    }
}
