//! Masks of points for the terms of the evaluation, as tables made at compile time.

use qirkat_rules::chesquerque::{Bitboard, Color, PerPoint, Point};
use qirkat_rules::chess::Square;

/// Files of half a board: the evaluation is symmetric.
pub(super) const HALF_FILES: usize = (Point::FILES as usize).div_ceil(2);

/// Steps of a file from the nearer edge of the board.
#[inline]
pub(super) const fn edge_distance(point: Point) -> usize {
    let from_right = Point::FILES - 1 - point.file();
    (if point.file() < from_right { point.file() } else { from_right }) as usize
}

/// The rank relative to a side: its own first rank is 0.
#[inline]
pub(super) const fn relative_rank(color: Color, point: Point) -> usize {
    match color {
        Color::White => point.rank() as usize,
        Color::Black => (Point::RANKS - 1 - point.rank()) as usize,
    }
}

/// Chebyshev distance: king steps between two points if every point had all eight
/// lines.
#[inline]
pub(super) fn distance(a: Point, b: Point) -> i32 {
    i32::from(a.distance(b))
}

/// The king ring: the point and its eight neighbours, joined by a line or not.
#[inline]
pub(super) fn king_ring(point: Point) -> Bitboard {
    KING_RING[point]
}

/// The passed mask: the points ahead of a pawn, on its file and the adjacent files,
/// from which an enemy pawn can stop it.
#[inline]
pub(super) fn passed_mask(color: Color, point: Point) -> Bitboard {
    PASSED_MASK[color.index()][point]
}

/// The front span: the points straight ahead.
#[inline]
pub(super) fn front_span(color: Color, point: Point) -> Bitboard {
    FRONT_SPAN[color.index()][point]
}

/// The files adjacent to that of a point.
#[inline]
pub(super) fn adjacent_files(point: Point) -> Bitboard {
    ADJACENT_FILES[usize::from(point.file())]
}

static KING_RING: PerPoint<Bitboard> = {
    let mut table = PerPoint([Bitboard::EMPTY; Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        table.0[index] = block(point, [-1, 1], [-1, 1]);
        index += 1;
    }
    table
};

static PASSED_MASK: [PerPoint<Bitboard>; 2] = ahead([-1, 1]);
static FRONT_SPAN: [PerPoint<Bitboard>; 2] = ahead([0, 0]);

const fn ahead(files: [i8; 2]) -> [PerPoint<Bitboard>; 2] {
    let mut tables = [PerPoint([Bitboard::EMPTY; Point::COUNT]); 2];
    let all = Point::RANKS as i8;
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        tables[0].0[index] = block(point, files, [1, all]);
        tables[1].0[index] = block(point, files, [-all, -1]);
        index += 1;
    }
    tables
}

static ADJACENT_FILES: [Bitboard; Point::FILES as usize] = {
    let mut table = [Bitboard::EMPTY; Point::FILES as usize];
    let mut file = 0;
    while file < Point::FILES {
        let all = Point::RANKS as i8;
        let foot = Point::new(file, 0);
        let mut set = block(foot, [-1, -1], [0, all]);
        let mut rank = 0;
        while rank < Point::RANKS {
            if let Some(point) = foot.offset(1, rank as i8) {
                set = set.with(point);
            }
            rank += 1;
        }
        table[file as usize] = set;
        file += 1;
    }
    table
};

/// The points of the board whose distances from `point` lie within both
/// ranges.
const fn block(point: Point, files: [i8; 2], ranks: [i8; 2]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut file = files[0];
    while file <= files[1] {
        let mut rank = ranks[0];
        while rank <= ranks[1] {
            if let Some(point) = point.offset(file, rank) {
                set = set.with(point);
            }
            rank += 1;
        }
        file += 1;
    }
    set
}
