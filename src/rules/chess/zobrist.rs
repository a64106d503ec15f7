//! Zobrist keys of positions: pieces, side to move, castling rights and en-passant
//! possibility (A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
//!
//! The numbers of a game are one sequence, in this order: Black to move, the pieces, the
//! castling rights but for none at all, and en passant by file.

use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Key};

use super::castling::CastlingRights;
use super::geometry::Geometry;
use super::kind::Kind;
use super::position::EnPassant;
use super::square::Square;

const FIRST_PIECE: usize = 1;

/// The length of a game's sequence.
pub const fn zobrist_len(kinds: usize, squares: usize, files: u8) -> usize {
    first_en_passant(kinds, squares) + 2 * files as usize
}

const fn first_castling(kinds: usize, squares: usize) -> usize {
    FIRST_PIECE + 2 * kinds * squares
}

const fn first_en_passant(kinds: usize, squares: usize) -> usize {
    first_castling(kinds, squares) + CastlingRights::COUNT - 1
}

/// The random numbers of a game, whose seed is its own.
pub const fn zobrist_numbers<const N: usize>(seed: u64) -> [u64; N] {
    let mut state = seed;
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = splitmix64(&mut state);
        index += 1;
    }
    numbers
}

#[inline]
pub(super) fn black_to_move<G: Geometry>() -> Key {
    Key(G::zobrist()[0])
}

#[inline]
pub(super) fn piece<G: Geometry>(color: Color, kind: G::Kind, square: G::Square) -> Key {
    let piece = color.index() * G::Kind::ALL.len() + kind.index();
    Key(G::zobrist()[FIRST_PIECE + piece * G::Square::COUNT + square.index()])
}

#[inline]
pub(super) fn castling<G: Geometry>(rights: CastlingRights) -> Key {
    let first = first_castling(G::Kind::ALL.len(), G::Square::COUNT);
    if rights.is_empty() { Key(0) } else { Key(G::zobrist()[first + rights.index() - 1]) }
}

/// The key of an en-passant possibility. Where two pawns can have passed over a square, one
/// of them stands on the same file and the other does not.
#[inline]
pub(super) fn en_passant<G: Geometry>(target: EnPassant<G::Square>) -> Key {
    let first = first_en_passant(G::Kind::ALL.len(), G::Square::COUNT);
    let file = usize::from(target.passed.file());
    let other_file = usize::from(target.passed.file() != target.pawn.file());
    Key(G::zobrist()[first + file + other_file * usize::from(G::Square::FILES)])
}
