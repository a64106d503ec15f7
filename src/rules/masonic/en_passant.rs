//! En passant: the double step that may be answered by a capture.

use super::cell::Cell;
use super::direction::Step;

/// A double step that may be answered by a capture.
///
/// Two double steps can lead over one cell (`e2f4` and `f2e4` both pass `f3`),
/// so the cell alone does not say which pawn is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnPassant {
    /// The cell that the pawn has passed over.
    pub passed: Cell,
    /// Where that pawn stands now.
    pub pawn: Cell,
}

impl EnPassant {
    /// The double step that went `half_files` half cells to the right in each
    /// half and `ahead` ranks forward, over `passed`; with where it began.
    pub(super) const fn over(passed: Cell, (half_files, ahead): Step) -> Option<(Cell, EnPassant)> {
        match (passed.offset(-half_files, -ahead), passed.offset(half_files, ahead)) {
            (Some(origin), Some(pawn)) => Some((origin, EnPassant { passed, pawn })),
            _ => None,
        }
    }
}
