//! The rows of a table without pawns.
//!
//! A row covers all points of one piece. The pair of kings and the *slot*, the arrangement of the
//! other pieces (at most two), identify it; the rows of a pair are adjacent, one per slot. Two
//! equal pieces are always the others, and both their orders share a slot.

use std::sync::Arc;

use arrayvec::ArrayVec;
use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point, Position};

use super::row::{ALL, Row, single};
use super::{KingPairs, Layout, Placed, Placement};
use crate::generator::solved_table::{SolvedTables, look_up};
use crate::value::{CLOCK, Entry};

/// The most pieces besides the kings and the row's piece.
pub const MAX_OTHERS: usize = 2;
/// The points of the other pieces; missing ones are on the first point.
pub type OtherPoints = [Point; MAX_OTHERS];
pub const NOWHERE: OtherPoints = [Point::new(0, 0); MAX_OTHERS];

pub type Kind = (Color, PieceKind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPlace {
    pub pair: usize,
    pub slot: usize,
}

pub struct RowLayout {
    pub cells: Layout,
    pub kings: &'static KingPairs,
    /// The pieces besides the kings and the row's piece.
    pub others: ArrayVec<Kind, MAX_OTHERS>,
    pub row_piece: Kind,
    /// Whether the two other pieces are equal.
    pub is_folded: bool,
    /// Index strides of the points of the other pieces, and of the row's piece.
    strides: ([usize; MAX_OTHERS], usize),
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
    /// The rows of a table without pawns and with one to three pieces besides the kings; none for
    /// other tables.
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
        let row_piece = order.pop()?;
        let others: ArrayVec<Kind, MAX_OTHERS> = order.iter().map(|&at| cells.pieces[at]).collect();
        let mut strides = ([0; MAX_OTHERS], cells.strides[row_piece]);
        for (stride, &at) in strides.0.iter_mut().zip(&order) {
            *stride = cells.strides[at];
        }
        let (points, slots_by_point) = slots(order.len(), is_folded);
        let kings = KingPairs::get(true);
        let set = |points: &[Point]| points.iter().copied().collect::<Bitboard>();
        Some(RowLayout {
            taken_by_others: points.iter().map(|points| set(&points[..others.len()])).collect(),
            taken_by_kings: (0..kings.count()).map(|pair| set(&kings.kings(pair))).collect(),
            kings,
            others,
            row_piece: cells.pieces[row_piece],
            is_folded,
            strides,
            points,
            slots_by_point,
            cells,
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
        pair * self.cells.pair_stride + others + row_point.index() * self.strides.1
    }

    /// The points of the row by which positions are looked up: of equal pieces, the one on the
    /// lower point comes first.
    pub fn canonical(&self, points: OtherPoints) -> Row {
        if self.others.last() != Some(&self.row_piece) {
            return ALL;
        }
        let equal = |(kind, _): &(&Kind, Point)| **kind == self.row_piece;
        let equal_others = self.others.iter().zip(points).filter(equal);
        equal_others.fold(ALL, |canonical, (_, point)| canonical & (ALL << point.index()))
    }
}

/// The slots of this many pieces: their points, and the slot by points.
fn slots(pieces: usize, is_folded: bool) -> (Vec<OtherPoints>, Vec<[u16; Point::COUNT]>) {
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
                    if first == second || (is_folded && second < first) {
                        continue;
                    }
                    let slot = points.len() as u16;
                    points.push([first, second]);
                    let mut place = |first: Point, second: Point| {
                        slots_by_point[second.index()][first.index()] = slot;
                        slots_by_point[Point::COUNT + first.index()][second.index()] = slot;
                    };
                    place(first, second);
                    if is_folded {
                        place(second, first);
                    }
                }
            }
        }
    }
    (points, slots_by_point)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    Mate,
    /// Plies to the next capture or mate.
    Zeroing,
}

impl Metric {
    pub const ALL: [Metric; 2] = [Metric::Mate, Metric::Zeroing];

