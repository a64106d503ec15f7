//! The order in which a table's cells lie in its file.

use super::frames::{FRAME, Frames};
use super::grids::Grids;
use super::layout::Layout;
use super::placement::Placement;

/// How cells are gathered into blocks.
pub(super) enum Order {
    /// A few grids at a time.
    Grids(Grids),
    /// A frame each.
    Frames(Frames),
}

impl Order {
    /// The order for a table.
    pub fn of(layout: &Layout) -> Order {
        Frames::of(layout).map_or_else(|| Order::Grids(Grids::of(layout)), Order::Frames)
    }

    /// Cells of a block.
    pub const fn block_cells(&self) -> usize {
        match self {
            Order::Grids(grids) => grids.block_cells(),
            Order::Frames(_) => FRAME,
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self, layout: &Layout) -> usize {
        match self {
            Order::Grids(grids) => grids.blocks(),
            Order::Frames(frames) => frames.count(layout),
        }
    }

    /// The block and the cell of a placement with the side to move that is kept.
    pub fn place(&self, layout: &Layout, placement: &Placement) -> Option<(usize, usize)> {
        match self {
            Order::Grids(grids) => layout.index(placement).map(|index| grids.place(layout, index)),
            Order::Frames(frames) => frames.place(layout, placement),
        }
    }
}
