//! The differences between White and Black in move generation, as constants, so
//! that the generator is compiled once for each side and does not branch on it.

use super::bitboard::Bitboard;
use super::direction::Direction;
use super::point::Point;
use qirkat_game::Color;

/// A side of the game, known at compile time.
pub(super) trait Side {
    type Enemy: Side;
    const COLOR: Color;
    /// Where a man steps, and where its first jump goes: straight forward,
    /// diagonally forward and sideways.
    const ONWARD: [Direction; 5];
    /// The rank from which a man does not step any more.
    const LAST_RANK: Bitboard;
}

pub(super) struct White;
pub(super) struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
    const ONWARD: [Direction; 5] = [
        Direction::NorthWest,
        Direction::North,
        Direction::NorthEast,
        Direction::West,
        Direction::East,
    ];
    const LAST_RANK: Bitboard = Bitboard::rank(Point::RANKS - 1);
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
    const ONWARD: [Direction; 5] = [
        Direction::SouthWest,
        Direction::South,
        Direction::SouthEast,
        Direction::West,
        Direction::East,
    ];
    const LAST_RANK: Bitboard = Bitboard::rank(0);
}

/// A side's last rank.
pub(super) const fn last_rank(color: Color) -> Bitboard {
    match color {
        Color::White => White::LAST_RANK,
        Color::Black => Black::LAST_RANK,
    }
}

/// Whether a side's men step in this direction, and begin to jump in it.
#[inline]
pub(super) const fn is_onward(color: Color, direction: Direction) -> bool {
    let (_, ranks) = direction.step();
    match color {
        Color::White => ranks >= 0,
        Color::Black => ranks <= 0,
    }
}