    /// The ply at which a position after a capture counts as decided; the capture itself takes one
    /// more ply.
    fn delay(self, entry: Entry) -> u16 {
        match self {
            Metric::Mate => entry.dtm.plies(),
            Metric::Zeroing if entry.dtz.plies() > CLOCK => CLOCK,
            Metric::Zeroing => 0,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captured {
    /// One of the other pieces.
    Other(usize),
    /// The one that moves along the row.
    RowPiece,
}

/// A result for the side to move, whose piece was captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    Won,
    Lost,
}

impl Decided {
    pub const fn for_other(self) -> Decided {
        match self {
            Decided::Won => Decided::Lost,
            Decided::Lost => Decided::Won,
        }
    }
}

/// The positions of a smaller table after the side to move has lost a piece.
///
/// Their rows are stored for each remaining piece: one row per pair of kings and point of the other
/// piece.
#[derive(Clone)]
pub struct AfterCapture {
    pub captured: Captured,
    /// The side to move, whose piece was captured.
    pub side: Color,
    /// The remaining pieces, in the order of the larger table, the row's piece last.
    left: ArrayVec<Kind, MAX_OTHERS>,
    /// Positions not yet known to be won for the side to move, by the piece along the row.
    not_yet_won: [Vec<Row>; MAX_OTHERS],
    now: [LastDecided; 2],
    events: [Vec<Vec<u32>>; 2],
}

#[derive(Clone)]
struct LastDecided {
    rows: [Vec<Row>; MAX_OTHERS],
    /// By pair of kings, whether there are any.
    is_any: Vec<bool>,
}

impl AfterCapture {
    /// The positions after captures of either side's pieces, for each of [`Metric::ALL`].
    pub fn all(layout: &RowLayout, children: &SolvedTables<Position>) -> [Vec<AfterCapture>; 2] {
        // Equal pieces share one entry.
        let others = if layout.is_folded { 1 } else { layout.others.len() };
        let captured = (0..others).map(Captured::Other).chain([Captured::RowPiece]);
        let both = captured.map(|it| AfterCapture::both(layout, it, children));
        let (mates, zeroings) = both.map(|[mates, zeroings]| (mates, zeroings)).unzip();
        [mates, zeroings]
    }

    /// The positions that the capture of a piece leads to, for each metric.
    fn both(
        layout: &RowLayout,
        captured: Captured,
        children: &SolvedTables<Position>,
    ) -> [AfterCapture; 2] {
        let mut left: ArrayVec<Kind, 3> = layout.others.iter().copied().collect();
        left.push(layout.row_piece);
        let (side, _) = left.remove(match captured {
            Captured::Other(piece) => piece,
            Captured::RowPiece => left.len() - 1,
        });
        let left: ArrayVec<Kind, MAX_OTHERS> = left.into_iter().collect();
        let pairs = layout.kings.count();
        let lines = if left.len() == 2 { pairs * Point::COUNT } else { pairs };
        let empty =
            || std::array::from_fn(|piece| vec![0; if piece < left.len() { lines } else { 0 }]);
        let now = [(); 2].map(|()| LastDecided { rows: empty(), is_any: vec![false; pairs] });
        let (not_yet_won, events) = (empty(), Default::default());
        let mut after = AfterCapture { captured, side, left, not_yet_won, now, events };
        let mut events: [[Vec<Vec<u32>>; 2]; 2] = Default::default();
        // Bare kings never win, so nothing is stored.
        let cells = if after.left.is_empty() {
            0
        } else {
            pairs * Point::COUNT.pow(after.left.len() as u32)
        };
        for cell in 0..cells as u32 {
            let (pair, points) = after.place(cell);
            let Some(entry) = after.entry(layout, pair, points, children) else { continue };
            after.put(pair, points);
            let decided = match entry.dtm {
                it if it.is_win() => Decided::Won,
                it if it.is_loss() => Decided::Lost,
                _ => continue,
            };
            for (events, metric) in events.iter_mut().zip(Metric::ALL) {
                let events = &mut events[decided as usize];
                let ply = usize::from(metric.delay(entry));
                if events.len() <= ply {
                    events.resize_with(ply + 1, Vec::new);
                }
                events[ply].push(cell);
            }
        }
        events.map(|events| AfterCapture { events, ..after.clone() })
    }

    /// The entry of a position after the capture; none if there is no such position.
    fn entry(
        &self,
        layout: &RowLayout,
        pair: usize,
        points: OtherPoints,
        children: &SolvedTables<Position>,
    ) -> Option<Entry> {
        let [white, black] = layout.kings.kings(pair);
        let mut placement = Placement::kings(white, black);
        for (&(color, kind), point) in self.left.iter().zip(points) {
            if placement.occupied.contains(point) {
                return None;
            }
            placement.add(Placed { color, kind, point });
        }
        Some(look_up(&placement, self.side, |it| children.get(&it).map(Arc::as_ref)))
            .filter(|entry| !entry.dtm.is_invalid())
    }

    fn place(&self, cell: u32) -> (usize, OtherPoints) {
        let mut points = NOWHERE;
        let mut rest = cell as usize;
        for at in (0..self.left.len()).rev() {
            if let Some(point) = Point::from_index(rest % Point::COUNT) {
                points[at] = point;
            }
            rest /= Point::COUNT;
        }
        (rest, points)
    }

    fn put(&mut self, pair: usize, points: OtherPoints) {
        for piece in 0..self.left.len() {
            let line = self.line(pair, points[1 - piece]);
            self.not_yet_won[piece][line] |= single(points[piece]);
        }
    }

    #[inline]
    fn line(&self, pair: usize, other: Point) -> usize {
        if self.left.len() == 2 { pair * Point::COUNT + other.index() } else { pair }
    }

    /// The index of the last remaining piece: the larger table's row, unless that was captured.
    #[inline]
    pub fn last_piece(&self) -> usize {
        self.left.len() - 1
    }

    pub fn last_ply(&self) -> usize {
        self.events.iter().map(|plies| plies.len().saturating_sub(1)).max().unwrap_or(0)
    }

    pub fn advance(&mut self, ply: usize) {
        for decided in [Decided::Won, Decided::Lost] {
            for (pair, is_any) in self.now[decided as usize].is_any.iter_mut().enumerate() {
                if std::mem::take(is_any) {
                    let lines = if self.left.len() == 2 { Point::COUNT } else { 1 };
                    for rows in &mut self.now[decided as usize].rows[..self.left.len()] {
                        rows[pair * lines..][..lines].fill(0);
                    }
                }
            }
            let cells = self.events[decided as usize].get_mut(ply).map(std::mem::take);
            for cell in cells.unwrap_or_default() {
                let (pair, points) = self.place(cell);
                self.now[decided as usize].is_any[pair] = true;
                for piece in 0..self.left.len() {
                    let line = self.line(pair, points[1 - piece]);
                    self.now[decided as usize].rows[piece][line] |= single(points[piece]);
                    if decided == Decided::Won {
                        self.not_yet_won[piece][line] &= !single(points[piece]);
                    }
                }
            }
        }
    }

    /// Whether anything was decided in the last ply with these kings.
    #[inline]
    pub fn is_any_now(&self, decided: Decided, pair: usize) -> bool {
        self.now[decided as usize].is_any[pair]
    }

    /// The positions decided in the last ply, as a row of one remaining piece, the other fixed.
    #[inline]
    pub fn now(&self, decided: Decided, piece: usize, pair: usize, other: Point) -> Row {
        self.now[decided as usize].rows[piece][self.line(pair, other)]
    }

    /// Positions not yet known to be won for the side to move.
    #[inline]
    pub fn not_yet_won(&self, piece: usize, pair: usize, other: Point) -> Row {
        self.not_yet_won[piece][self.line(pair, other)]
    }

    /// Whether a position is not yet known to be won for the side to move. Bare kings never win.
    #[inline]
    pub fn is_unwon(&self, pair: usize, points: OtherPoints) -> bool {
        match self.left.len() {
            0 => true,
            1 => self.not_yet_won[0][pair] & single(points[0]) != 0,
            _ => self.not_yet_won(1, pair, points[0]) & single(points[1]) != 0,
        }
    }

    pub fn pieces(&self) -> usize {
        self.left.len()
    }
}
