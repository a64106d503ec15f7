//! The rows of a slice of a table: of an arrangement of its pawns, if it has any.
//!
//! A row covers all points of one piece. The pair of kings and the *slot*, the arrangement of the
//! other pieces (at most two), identify it; the rows of a pair are adjacent, one per slot. Of
//! three pieces, two equal ones are always the others, and both their orders share a slot. Of two
//! equal pieces one is the row's: see [`RowLayout::canonical`].

use arrayvec::ArrayVec;
use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point};

use super::row::{ALL, Row};
use super::{KingPairs, Layout};

/// The most pieces besides kings, pawns and the row's piece.
pub const MAX_SLOT_PIECES: usize = 2;
/// The points of the other pieces; missing ones are on the first point.
pub type OtherPoints = [Point; MAX_SLOT_PIECES];
pub const NOWHERE: OtherPoints = [Point::new(0, 0); MAX_SLOT_PIECES];

pub type ColoredKind = (Color, PieceKind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPlace {
    pub pair: usize,
    pub slot: usize,
}

pub struct RowLayout {
    pub kings: &'static KingPairs,
    pub pair_stride: usize,
    /// The pieces besides kings, pawns and the row's piece.
    pub others: ArrayVec<ColoredKind, MAX_SLOT_PIECES>,
    pub row_piece: ColoredKind,
    /// Whether the two other pieces are equal.
    pub has_equal_others: bool,
    /// Index strides of the points of the other pieces, and of the row's piece.
    strides: ([usize; MAX_SLOT_PIECES], usize),
    /// The points of the other pieces, for each slot.
    points: Vec<OtherPoints>,
    taken_by_others: Vec<Bitboard>,
    taken_by_kings: Vec<Bitboard>,
    /// For each other piece and each point of its partner, the slots by its own point.
    slots_by_point: Vec<[u16; Point::COUNT]>,
}

/// No slot: two pieces are on one point.
const NO_SLOT: u16 = u16::MAX;

impl RowLayout {
    /// The rows of a table with one to three pieces besides kings and pawns; none for other tables.
    pub fn new(table_layout: &Layout) -> Option<RowLayout> {
        if table_layout.pieces.is_empty() || table_layout.pieces.len() > 3 {
            return None;
        }
        let mut order: ArrayVec<usize, 3> = (0..table_layout.pieces.len()).collect();
        let has_equal_others = order.len() == 3 && {
            let equal = |a: usize, b: usize| table_layout.pieces[a] == table_layout.pieces[b];
            if !equal(0, 1) && equal(1, 2) {
                order.rotate_left(1);
            }
            equal(order[0], order[1])
        };
        let row_piece = order.pop()?;
        let others: ArrayVec<ColoredKind, MAX_SLOT_PIECES> =
            order.iter().map(|&at| table_layout.pieces[at]).collect();
        let mut strides = ([0; MAX_SLOT_PIECES], table_layout.strides[row_piece]);
        for (stride, &at) in strides.0.iter_mut().zip(&order) {
            *stride = table_layout.strides[at];
        }
        let (points, slots_by_point) = slots(order.len(), has_equal_others);
        let kings = table_layout.kings;
        let set = |points: &[Point]| points.iter().copied().collect::<Bitboard>();
        Some(RowLayout {
            taken_by_others: points.iter().map(|points| set(&points[..others.len()])).collect(),
            taken_by_kings: (0..kings.count()).map(|pair| set(&kings.kings(pair))).collect(),
            kings,
            others,
            row_piece: table_layout.pieces[row_piece],
            has_equal_others,
            strides,
            points,
            slots_by_point,
            pair_stride: table_layout.pair_stride,
        })
    }

    pub fn slots(&self) -> usize {
        self.points.len()
    }

    pub fn places(&self) -> impl Iterator<Item = RowPlace> + use<> {
        let slots = self.slots();
        (0..self.kings.count())
            .flat_map(move |pair| (0..slots).map(move |slot| RowPlace { pair, slot }))
    }

    #[inline]
    pub fn points(&self, slot: usize) -> OtherPoints {
        self.points[slot]
    }

    /// The slots by the point of one of the other pieces, with its partner fixed.
    #[inline]
    pub fn slots_by_point(&self, piece: usize, points: OtherPoints) -> &[u16; Point::COUNT] {
        let other = if self.others.len() == 2 { points[1 - piece].index() } else { 0 };
        &self.slots_by_point[piece * Point::COUNT + other]
    }

    /// The slot with the other pieces on these points.
    #[inline]
    pub fn slot(&self, points: OtherPoints) -> usize {
        match self.others.len() {
            0 => 0,
            1 => points[0].index(),
            _ => usize::from(self.slots_by_point(1, points)[points[1].index()]),
        }
    }

    /// The points of kings and other pieces; none if two share one.
    #[inline]
    pub fn fixed(&self, pair: usize, slot: usize) -> Option<Bitboard> {
        let (kings, others) = (self.taken_by_kings[pair], self.taken_by_others[slot]);
        (kings & others).is_empty().then(|| kings | others)
    }

    pub fn cell(&self, pair: usize, points: OtherPoints, row_point: Point) -> usize {
        let others: usize =
            points.iter().zip(&self.strides.0).map(|(point, stride)| point.index() * stride).sum();
        pair * self.pair_stride + others + row_point.index() * self.strides.1
    }

    /// The points of the row by which positions are looked up: of equal pieces, the one on the
    /// lower point comes first.
    pub fn canonical(&self, points: OtherPoints) -> Row {
        if self.others.last() != Some(&self.row_piece) {
            return ALL;
        }
        let equal = |(kind, _): &(&ColoredKind, Point)| **kind == self.row_piece;
        let equal_others = self.others.iter().zip(points).filter(equal);
        equal_others.fold(ALL, |canonical, (_, point)| canonical & (ALL << point.index()))
    }
}

/// The slots of this many pieces: their points, and the slot by points.
fn slots(pieces: usize, has_equal_others: bool) -> (Vec<OtherPoints>, Vec<[u16; Point::COUNT]>) {
    let mut points = Vec::new();
    let mut slots_by_point = vec![[NO_SLOT; Point::COUNT]; pieces * Point::COUNT];
    let [none, _] = NOWHERE;
    match pieces {
        0 => points.push(NOWHERE),
        1 => {
            for point in Point::all() {
                slots_by_point[0][point.index()] = points.len() as u16;
                points.push([point, none]);
            }
        }
        _ => {
            for first in Point::all() {
                for second in Point::all() {
                    if first == second || (has_equal_others && second < first) {
                        continue;
                    }
                    let slot = points.len() as u16;
                    points.push([first, second]);
                    let mut put = |first: Point, second: Point| {
                        slots_by_point[second.index()][first.index()] = slot;
                        slots_by_point[Point::COUNT + first.index()][second.index()] = slot;
                    };
                    put(first, second);
                    if has_equal_others {
                        put(second, first);
                    }
                }
            }
        }
    }
    (points, slots_by_point)
}

/// A result for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    Won,
    Lost,
}
