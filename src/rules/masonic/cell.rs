//! The 64 cells of the brick board, sets of them, and directions of movement.

use crate::{bitboards, squares};

squares! {
    /// A cell of the board, counted from `a1` = 0 along the ranks to `h8` = 63.
    ///
    /// Its centre lies at x = file, and half a cell further right on the even
    /// ranks, which are called shifted here.
    ///
    /// ```
    /// use qirkat_rules::masonic::Cell;
    ///
    /// let cell: Cell = "e4".parse()?;
    /// assert!(cell.is_shifted());
    /// // Half a cell to the right and one rank up.
    /// assert_eq!(cell.offset(1, 1), Some("f5".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Cell: 8 files, 8 ranks, "cell", "e4", moves "`e2f4` or `a7a8q`"
    /// A table with one entry for each cell.
    PerCell
}

impl Cell {
    /// Whether the cell lies on an even rank, shifted right by half a cell.
    #[inline]
    pub const fn is_shifted(self) -> bool {
        !self.rank().is_multiple_of(2)
    }

    /// The cell `half_files` half cells to the right and `ranks` up, if it is on the board. None if
    /// they do not match: an odd number of ranks needs an odd number of half cells.
    pub const fn offset(self, half_files: i8, ranks: i8) -> Option<Cell> {
        let rank = self.rank() as i8 + ranks;
        if rank < 0 || rank >= Self::RANKS as i8 {
            return None;
        }
        let x = 2 * self.file() as i8 + self.is_shifted() as i8 + half_files - rank % 2;
        if x < 0 || x % 2 != 0 || x / 2 >= Self::FILES as i8 {
            return None;
        }
        Some(Cell::new((x / 2) as u8, rank as u8))
    }

    /// The cell after rotating the board by 180 degrees, its only symmetry.
    #[inline]
    #[must_use]
    pub const fn turned(self) -> Cell {
        Cell(Self::COUNT as u8 - 1 - self.0)
    }
}

bitboards! {
    /// A set of cells, one bit each, `a1` lowest.
    Bitboard(u64) of Cell, "cell"
    /// Iterates over the cells of a set, lowest first.
    Cells
}

impl Bitboard {
    #[inline]
    pub(super) const fn new(bits: u64) -> Bitboard {
        Bitboard(bits)
    }

    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }
}

impl Cell {
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

/// Half cells to the right, and ranks up.
pub(super) type Step = (i8, i8);

/// The six directions of the rook: along the rank and along both cants.
pub(super) const ROOK: [Step; 6] = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)];
/// The four directions in which bishops slide.
pub(super) const DIAGONAL: [Step; 4] = [(3, 1), (-3, 1), (-3, -1), (3, -1)];
/// The knight's leaps: a rook's step, then a diagonal step outward.
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

/// A step that can move all cells of a set at once. The index difference of a step to another rank
/// depends on whether it starts on a shifted rank, so the set is moved in two parts.
#[derive(Clone, Copy)]
pub struct Direction {
    /// The index difference from a level and from a shifted rank.
    steps: [i8; 2],
    /// The level and the shifted cells from which the step stays on the board.
    sources: [u64; 2],
    /// Whether the step changes between level and shifted ranks.
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

    /// Moves every cell of the set one step, dropping those that leave the board.
    #[inline]
    pub(super) const fn shift(self, set: Bitboard) -> Bitboard {
        let [level, shifted] = self.sources;
        // No bit leaves the board, so a rotation shifts in either direction.
        Bitboard::new(
            (set.bits() & level).rotate_left(self.steps[0].rem_euclid(64) as u32)
                | (set.bits() & shifted).rotate_left(self.steps[1].rem_euclid(64) as u32),
        )
    }

    /// The start of a step that ended on `to`.
    #[inline]
    pub(super) const fn origin(self, to: Cell) -> Cell {
        let level = to.is_shifted() ^ self.changes_level;
        Cell(to.0.wrapping_add_signed(-self.steps[level as usize]) % Cell::COUNT as u8)
    }
}
