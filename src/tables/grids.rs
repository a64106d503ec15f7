//! Where the cells of tables lie that are no [`frames`](super::frames).
//!
//! Two pieces go everywhere in a *grid*, all else stands still. A block is a few grids,
//! one upon another: *layers* that differ by one piece, which stands a step further in
//! each. So most cells have neighbours on all sides that differ by one step of one piece,
//! and [`neighbours`](super::neighbours) can guess from them.
//!
//! | tables | a block | its layers | a grid |
//! |---|---|---|---|
//! | without pawns | White's king, the rank and a third of the files of Black's, all pieces but the last two | the file of Black's king | the last two pieces |
//! | with pawns | all but the last pawn's rank and two pieces | that rank, promotion first | the last two pieces, or kings |
//! | three pieces | all | White's king, or the pawn | Black's king and the piece, or the kings |

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use super::layout::Layout;
use super::material::MAX_OTHERS;
use crate::chesquerque::Point;

/// Cells of a grid.
pub(super) const GRID: usize = Point::COUNT * Point::COUNT;

/// Files of Black's king in a block: the more, the less a table takes, and the longer it is
/// to unpack a block.
const FILES: usize = 3;

/// What counts most in the number of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// The slice of the pawns.
    Slice,
    /// The pair of kings.
    Pair,
    /// White's king, where there is only one piece beside the kings.
    King,
}

/// How the grids of a table are numbered.
pub(super) struct Grids {
    head: Head,
    /// For each head, its group and its layer.
    places: Vec<(usize, usize)>,
    /// The heads of each group, one for each layer.
    groups: Vec<Vec<usize>>,
    /// Blocks of a group.
    rows: usize,
    /// Layers of a block.
    layers: usize,
}

impl Grids {
    /// The grids of a table.
    pub fn of(layout: &Layout) -> Grids {
        let head = match layout.pieces.len() {
            _ if layout.material.has_pawns() => Head::Slice,
            1 => Head::King,
            _ => Head::Pair,
        };
        let (heads, rows) = match head {
            Head::Slice => (layout.slices.count(), layout.pair_stride),
            Head::Pair => (layout.kings.count(), layout.pair_stride / GRID),
            Head::King => (Point::COUNT, 1),
        };
        let mut known = BTreeMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut places = Vec::new();
        for number in 0..heads {
            let next = groups.len();
            let group = *known.entry(key(layout, head, number)).or_insert(next);
            if group == next {
                groups.push(Vec::new());
            }
            let is_used = head != Head::King
                || Point::all().any(|black| is_folded(layout, number, black.index()));
            places.push((group, groups[group].len()));
            if is_used {
                groups[group].push(number);
            }
        }
        let layers = groups.iter().map(Vec::len).max().unwrap_or_default();
        Grids { head, places, groups, rows, layers }
    }

    /// Cells of a block.
    pub const fn block_cells(&self) -> usize {
        self.layers * GRID
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.groups.len() * self.rows
    }

    /// The block and the cell of a number of the layout.
    pub fn place(&self, layout: &Layout, index: usize) -> (usize, usize) {
        let stride = layout.pair_stride;
        let (slice, cell) = (index / layout.slice_cells(), index % layout.slice_cells());
        let (pair, rest) = (cell / stride, cell % stride);
        let [white, black] = layout.kings.kings(pair).map(Point::index);
        let (head, at) = match self.head {
            Head::Slice => (slice, (white * Point::COUNT + black) * stride + rest),
            Head::Pair => (pair, rest),
            Head::King => (white, black * stride + rest),
        };
        let (group, layer) = self.places[head];
        (group * self.rows + at / GRID, layer * GRID + at % GRID)
    }

    /// The number of the layout that a cell of a block stands for, if it stands for one.
    pub fn index(&self, layout: &Layout, block: usize, cell: usize) -> Option<usize> {
        let head = *self.groups.get(block / self.rows)?.get(cell / GRID)?;
        let at = block % self.rows * GRID + cell % GRID;
        let stride = layout.pair_stride;
        let (slice, white, black) = match self.head {
            Head::Pair => return Some(head * stride + at),
            Head::Slice => (head, at / stride / Point::COUNT, at / stride % Point::COUNT),
            Head::King => (0, head, at / stride),
        };
        let pair = folded(layout, white, black)?;
        Some(slice * layout.slice_cells() + pair * stride + at % stride)
    }
}

/// What the heads of a group have in common.
fn key(layout: &Layout, head: Head, number: usize) -> ArrayVec<usize, { MAX_OTHERS + 1 }> {
    if layout.material.pieces() == 3 {
        return ArrayVec::new();
    }
    match head {
        Head::Slice => match layout.slices.points(number).split_last() {
            Some((last, others)) => {
                let others = others.iter().map(|point| point.index());
                others.chain([usize::from(last.file())]).collect()
            }
            None => ArrayVec::new(),
        },
        Head::Pair => {
            let [white, black] = layout.kings.kings(number);
            let files = usize::from(black.file()) / FILES;
            [white.index(), usize::from(black.rank()), files].into_iter().collect()
        }
        Head::King => [number].into_iter().collect(),
    }
}

/// The pair of kings on two points, if they are what the pair is looked up by.
fn folded(layout: &Layout, white: usize, black: usize) -> Option<usize> {
    let kings = [Point::from_index(white)?, Point::from_index(black)?];
    let (pair, _) = layout.kings.place(kings[0], kings[1])?;
    (layout.kings.kings(pair as usize) == kings).then_some(pair as usize)
}

fn is_folded(layout: &Layout, white: usize, black: usize) -> bool {
    folded(layout, white, black).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_cell_of_its_own() {
        for name in ["KBvK", "KPvK", "KRvKN", "KRvKP", "KPvKP", "KQPvKR", "KQRBvK"] {
            let layout = Layout::new(name.parse().expect("a material"));
            let grids = Grids::of(&layout);
            for index in
                (0..layout.cells()).step_by(if layout.cells() > 1 << 24 { 9973 } else { 37 })
            {
                let (block, cell) = grids.place(&layout, index);
                assert!(block < grids.blocks() && cell < grids.block_cells(), "{name} {index}");
                assert_eq!(grids.index(&layout, block, cell), Some(index), "{name}");
            }
        }
    }
}
