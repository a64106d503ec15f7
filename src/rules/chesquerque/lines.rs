//! The marked lines of the board as compile-time tables (reach on an empty board, and squares
//! between), and the attacks of sliding pieces along them.
//!
//! They need no magic numbers: hyperbola quintessence on lines whose points lie in different bytes,
//! and a table for ranks. `docs/inside/sliders.md` explains it and compares it with other
//! techniques.

use super::point::{Bitboard, PerPoint, Point};
use crate::chess::{Lines, ReverseBytes, rank_attacks};

/// A knight's path: over an empty leg to at most two targets.
#[derive(Clone, Copy)]
pub(super) struct KnightPath {
    /// The point that must be empty; the empty set off the board.
    pub leg: Bitboard,
    pub targets: Bitboard,
}

impl KnightPath {
    const NONE: KnightPath = KnightPath { leg: Bitboard::EMPTY, targets: Bitboard::EMPTY };
}

type Step = (i8, i8);

const ORTHOGONAL: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

const fn diagonals(point: Point) -> &'static [Step] {
    if point.is_diagonal() { &DIAGONAL } else { &[] }
}

/// Only diagonal points are ever attacked by pawns: from the plain point straight behind and from the
/// two diagonal points beside that.
pub(super) static LINES: PerPoint<Lines<Bitboard>> = {
    let mut table = PerPoint([Lines::none(Bitboard::EMPTY); Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        let [a, b, c, d] = knight_paths(point);
        let reach = a.targets.bits() | b.targets.bits() | c.targets.bits() | d.targets.bits();
        table.0[index] = Lines {
            straight_steps: Bitboard::steps(point, &ORTHOGONAL),
            diagonal_steps: Bitboard::steps(point, diagonals(point)),
            straight_lines: Bitboard::rays(point, &ORTHOGONAL),
            diagonal_lines: Bitboard::rays(point, diagonals(point)),
            knight_reach: Bitboard::new(reach),
            pawn_sources: if point.is_diagonal() {
                [
                    Bitboard::steps(point, &[(0, -1), (-1, -1), (1, -1)]),
                    Bitboard::steps(point, &[(0, 1), (-1, 1), (1, 1)]),
                ]
            } else {
                [Bitboard::EMPTY; 2]
            },
        };
        index += 1;
    }
    table
};

pub(super) static KNIGHT_PATHS: PerPoint<[KnightPath; 4]> = {
    let mut table = PerPoint([[KnightPath::NONE; 4]; Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        table.0[index] = knight_paths(point);
        index += 1;
    }
    table
};

/// The knight's paths: first an orthogonal step from a plain point, or a diagonal one from a
/// diagonal point, then a step of the other sort outward.
const fn knight_paths(from: Point) -> [KnightPath; 4] {
    let mut paths = [KnightPath::NONE; 4];
    let first = if from.is_diagonal() { &DIAGONAL } else { &ORTHOGONAL };
    let mut number = 0;
    while number < paths.len() {
        let (files, ranks) = first[number];
        if let Some(leg) = from.offset(files, ranks) {
            let outward = match (files, ranks) {
                (0, ranks) => [(-1, ranks), (1, ranks)],
                (files, 0) => [(files, -1), (files, 1)],
                (files, ranks) => [(files, 0), (0, ranks)],
            };
            paths[number] = KnightPath {
                leg: Bitboard::EMPTY.with(leg),
                targets: Bitboard::steps(leg, &outward),
            };
        }
        number += 1;
    }
    paths
}

/// For two points between which a distant attack is possible, the points that must be empty: those
/// strictly between them on a marked line, or the leg of a knight's move.
pub(super) static BETWEEN: PerPoint<PerPoint<Bitboard>> = {
    let mut table = PerPoint([PerPoint([Bitboard::EMPTY; Point::COUNT]); Point::COUNT]);
    let mut index = 0;
    while let Some(from) = Point::from_index(index) {
        let row = &mut table.0[index].0;
        Bitboard::add_between(row, from, &ORTHOGONAL);
        Bitboard::add_between(row, from, diagonals(from));
        let paths = knight_paths(from);
        let mut number = 0;
        while number < paths.len() {
            let mut targets = paths[number].targets;
            while let Some(target) = targets.lsb() {
                row[target.index()] = paths[number].leg;
                targets = Bitboard::new(targets.bits() & targets.bits().wrapping_sub(1));
            }
            number += 1;
        }
        index += 1;
    }
    table
};

/// A file or diagonal through a point, prepared for the subtraction.
#[derive(Clone, Copy)]
struct Line {
    /// The line without the point itself.
    rest: u128,
    point: u128,
    /// The point on the byte-reversed board.
    reversed: u128,
}

const NO_LINE: Line = Line { rest: 0, point: 0, reversed: 0 };

static FILES: PerPoint<Line> = lines_in_direction(0, 1);
static RISING: PerPoint<Line> = lines_in_direction(1, 1);
static FALLING: PerPoint<Line> = lines_in_direction(-1, 1);

/// Attacks along a rank by the slider's file and the seven inner points.
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

/// The points that a slider on `from` attacks along its file and rank, up to and including the
/// first piece in each direction.
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

/// The points that a slider on `from` attacks along its diagonals; none from a plain point.
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

/// Uses 64-bit halves, since 128-bit shifts are function calls in WebAssembly.
#[inline]
fn along_rank(from: Point, occupied: Bitboard) -> u128 {
    // The inner points of each rank lie in one half.
    let shift = from.rank() * Point::FILES + 1;
    let half = occupied.halves()[usize::from(shift >= 64)];
    let inner = (half >> (shift % 64)) as usize & 0x7F;
    // The attacked files, repeated on every rank; the eighth rank spans both halves.
    let attacks = u64::from(RANK_ATTACKS[from.file() as usize][inner]);
    let low = attacks.wrapping_mul(Bitboard::file(0).halves()[0]);
    let high = attacks >> 1 | attacks << 8;
    (u128::from(high) << 64 | u128::from(low)) & RANKS[from.rank() as usize].bits()
}

const fn lines_in_direction(files: i8, ranks: i8) -> PerPoint<Line> {
    let mut table = PerPoint([NO_LINE; Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        if files == 0 || point.is_diagonal() {
            let bit = 1 << index;
            let rest = Bitboard::rays(point, &[(files, ranks), (-files, -ranks)]).bits();
            table.0[index] = Line { rest, point: bit, reversed: bit.swap_bytes() };
        }
        index += 1;
    }
    table
}
