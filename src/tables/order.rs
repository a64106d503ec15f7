//! The order in which a table's cells lie in its file.

use super::block::BLOCK;
use super::framing::Framing;
use super::layout::Layout;
use super::placement::Placement;
use super::table_game::TableGame;

/// How cells are gathered into blocks.
pub(super) enum Order<G: TableGame> {
    /// As the layout numbers them, so many at a time.
    Rows,
    /// A frame each.
    Frames(G::Frames),
}

impl<G: TableGame> Order<G> {
    /// The order for a table.
    pub fn of(layout: &Layout<G>) -> Order<G> {
        G::Frames::of(layout).map_or(Order::Rows, Order::Frames)
    }

    /// Cells of a block.
    pub const fn block_cells(&self) -> usize {
        match self {
            Order::Rows => BLOCK,
            Order::Frames(_) => G::Frames::CELLS,
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self, layout: &Layout<G>) -> usize {
        match self {
            Order::Rows => layout.cells().div_ceil(BLOCK),
            Order::Frames(frames) => frames.count(layout),
        }
    }

    /// The block and the cell of a placement with the side to move that is kept.
    pub fn place(&self, layout: &Layout<G>, placement: &Placement<G>) -> Option<(usize, usize)> {
        match self {
            Order::Rows => layout.index(placement).map(|index| (index / BLOCK, index % BLOCK)),
            Order::Frames(frames) => frames.place(layout, placement),
        }
    }
}
