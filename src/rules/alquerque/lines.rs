//! The lines around each point as tables, made at compile time.

use super::bitboard::Bitboard;
use super::direction::Direction;
use super::point::Point;
use super::side::{Black, Side, White};
use qirkat_game::Color;

/// A set of points for each place.
type Sets = [Bitboard; Point::PLACES];

/// The points that a man can jump over from each place in the middle of a chain, by the
/// lines and the board's edge alone.
static JUMPABLE: Sets = jumpable(&Direction::ALL);
/// The same for the first jump of each side's men.
static FIRST_JUMPABLE: [Sets; 2] = [jumpable(&White::ONWARD), jumpable(&Black::ONWARD)];

const fn jumpable(directions: &[Direction]) -> Sets {
    let mut table = [Bitboard::EMPTY; Point::PLACES];
    let mut index = 0;
    while index < Point::COUNT as u8 {
        let from = Point::new(index % Point::FILES, index / Point::FILES);
        let mut over = 0;
        let mut number = 0;
        while number < directions.len() {
            let direction = directions[number];
            let (files, ranks) = direction.step();
            if direction.lines().contains(from)
                && from.offset(2 * files, 2 * ranks).is_some()
                && let Some(next) = from.offset(files, ranks)
            {
                over |= next.bit().bits();
            }
            number += 1;
        }
        table[from.slot()] = Bitboard::from_bits(over);
        index += 1;
    }
    table
}

/// Where men stand that can be jumped over from a point by a further jump.
#[inline]
pub(super) fn jumpable_from(point: Point) -> Bitboard {
    JUMPABLE[point.slot()]
}

/// The same for the first jump of a side's man.
#[inline]
pub(super) fn first_jumpable_from(point: Point, color: Color) -> Bitboard {
    FIRST_JUMPABLE[color.index()][point.slot()]
}

const REACH: u8 = Direction::REACH as u8;

/// Directions by the difference of places, from `-REACH`. Differences that
/// neighbours do not have are never looked up.
static DIRECTIONS: [Direction; 2 * REACH as usize + 1] = {
    let mut table = [Direction::North; 2 * REACH as usize + 1];
    let mut number = 0;
    while number < Direction::COUNT {
        let direction = Direction::ALL[number];
        table[(direction.delta() + REACH as i8) as usize] = direction;
        number += 1;
    }
    table
};

/// The direction from a point to its neighbour.
#[inline]
pub(super) fn direction_to(from: Point, neighbour: Point) -> Direction {
    DIRECTIONS[usize::from(neighbour.place() + REACH - from.place())]
}

/// The point beyond `over`, as seen from `from`, which must be able to jump
/// over it.
#[inline]
pub(super) const fn beyond(from: Point, over: Point) -> Point {
    Point::at_place(2 * over.place() - from.place())
}
