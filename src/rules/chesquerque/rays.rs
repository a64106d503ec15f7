//! Attacks of sliding pieces, without magic numbers: hyperbola quintessence on whole lines, whose
//! points lie in different bytes, and a table for ranks. `docs/inside/sliders.md` tells how it
//! works, and compares it with other techniques.

use super::bitboard::Bitboard;
use super::point::{PerPoint, Point};
use crate::chess::{ReverseBytes, rank_attacks};

/// A file or diagonal through a point, with what the subtraction needs.
#[derive(Clone, Copy)]
struct Line {
    /// The line without the point itself.
    rest: u128,
    point: u128,
    /// The point in the byte-reversed board.
    reversed: u128,
}

const NO_LINE: Line = Line { rest: 0, point: 0, reversed: 0 };

static FILES: PerPoint<Line> = lines_in_direction(0, 1);
static RISING: PerPoint<Line> = lines_in_direction(1, 1);
static FALLING: PerPoint<Line> = lines_in_direction(-1, 1);

/// Attacks along a rank by file of the slider and the seven inner points.
static RANK_ATTACKS: [[u16; 128]; Point::FILES as usize] = rank_attacks();

static RANKS: [Bitboard; Point::RANKS as usize] = {
    let mut ranks = [Bitboard::EMPTY; Point::RANKS as usize];
    let mut rank = 0;
    while rank < Point::RANKS {
        ranks[rank as usize] = Bitboard::rank(rank);
        rank += 1;
    }
    ranks
};

/// Points that a slider on `from` attacks along its file and rank, up to and
/// including the first piece met in each direction.
///
/// ```
/// use qirkat_rules::chesquerque::orthogonal_attacks;
/// use qirkat_rules::chesquerque::{Bitboard, Point};
///
/// let occupied: Bitboard = ["e7".parse::<Point>()?, "c5".parse()?].into_iter().collect();
/// let attacks = orthogonal_attacks("e5".parse()?, occupied);
/// assert!(attacks.contains("e7".parse()?) && !attacks.contains("e8".parse()?));
/// assert_eq!(attacks.len(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn orthogonal(from: Point, occupied: Bitboard) -> Bitboard {
    Bitboard::new(along(&FILES[from], occupied.bits()) | along_rank(from, occupied))
}

/// Points that a slider on `from` attacks along its diagonals; none from a
/// plain point.
#[inline]
pub fn diagonal(from: Point, occupied: Bitboard) -> Bitboard {
    Bitboard::new(along(&RISING[from], occupied.bits()) | along(&FALLING[from], occupied.bits()))
}

#[inline]
fn along(line: &Line, occupied: u128) -> u128 {
    let pieces = occupied & line.rest;
    let up = pieces.wrapping_sub(line.point);
    let down = pieces.reverse_bytes().wrapping_sub(line.reversed).reverse_bytes();
    (up ^ down) & line.rest
}

/// Works on halves, since shifts of 128 bits are function calls in WebAssembly.
#[inline]
fn along_rank(from: Point, occupied: Bitboard) -> u128 {
    // The inner points of each rank lie in one half.
    let shift = from.rank() * Point::FILES + 1;
    let half = occupied.halves()[usize::from(shift >= 64)];
    let inner = (half >> (shift % 64)) as usize & 0x7F;
    // The attacked files, put on every rank: the eighth lies across both halves.
    let attacks = u64::from(RANK_ATTACKS[from.file() as usize][inner]);
    let low = attacks.wrapping_mul(Bitboard::file(0).halves()[0]);
    let high = attacks >> 1 | attacks << 8;
    (u128::from(high) << 64 | u128::from(low)) & RANKS[from.rank() as usize].bits()
}

const fn lines_in_direction(files: i8, ranks: i8) -> PerPoint<Line> {
    let mut table = PerPoint([NO_LINE; Point::COUNT]);
    let mut index = 0;
    while index < Point::COUNT {
        if let Some(point) = Point::from_index(index)
            && (files == 0 || point.is_diagonal())
        {
            let bit = 1 << index;
            let rest = half_line(point, files, ranks) | half_line(point, -files, -ranks);
            table.0[index] = Line { rest, point: bit, reversed: bit.swap_bytes() };
        }
        index += 1;
    }
    table
}

const fn half_line(from: Point, files: i8, ranks: i8) -> u128 {
    let mut bits = 0;
    let mut next = from.offset(files, ranks);
    while let Some(point) = next {
        bits |= 1 << point.index();
        next = point.offset(files, ranks);
    }
    bits
}
