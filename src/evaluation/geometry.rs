//! Sets of points that the terms ask for, as tables made at compile time.

use crate::position::{Bitboard, Color, PerPoint, Point};

/// Files of half a board: evaluation does not tell left from right.
pub(super) const HALF_FILES: usize = (Point::FILES as usize).div_ceil(2);

/// Steps from the nearer edge file.
#[inline]
pub(super) const fn seen_file(point: Point) -> usize {
    let from_right = Point::FILES - 1 - point.file();
    (if point.file() < from_right { point.file() } else { from_right }) as usize
}

/// A rank as the side sees it, its own first rank being 0.
#[inline]
pub(super) const fn seen_rank(color: Color, point: Point) -> usize {
    match color {
        Color::White => point.rank() as usize,
        Color::Black => (Point::RANKS - 1 - point.rank()) as usize,
    }
}

/// King steps between two points if every point had all eight lines.
#[inline]
pub(super) fn distance(a: Point, b: Point) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// The point and its eight neighbours, joined to it or not.
#[inline]
pub(super) fn zone(point: Point) -> Bitboard {
    ZONE[point]
}

/// The points ahead of a pawn from which an enemy pawn can hinder it: on its
/// file and on both sides.
#[inline]
pub(super) fn passage(color: Color, point: Point) -> Bitboard {
    PASSAGE[color.index()][point]
}

/// The points straight ahead.
#[inline]
pub(super) fn path(color: Color, point: Point) -> Bitboard {
    PATH[color.index()][point]
}

/// The files beside that of a point.
#[inline]
pub(super) fn side_files(point: Point) -> Bitboard {
    SIDE_FILES[usize::from(point.file())]
}

static ZONE: PerPoint<Bitboard> = {
    let mut table = PerPoint([Bitboard::EMPTY; Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        table.0[index] = block(point, [-1, 1], [-1, 1]);
        index += 1;
    }
    table
};

static PASSAGE: [PerPoint<Bitboard>; 2] = ahead([-1, 1]);
static PATH: [PerPoint<Bitboard>; 2] = ahead([0, 0]);

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

static SIDE_FILES: [Bitboard; Point::FILES as usize] = {
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
