//! Rows: the points of one piece as bits, with all other pieces fixed.

use once_cell::race::OnceBox;

use qirkat_rules::chesquerque::{Bitboard, PieceKind, Point, Position, piece_attacks};

use super::Symmetries;
use crate::chess_game::ChessBoardGame;

/// One bit for each point of a piece, `a1` lowest: a [`Bitboard`] as a plain number, since it is
/// shifted and masked all the time.
pub type Row = u128;

pub const ALL: Row = (1 << Point::COUNT) - 1;
const FILES: u32 = Point::FILES as u32;
const RANK: Row = (1 << Point::FILES) - 1;

const NOT_FIRST_FILE: Row = ALL & !row(Bitboard::file(0));
const NOT_LAST_FILE: Row = ALL & !row(Bitboard::file(Point::FILES - 1));
const DIAGONAL: Row = row(Bitboard::DIAGONAL);
const PLAIN: Row = row(Bitboard::PLAIN);

#[inline]
pub fn single(point: Point) -> Row {
    row(point.bit())
}

#[inline]
pub const fn row(set: Bitboard) -> Row {
    let [low, high] = set.halves();
    (high as u128) << 64 | low as u128
}

/// The points of a row, lowest first.
#[inline]
pub fn points(row: Row) -> impl Iterator<Item = Point> {
    let mut left = row;
    std::iter::from_fn(move || {
        let point = Point::from_index(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(point)
    })
}

/// A direction, in which rows are shifted by one, two or four steps.
#[derive(Clone, Copy)]
struct Direction {
    is_left_shift: bool,
    by: u32,
    /// The points that such a step can reach without wrapping around the board's edge.
    onto: Row,
}

const NORTH: Direction = Direction { is_left_shift: true, by: FILES, onto: ALL };
const SOUTH: Direction = Direction { is_left_shift: false, by: FILES, onto: ALL };
const EAST: Direction = Direction { is_left_shift: true, by: 1, onto: NOT_FIRST_FILE };
const WEST: Direction = Direction { is_left_shift: false, by: 1, onto: NOT_LAST_FILE };
const NORTH_EAST: Direction =
    Direction { is_left_shift: true, by: FILES + 1, onto: NOT_FIRST_FILE };
const NORTH_WEST: Direction = Direction { is_left_shift: true, by: FILES - 1, onto: NOT_LAST_FILE };
const SOUTH_EAST: Direction =
    Direction { is_left_shift: false, by: FILES - 1, onto: NOT_FIRST_FILE };
const SOUTH_WEST: Direction =
    Direction { is_left_shift: false, by: FILES + 1, onto: NOT_LAST_FILE };

impl Direction {
    #[inline(always)]
    fn shift(self, row: Row, steps: u32) -> Row {
        if self.is_left_shift { row << (self.by * steps) } else { row >> (self.by * steps) }
    }

    #[inline(always)]
    fn step(self, row: Row) -> Row {
        self.shift(row, 1) & self.onto
    }

    /// Slides over empty points: a Kogge-Stone fill, eight steps in three rounds.
    #[inline(always)]
    fn slide(self, row: Row, empty: Row) -> Row {
        let mut open = empty & self.onto;
        let mut reached = self.shift(row, 1) & open;
        reached |= self.shift(reached, 1) & open;
        open &= self.shift(open, 1);
        reached |= self.shift(reached, 2) & open;
        open &= self.shift(open, 2);
        reached | (self.shift(reached, 4) & open)
    }
}

/// Up to this many points are moved one by one, which is faster.
const FEW: u32 = 2;

/// The points that a piece can reach from one of `from` with the `fixed` points occupied. Since moves
/// can be reversed, these are also the points from which it can reach one of `from`.
pub fn reached(kind: PieceKind, from: Row, fixed: Bitboard) -> Row {
    if from.count_ones() <= FEW {
        return points(from).fold(0, |all, point| all | row(piece_attacks(kind, point, fixed)));
    }
    let empty = row(!fixed);
    match kind {
        PieceKind::Queen => orthogonal_slides(from, empty) | diagonal_slides(from, empty),
        PieceKind::Archbishop => {
            diagonal_slides(from, empty) | orthogonal_steps(from) | leaps(from, empty)
        }
        PieceKind::Rook => orthogonal_slides(from, empty) | diagonal_steps(from),
        PieceKind::Bishop => diagonal_slides(from, empty) | orthogonal_steps(from),
        PieceKind::Knight => leaps(from, empty),
        PieceKind::King => orthogonal_steps(from) | diagonal_steps(from),
        PieceKind::Pawn => 0,
    }
}

#[inline(always)]
fn orthogonal_slides(from: Row, empty: Row) -> Row {
    NORTH.slide(from, empty)
        | SOUTH.slide(from, empty)
        | EAST.slide(from, empty)
        | WEST.slide(from, empty)
}

#[inline(always)]
fn diagonal_slides(from: Row, empty: Row) -> Row {
    let from = from & DIAGONAL;
    NORTH_EAST.slide(from, empty)
        | NORTH_WEST.slide(from, empty)
        | SOUTH_EAST.slide(from, empty)
        | SOUTH_WEST.slide(from, empty)
}

#[inline(always)]
fn orthogonal_steps(from: Row) -> Row {
    NORTH.step(from) | SOUTH.step(from) | EAST.step(from) | WEST.step(from)
}

#[inline(always)]
fn diagonal_steps(from: Row) -> Row {
    let from = from & DIAGONAL;
    NORTH_EAST.step(from) | NORTH_WEST.step(from) | SOUTH_EAST.step(from) | SOUTH_WEST.step(from)
}

/// A knight passes a leg: an orthogonal neighbour of a plain point, or a diagonal one of a diagonal
/// point. So a row is shifted to legs in eight directions, and from each leg in two.
#[inline(always)]
fn leaps(from: Row, empty: Row) -> Row {
    let (plain, diagonal) = (from & PLAIN, from & DIAGONAL);
    let mut reached = 0;
    for (leg, beyond) in [
        (NORTH, [NORTH_EAST, NORTH_WEST]),
        (SOUTH, [SOUTH_EAST, SOUTH_WEST]),
        (EAST, [NORTH_EAST, SOUTH_EAST]),
        (WEST, [NORTH_WEST, SOUTH_WEST]),
    ] {
        let legs = leg.step(plain) & empty;
        reached |= beyond[0].step(legs) | beyond[1].step(legs);
    }
    for (leg, beyond) in [
        (NORTH_EAST, [NORTH, EAST]),
        (NORTH_WEST, [NORTH, WEST]),
        (SOUTH_EAST, [SOUTH, EAST]),
        (SOUTH_WEST, [SOUTH, WEST]),
    ] {
        let legs = leg.step(diagonal) & empty;
        reached |= beyond[0].step(legs) | beyond[1].step(legs);
    }
    reached
}

/// The images of ranks under symmetries: unchanged or mirrored, horizontal or vertical.
struct RankImages([[Row; 1 << Point::FILES]; 4]);

impl RankImages {
    fn get() -> &'static RankImages {
        static IMAGES: OnceBox<RankImages> = OnceBox::new();
        IMAGES.get_or_init(|| {
            let turned = |how: usize, rank: usize| -> Row {
                let files = (0..Point::FILES).filter(|&file| rank >> file & 1 != 0);
                files.fold(0, |row, file| {
                    let at = if how & 1 != 0 { Point::FILES - 1 - file } else { file };
                    row | 1 << if how & 2 != 0 { at * Point::FILES } else { at }
                })
            };
            Box::new(RankImages(std::array::from_fn(|how| {
                std::array::from_fn(|rank| turned(how, rank))
            })))
        })
    }
}

