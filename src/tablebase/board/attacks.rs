//! What a piece of a placement attacks.

use super::placement::Placed;
use super::table_board::TableBoard;
use qirkat_rules::chess::{Geometry, Kind, pawn_captures};

/// The points that a piece attacks.
#[inline]
pub fn attacks<G: TableBoard>(piece: Placed<G>, occupied: G::Bitboard) -> G::Bitboard {
    if piece.kind == G::Kind::PAWN {
        pawn_captures::<G::Geometry>(piece.color, piece.point)
    } else {
        G::Geometry::attacks(piece.kind, piece.point, occupied)
    }
}
