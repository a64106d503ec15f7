//! The cells near a cell: the same position but for one piece, which stands a step or two
//! aside. What is known of them tells most of what there is to know of the cell.

use super::king_pairs::KingPairs;
use super::layout::Layout;
use super::symmetry::IDENTITY;
use crate::chesquerque::{Color, Point};

/// Pieces that are moved aside, the one that the index counts last first.
pub(super) const PIECES: usize = 4;
/// Steps of each of them: one and two points along the rank, one and two ranks down.
pub(super) const STEPS: usize = 4;
/// All neighbours: those, and the first piece's two along diagonals.
pub(super) const NEIGHBOURS: usize = PIECES * STEPS + 2;

/// How many cells back the neighbours of a cell are; 0 where there is none.
pub(super) type Distances = [usize; NEIGHBOURS];

const FILES: usize = Point::FILES as usize;

/// Finds the neighbours of one cell after another.
pub(super) struct Surroundings<'a> {
    layout: &'a Layout,
    /// Cells that differ by the last piece only.
    row_size: usize,
    row: usize,
    /// Neighbours by the other pieces, the same for the whole row.
    outer: Distances,
}

impl<'a> Surroundings<'a> {
    /// For the cells of a table.
    pub fn new(layout: &'a Layout) -> Surroundings<'a> {
        let row_size = if layout.pieces.is_empty() { 1 } else { Point::COUNT };
        Surroundings { layout, row_size, row: usize::MAX, outer: [0; NEIGHBOURS] }
    }

    /// Where the last piece of a cell stands; the first point if there are only pawns.
    pub fn point(&self, index: usize) -> usize {
        index % self.row_size
    }

    /// The neighbours of a cell.
    #[inline]
    pub fn of(&mut self, index: usize) -> Distances {
        if index / self.row_size != self.row {
            self.row = index / self.row_size;
            self.outer = self.outer_of(self.row * self.row_size);
        }
        let mut distances = self.outer;
        if self.row_size > 1 {
            let (file, rank) = (index % self.row_size % FILES, index % self.row_size / FILES);
            distances[..STEPS].copy_from_slice(&steps(file, rank, 1));
            let diagonal = if file > 0 && rank > 0 { FILES + 1 } else { 0 };
            let other = if file < FILES - 1 && rank > 0 { FILES - 1 } else { 0 };
            distances[NEIGHBOURS - 2] = diagonal;
            distances[NEIGHBOURS - 1] = other;
        }
        distances
    }

    fn outer_of(&self, index: usize) -> Distances {
        let layout = self.layout;
        let mut distances = [0; NEIGHBOURS];
        let (slice, cell) = (index / layout.slice_cells(), index % layout.slice_cells());
        let pair = cell / layout.pair_stride;
        let pieces = layout.strides.iter().rev().skip(1).map(|&stride| {
            let point = cell / stride % Point::COUNT;
            steps(point % FILES, point / FILES, stride)
        });
        let kings = [Color::Black, Color::White].map(|color| self.king_steps(pair, color));
        let pawns = (0..layout.slices.points(slice).len()).map(|pawn| self.pawn_steps(slice, pawn));
        let first = usize::from(self.row_size > 1);
        let places = distances[first * STEPS..PIECES * STEPS].chunks_exact_mut(STEPS);
        for (place, found) in places.zip(pieces.chain(kings).chain(pawns)) {
            place.copy_from_slice(&found);
        }
        distances
    }

    /// Neighbours by a king.
    fn king_steps(&self, pair: usize, color: Color) -> [usize; STEPS] {
        const ASIDE: [(i8, i8); STEPS] = [(-1, 0), (-2, 0), (0, -1), (0, -2)];
        let kings = self.layout.kings;
        ASIDE.map(|(files, ranks)| {
            let mut points = kings.kings(pair);
            let Some(point) = points[color.index()].offset(files, ranks) else { return 0 };
            points[color.index()] = point;
            earlier_pair(kings, pair, points) * self.layout.pair_stride
        })
    }

    /// Neighbours by a pawn: those further on come first.
    fn pawn_steps(&self, slice: usize, pawn: usize) -> [usize; STEPS] {
        let slices = &self.layout.slices;
        let forward = match self.layout.pawn_color(pawn) {
            Color::White => 1,
            Color::Black => -1,
        };
        [(-1, 0), (-2, 0), (0, forward), (0, 2 * forward)].map(|(files, ranks)| {
            let near = slices.beside(slice, pawn, files, ranks);
            near.map_or(0, |near| slice.saturating_sub(near)) * self.layout.slice_cells()
        })
    }
}

/// How many pairs before another a pair of kings comes; 0 where it does not.
fn earlier_pair(kings: &KingPairs, pair: usize, [white, black]: [Point; 2]) -> usize {
    match kings.place(white, black) {
        Some((near, IDENTITY)) => pair.saturating_sub(near as usize),
        _ => 0,
    }
}

/// Neighbours by a piece.
#[inline]
const fn steps(file: usize, rank: usize, stride: usize) -> [usize; STEPS] {
    [
        if file > 0 { stride } else { 0 },
        if file > 1 { 2 * stride } else { 0 },
        if rank > 0 { FILES * stride } else { 0 },
        if rank > 1 { 2 * FILES * stride } else { 0 },
    ]
}