/// Images of points and rows under the symmetries.
#[derive(Clone, Copy)]
pub struct RowSymmetries {
    ranks: &'static RankImages,
    symmetries: &'static Symmetries,
}

impl RowSymmetries {
    pub fn new() -> RowSymmetries {
        RowSymmetries { ranks: RankImages::get(), symmetries: Symmetries::get() }
    }

    #[inline]
    pub fn point(self, symmetry: u8, point: Point) -> Point {
        self.symmetries.image(symmetry, point)
    }

    #[inline]
    pub fn row(self, symmetry: u8, row: Row) -> Row {
        debug_assert!(usize::from(symmetry) < <Position as ChessBoardGame>::SYMMETRIES);
        if symmetry == 0 {
            return row;
        }
        let is_upright = symmetry & 4 != 0;
        let ranks = &self.ranks.0[usize::from(symmetry & 1 | (symmetry & 4) >> 1)];
        let mut turned = 0;
        let mut left = row;
        let mut rank = 0;
        while left != 0 {
            let files = (left & RANK) as usize;
            left >>= Point::FILES;
            if files != 0 {
                let to = if symmetry & 2 != 0 { Point::RANKS - 1 - rank } else { rank };
                let by = if is_upright { to } else { to * Point::FILES };
                turned |= ranks[files] << by;
            }
            rank += 1;
        }
        turned
    }
}

/// The points between the start and the target of a move. Different kinds of pieces that can make
/// the same move take the same path.
pub struct Paths(Vec<Row>);

impl Paths {
    pub fn get() -> &'static Paths {
        static PATHS: OnceBox<Paths> = OnceBox::new();
        PATHS.get_or_init(|| Box::new(Paths::new()))
    }

    fn new() -> Paths {
        let mut paths = vec![0; Point::COUNT * Point::COUNT];
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::Pawn) {
            for from in Point::all() {
                let open = piece_attacks(kind, from, Bitboard::EMPTY);
                for between in Point::all().filter(|&it| it != from) {
                    for to in open & !piece_attacks(kind, from, between.bit()) {
                        paths[from.index() * Point::COUNT + to.index()] |= single(between);
                    }
                }
            }
        }
        Paths(paths)
    }

    /// The points that must be empty for a piece on `from` to capture on `to`; none if it cannot do
    /// so even on an empty board.
    #[inline]
    pub fn between(&self, kind: PieceKind, from: Point, to: Point) -> Option<Row> {
        let attacks = piece_attacks(kind, from, Bitboard::EMPTY);
        attacks.contains(to).then(|| self.0[from.index() * Point::COUNT + to.index()])
    }

    /// Visits each point that a piece can reach with the `fixed` ones occupied, with the points
    /// that must be empty for that, the target included.
    #[inline(always)]
    pub fn visit(
        &self,
        kind: PieceKind,
        from: Point,
        fixed: Bitboard,
        mut visit: impl FnMut(Point, Row),
    ) {
        let paths = &self.0[from.index() * Point::COUNT..][..Point::COUNT];
        for to in piece_attacks(kind, from, fixed) & !fixed {
            visit(to, paths[to.index()] | single(to));
        }
    }
}
