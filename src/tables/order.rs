//! The order in which a table's cells lie in its file.

use super::block::BLOCK;
use super::frames::{FRAME, Frames};
use super::layout::Layout;
use super::placement::Placement;

/// How cells are gathered into blocks.
pub(super) enum Order {
    /// As the layout numbers them, so many at a time.
    Rows,
    /// A frame each.
    Frames(Frames),
}

impl Order {
    /// The order for a table.
    pub fn of(layout: &Layout) -> Order {
        Frames::of(layout).map_or(Order::Rows, Order::Frames)
    }

    /// Cells of a block.
    pub const fn block_cells(&self) -> usize {
        match self {
            Order::Rows => BLOCK,
            Order::Frames(_) => FRAME,
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self, layout: &Layout) -> usize {
        match self {
            Order::Rows => layout.cells().div_ceil(BLOCK),
            Order::Frames(frames) => frames.count(layout),
        }
    }

    /// The block and the cell of a placement with the side to move that is kept.
    pub fn place(&self, layout: &Layout, placement: &Placement) -> Option<(usize, usize)> {
        match self {
            Order::Rows => layout.index(placement).map(|index| (index / BLOCK, index % BLOCK)),
            Order::Frames(frames) => frames.place(layout, placement),
        }
    }
}
