//! How a table's cells are gathered into blocks in its file.

use crate::board::layout::Layout;
use crate::board::placement::Placement;
use crate::packing::framing::Framing;
use crate::packing::grids::Grids;
use crate::table_game::TableGame;
use qirkat_game::Color;

/// How cells are gathered into blocks.
pub enum Order<G: TableGame> {
    /// A grid each.
    Grids(Grids<G>),
    /// A frame each.
    Frames(G::Frames),
}

impl<G: TableGame> Order<G> {
    /// The order for a table that keeps positions with this side to move; none where it
    /// cannot keep them.
    pub fn of(layout: &Layout<G>, side: Color) -> Option<Order<G>> {
        match G::Frames::of(layout) {
            Some(frames) => (side == Color::White).then_some(Order::Frames(frames)),
            None if layout.material.has_pawns() && side == Color::Black => None,
            None => Some(Order::Grids(Grids::of(layout, side))),
        }
    }

    /// Cells of a block.
    pub const fn block_cells(&self) -> usize {
        match self {
            Order::Grids(_) => Grids::<G>::CELLS,
            Order::Frames(_) => G::Frames::CELLS,
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self, layout: &Layout<G>) -> usize {
        match self {
            Order::Grids(grids) => grids.count(layout),
            Order::Frames(frames) => frames.count(layout),
        }
    }

    /// The block and the cell of a placement with the side to move that is kept.
    pub fn place(&self, layout: &Layout<G>, placement: &Placement<G>) -> Option<(usize, usize)> {
        match self {
            Order::Grids(grids) => grids.place(layout, placement),
            Order::Frames(frames) => frames.place(layout, placement),
        }
    }
}
