//! What differs between White and Black in move generation, as constants, so
//! that the generator is compiled once for each side and does not branch on it.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::direction::Direction;
use qirkat_game::Color;

/// A side of the game, known at compile time.
pub(super) trait Side {
    type Enemy: Side;
    const COLOR: Color;
    /// One rank forward.
    const AHEAD: i8;
    /// The rank a pawn reaches with the first half of its double step.
    const THIRD_RANK: Bitboard;
    const LAST_RANK: Bitboard;

    /// A pawn's steps, to the left and to the right as White sees it.
    const STEPS: [Direction; 2] =
        [Direction::new((-1, Self::AHEAD)), Direction::new((1, Self::AHEAD))];
    /// A pawn's double steps.
    const DOUBLE_STEPS: [Direction; 2] =
        [Direction::new((-2, 2 * Self::AHEAD)), Direction::new((2, 2 * Self::AHEAD))];
    /// A pawn's captures.
    const CAPTURES: [Direction; 2] =
        [Direction::new((-3, Self::AHEAD)), Direction::new((3, Self::AHEAD))];
}

pub(super) struct White;
pub(super) struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
    const AHEAD: i8 = 1;
    const THIRD_RANK: Bitboard = Bitboard::rank(2);
    const LAST_RANK: Bitboard = Bitboard::rank(Cell::RANKS - 1);
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
    const AHEAD: i8 = -1;
    const THIRD_RANK: Bitboard = Bitboard::rank(Cell::RANKS - 3);
    const LAST_RANK: Bitboard = Bitboard::rank(0);
}
