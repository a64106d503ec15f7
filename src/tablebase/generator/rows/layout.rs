//! Which rows a table without pawns has.
//!
//! One piece moves along the row. The others, at most two, and the pair of kings number
//! the rows: those of a pair lie together, one for each way the others can stand, which is
//! a *slot*. Two equal pieces are not told apart: where the table has any, they are those
//! beside the row, and their slots count once.

use arrayvec::ArrayVec;

use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point};

use super::KingPairs;
use super::Layout;
use super::row::{ALL, Row};

/// The most pieces beside kings and row.
pub const MAX_BESIDE: usize = 2;
/// Where the pieces beside the row stand; what there is not stands on the first point.
pub type Beside = [Point; MAX_BESIDE];
/// Where there is none.
pub const NOWHERE: Beside = [Point::new(0, 0); MAX_BESIDE];

/// A piece of a table.
pub type Kind = (Color, PieceKind);

/// Which row of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPlace {
    /// The pair of kings.
    pub pair: usize,
    /// How the pieces beside stand.
    pub slot: usize,
}

/// The rows of one table.
pub struct RowLayout {
    /// The numbers that positions have in the table.
    pub cells: Layout,
    /// Where the kings can stand.
    pub kings: &'static KingPairs,
    /// The pieces beside kings and row.
    pub beside: ArrayVec<Kind, MAX_BESIDE>,
    /// The piece that moves along the row.
    pub along: Kind,
    /// Whether the two pieces beside are equal, and so not told apart.
    pub is_folded: bool,
    /// By how much a cell grows with the point of each piece beside, and of the row's.
    strides: ([usize; MAX_BESIDE], usize),
    /// Where the pieces beside stand in each slot.
    points: Vec<Beside>,
    /// The same as sets.
    taken_beside: Vec<Bitboard>,
    /// Where the kings of each pair stand.
    taken_by_kings: Vec<Bitboard>,
    /// For each piece beside and each point of the other, the slots by its own point.
    lines: Vec<[u16; Point::COUNT]>,
}

/// No slot: two pieces on one point.
const NO_SLOT: u16 = u16::MAX;

impl RowLayout {
    /// The rows of a table without pawns with at most three pieces beside the kings; none
    /// for others.
    pub fn new(cells: Layout) -> Option<RowLayout> {
        if cells.material.has_pawns() || cells.pieces.is_empty() || cells.pieces.len() > 3 {
            return None;
        }
        let mut order: ArrayVec<usize, 3> = (0..cells.pieces.len()).collect();
        let is_folded = order.len() == 3 && {
            let equal = |a: usize, b: usize| cells.pieces[a] == cells.pieces[b];
            if !equal(0, 1) && equal(1, 2) {
                order.rotate_left(1);
            }
            equal(order[0], order[1])
        };
        let along = order.pop()?;
        let beside: ArrayVec<Kind, MAX_BESIDE> = order.iter().map(|&at| cells.pieces[at]).collect();
        let mut strides = ([0; MAX_BESIDE], cells.strides[along]);
        for (stride, &at) in strides.0.iter_mut().zip(&order) {
            *stride = cells.strides[at];
        }
        let (points, lines) = slots(order.len(), is_folded);
        let kings = KingPairs::get(true);
        let set = |points: &[Point]| points.iter().copied().collect::<Bitboard>();
        Some(RowLayout {
            taken_beside: points.iter().map(|points| set(&points[..beside.len()])).collect(),
            taken_by_kings: (0..kings.count()).map(|pair| set(&kings.kings(pair))).collect(),
            kings,
            beside,
            along: cells.pieces[along],
            is_folded,
            strides,
            points,
            lines,
            cells,
        })
    }

    /// How many slots a pair has.
    pub fn slots(&self) -> usize {
        self.points.len()
    }

    /// All rows, those of a pair together.
    pub fn places(&self) -> impl Iterator<Item = RowPlace> + use<> {
        let slots = self.slots();
        (0..self.kings.count())
            .flat_map(move |pair| (0..slots).map(move |slot| RowPlace { pair, slot }))
    }

    /// Where the pieces beside stand.
    #[inline]
    pub fn points(&self, slot: usize) -> Beside {
        self.points[slot]
    }

    /// The slots by the point of a piece beside, the other standing still.
    #[inline]
    pub fn line(&self, piece: usize, points: Beside) -> &[u16; Point::COUNT] {
        let other = if self.beside.len() == 2 { points[1 - piece].index() } else { 0 };
        &self.lines[piece * Point::COUNT + other]
    }

    /// The slot in which the pieces beside stand on these points.
    #[inline]
    pub fn slot(&self, points: Beside) -> usize {
        match self.beside.len() {
            0 => 0,
            1 => points[0].index(),
            _ => usize::from(self.lines[Point::COUNT + points[0].index()][points[1].index()]),
        }
    }

    /// The points that kings and pieces beside take; none where two would share one.
    #[inline]
    pub fn fixed(&self, pair: usize, slot: usize) -> Option<Bitboard> {
        let (kings, beside) = (self.taken_by_kings[pair], self.taken_beside[slot]);
        (kings & beside).is_empty().then(|| kings | beside)
    }

    /// The number that a position has in the table.
    pub fn cell(&self, pair: usize, points: Beside, along: Point) -> usize {
        let beside: usize =
            points.iter().zip(&self.strides.0).map(|(point, stride)| point.index() * stride).sum();
        pair * self.cells.pair_stride + beside + along.index() * self.strides.1
    }

    /// The points of the row by whose numbers positions are looked up: of equal pieces the
    /// one on the lower point comes first.
    pub fn asked(&self, points: Beside) -> Row {
        if self.beside.last() != Some(&self.along) {
            return ALL;
        }
        let equal = |(kind, _): &(&Kind, Point)| **kind == self.along;
        let beside = self.beside.iter().zip(points).filter(equal);
        beside.fold(ALL, |asked, (_, point)| asked & (ALL << point.index()))
    }
}

/// The slots of this many pieces: where these stand, and which slot has which points.
fn slots(pieces: usize, is_folded: bool) -> (Vec<Beside>, Vec<[u16; Point::COUNT]>) {
    let mut points = Vec::new();
    let mut lines = vec![[NO_SLOT; Point::COUNT]; pieces * Point::COUNT];
    let [none, _] = NOWHERE;
    match pieces {
        0 => points.push(NOWHERE),
        1 => {
            for point in Point::all() {
                lines[0][point.index()] = points.len() as u16;
                points.push([point, none]);
            }
        }
        _ => {
            for first in Point::all() {
                for second in Point::all() {
                    if first == second || (is_folded && second < first) {
                        continue;
                    }
                    let slot = points.len() as u16;
                    points.push([first, second]);
                    let mut place = |first: Point, second: Point| {
                        lines[second.index()][first.index()] = slot;
                        lines[Point::COUNT + first.index()][second.index()] = slot;
                    };
                    place(first, second);
                    if is_folded {
                        place(second, first);
                    }
                }
            }
        }
    }
    (points, lines)
}
