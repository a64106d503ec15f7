//! Directions of the brick board, as steps and as shifts of whole sets.

use super::bitboard::Bitboard;
use super::cell::Cell;

/// A step in half cells to the right and ranks up.
pub(super) type Step = (i8, i8);

/// The six directions of the rook: along the rank and along both cants.
pub(super) const ROOK: [Step; 6] = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)];
/// The four directions in which bishops slide.
pub(super) const DIAGONAL: [Step; 4] = [(3, 1), (-3, 1), (-3, -1), (3, -1)];
/// The leaps of the knight: a rook's step, then a diagonal step outward.
pub(super) const KNIGHT: [Step; 12] = [
    (2, 2),
    (-2, 2),
    (2, -2),
    (-2, -2),
    (4, 2),
    (-4, 2),
    (4, -2),
    (-4, -2),
    (5, 1),
    (-5, 1),
    (5, -1),
    (-5, -1),
];

/// A step, ready to move all cells of a set at once.
///
/// Seen as a difference of cell indices, a step to another rank depends on
/// whether it starts on a shifted rank, so the set is moved in two parts.
#[derive(Clone, Copy)]
pub struct Direction {
    /// The difference of indices, from a level and from a shifted rank.
    steps: [i8; 2],
    /// The level and the shifted cells from which the step stays on the board.
    sources: [u64; 2],
    /// Whether the step leads from level to shifted ranks and back.
    changes_level: bool,
}

impl Direction {
    pub(super) const fn new((half_files, ranks): Step) -> Direction {
        let mut direction =
            Direction { steps: [0; 2], sources: [0; 2], changes_level: ranks % 2 != 0 };
        let mut index = 0;
        while let Some(from) = Cell::from_index(index) {
            if let Some(to) = from.offset(half_files, ranks) {
                let level = from.is_shifted() as usize;
                direction.steps[level] = to.index() as i8 - index as i8;
                direction.sources[level] |= from.bit().bits();
            }
            index += 1;
        }
        direction
    }

    /// Every cell of the set moved one step; what leaves the board is dropped.
    #[inline]
    pub(super) const fn shift(self, set: Bitboard) -> Bitboard {
        let [level, shifted] = self.sources;
        // Nothing falls over the edge, so a rotation shifts either way.
        Bitboard::new(
            (set.bits() & level).rotate_left(self.steps[0].rem_euclid(64) as u32)
                | (set.bits() & shifted).rotate_left(self.steps[1].rem_euclid(64) as u32),
        )
    }

    /// Where a step that ended on `to` began.
    #[inline]
    pub(super) const fn origin(self, to: Cell) -> Cell {
        let level = to.is_shifted() ^ self.changes_level;
        Cell::wrapped((to.index() as u8).wrapping_add_signed(-self.steps[level as usize]))
    }
}
