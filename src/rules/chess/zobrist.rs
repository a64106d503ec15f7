//! Zobrist keys of positions: pieces, side to move, castling rights and en-passant
//! possibility (A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
//!
//! The numbers of a game are one sequence, in this order: Black to move, the pieces, the
//! castling rights but for none at all, and en passant by file.

use qirkat_game::{Color, Key};

use super::castling::CastlingRights;
use super::geometry::{Geometry, ZobristNumbers};
use super::kind::Kind;
use super::square::Square;

/// Where the numbers for pieces begin.
const FIRST_PIECE: usize = 1;

const fn first_castling<G: Geometry>() -> usize {
    FIRST_PIECE + 2 * G::Kind::ALL.len() * G::Square::COUNT
}

const fn first_en_passant<G: Geometry>() -> usize {
    let first = first_castling::<G>() + CastlingRights::COUNT - 1;
    assert!(first + 2 * G::Square::FILES as usize <= ZobristNumbers::LEN);
    first
}

#[inline]
pub(super) fn black_to_move<G: Geometry>() -> Key {
    G::zobrist().at(0)
}

#[inline]
pub(super) fn piece<G: Geometry>(color: Color, kind: G::Kind, square: G::Square) -> Key {
    let piece = color.index() * G::Kind::ALL.len() + kind.index();
    G::zobrist().at(FIRST_PIECE + piece * G::Square::COUNT + square.index())
}

#[inline]
pub(super) fn castling<G: Geometry>(rights: CastlingRights) -> Key {
    let first = const { first_castling::<G>() };
    if rights.is_empty() { Key(0) } else { G::zobrist().at(first + rights.index() - 1) }
}

/// The key of an en-passant possibility. Where two pawns can have passed over a square, one
/// of them stands on the same file and the other does not.
#[inline]
pub(super) fn en_passant<G: Geometry>(passed: G::Square, pawn: G::Square) -> Key {
    let first = const { first_en_passant::<G>() };
    let file = usize::from(passed.file());
    let other_file = usize::from(passed.file() != pawn.file());
    G::zobrist().at(first + file + other_file * usize::from(G::Square::FILES))
}
