//! What the tables of a game have in common with [`frames`](super::frames), if it has any.

#[cfg(any(test, feature = "table-generator"))]
use std::io;

use super::evidence::Evidence;
use super::planes::Planes;
use crate::board::layout::Layout;
use crate::board::placement::Placement;
use crate::board::table_board::TableBoard;
#[cfg(any(test, feature = "table-generator"))]
use crate::solving::generator::SolvedTable;

/// Both measures of a frame, packed.
#[cfg(any(test, feature = "table-generator"))]
pub type PackedFrame = [Vec<u8>; 2];

/// How the frames of a table are numbered, packed and unpacked.
pub trait Framing<G: TableBoard>: Sized + Send + Sync {
    /// Cells of a frame.
    const CELLS: usize;

    /// The frames of a table, if it has any.
    fn of(layout: &Layout<G>) -> Option<Self>;

    /// How many there are.
    fn count(&self, layout: &Layout<G>) -> usize;

    /// The frame and the cell of a placement.
    fn place(&self, layout: &Layout<G>, placement: &Placement<G>) -> Option<(usize, usize)>;

    /// Unpacks the distances to mate of a frame.
    fn unpack_mates(
        &self,
        layout: &Layout<G>,
        number: usize,
        packed: &[u8],
        evidence: &Evidence,
        is_wide: bool,
    ) -> Planes;

    /// Unpacks the distances to zeroing of a frame beside those to mate.
    fn unpack_zeroings(
        &self,
        layout: &Layout<G>,
        number: usize,
        packed: &[u8],
        dtm: &Planes,
        evidence: &Evidence,
        is_wide: bool,
    ) -> Planes;

    /// What a table teaches and both measures of each frame, packed.
    #[cfg(any(test, feature = "table-generator"))]
    fn pack(
        &self,
        table: &SolvedTable<G>,
        is_wide: [bool; 2],
    ) -> io::Result<(Vec<u8>, Vec<PackedFrame>)>;
}
