//! What differs between White and Black in move generation, as constants, so
//! that the generator is compiled once for each side and does not branch on it.

use super::bitboard::Bitboard;
use super::point::Point;
use qirkat_game::Color;

/// A side of the game, known at compile time.
pub(super) trait Side {
    type Enemy: Side;
    const COLOR: Color;
    /// One rank forward, as a difference of point indices.
    const FORWARD: i8;
    /// The rank a pawn reaches with the first half of its double step.
    const THIRD_RANK: Bitboard;
    const LAST_RANK: Bitboard;

    fn forward(set: Bitboard) -> Bitboard;
}

pub(super) struct White;
pub(super) struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
    const FORWARD: i8 = Point::FILES as i8;
    const THIRD_RANK: Bitboard = Bitboard::rank(2);
    const LAST_RANK: Bitboard = Bitboard::rank(Point::RANKS - 1);

    #[inline]
    fn forward(set: Bitboard) -> Bitboard {
        set.north()
    }
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
    const FORWARD: i8 = -(Point::FILES as i8);
    const THIRD_RANK: Bitboard = Bitboard::rank(Point::RANKS - 3);
    const LAST_RANK: Bitboard = Bitboard::rank(0);

    #[inline]
    fn forward(set: Bitboard) -> Bitboard {
        set.south()
    }
}
