//! The 64 cells of the brick board, sets of them, directions of movement, and lines as compile-time
//! tables, with the attacks of sliding pieces along them.
//!
//! Sliders need no magic numbers, as in Chesquerque (`docs/inside/sliders.md`). A cant or diagonal
//! has one cell on each rank it crosses, and a rank is a byte, so a byte swap mirrors it. Ranks,
//! whose cells are adjacent bits, use a table of a kilobyte.

use crate::chess::{ReverseBytes, SquareTable, rank_attacks};
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
    /// their parities differ: an odd number of ranks needs an odd number of half cells.
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

    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

bitboards! {
    /// A set of cells, one bit each, `a1` lowest.
    Bitboard(u64) of Cell, "cell"
    /// Iterates over the cells of a set, lowest first.
    Cells
}

/// Half cells to the right, and ranks up.
type Step = (i8, i8);

/// The six directions of the rook: along the rank and along both cants.
const ROOK: [Step; 6] = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)];
/// The four directions in which bishops slide.
const DIAGONAL: [Step; 4] = [(3, 1), (-3, 1), (-3, -1), (3, -1)];
/// The knight's leaps: a rook's step, then a diagonal step outward.
const KNIGHT: [Step; 12] = [
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
    /// The index difference from an unshifted and from a shifted rank.
    steps: [i8; 2],
    /// The unshifted and the shifted cells from which the step stays on the board.
    starts: [u64; 2],
    /// Whether the step changes between unshifted and shifted ranks.
    changes_shift: bool,
}

impl Direction {
    pub(super) const fn new((half_files, ranks): Step) -> Direction {
        let mut direction =
            Direction { steps: [0; 2], starts: [0; 2], changes_shift: ranks % 2 != 0 };
        let mut index = 0;
        while let Some(from) = Cell::from_index(index) {
            if let Some(to) = from.offset(half_files, ranks) {
                let shifted = from.is_shifted() as usize;
                direction.steps[shifted] = to.index() as i8 - index as i8;
                direction.starts[shifted] |= from.bit().0;
            }
            index += 1;
        }
        direction
    }

    /// Moves every cell of the set one step, dropping those that leave the board.
    #[inline]
    pub(super) const fn shift(self, set: Bitboard) -> Bitboard {
        let [unshifted, shifted] = self.starts;
        // No bit leaves the board, so a rotation shifts in either direction.
        Bitboard(
            (set.0 & unshifted).rotate_left(self.steps[0].rem_euclid(64) as u32)
                | (set.0 & shifted).rotate_left(self.steps[1].rem_euclid(64) as u32),
        )
    }

    /// The start of a step that ended on `to`.
    #[inline]
    pub(super) const fn origin(self, to: Cell) -> Cell {
        let shifted = to.is_shifted() ^ self.changes_shift;
        Cell(to.0.wrapping_add_signed(-self.steps[shifted as usize]) % Cell::COUNT as u8)
    }
}

pub(super) static SQUARE_TABLES: PerCell<SquareTable<Bitboard>> = {
    let mut table = PerCell([SquareTable::none(Bitboard::EMPTY); Cell::COUNT]);
    let mut index = 0;
    while let Some(cell) = Cell::from_index(index) {
        let [right_up, left_up, left_down, right_down] = DIAGONAL;
        table.0[index] = SquareTable {
            straight_steps: Bitboard::steps(cell, &ROOK),
            diagonal_steps: Bitboard::steps(cell, &DIAGONAL),
            straight_lines: Bitboard::rays(cell, &ROOK),
            diagonal_lines: Bitboard::rays(cell, &DIAGONAL),
            knight_reach: Bitboard::steps(cell, &KNIGHT),
            pawn_sources: [
                Bitboard::steps(cell, &[left_down, right_down]),
                Bitboard::steps(cell, &[left_up, right_up]),
            ],
        };
        index += 1;
    }
    table
};

/// The cells strictly between two cells on one line.
pub(super) static BETWEEN: PerCell<PerCell<Bitboard>> = {
    let mut table = PerCell([PerCell([Bitboard::EMPTY; Cell::COUNT]); Cell::COUNT]);
    let mut index = 0;
    while let Some(from) = Cell::from_index(index) {
        Bitboard::set_between(&mut table.0[index].0, from, &ROOK);
        Bitboard::set_between(&mut table.0[index].0, from, &DIAGONAL);
        index += 1;
    }
    table
};

/// The lines through a cell that cross ranks, without the cell itself.
#[derive(Clone, Copy)]
struct Rays {
    /// Up and half a cell to the right, and back.
    rising_cant: u64,
    /// Up and half a cell to the left, and back.
    falling_cant: u64,
    /// Up and one and a half cells to the right, and back.
    rising_diagonal: u64,
    /// Up and one and a half cells to the left, and back.
    falling_diagonal: u64,
}

static RAYS: PerCell<Rays> = {
    let none = Rays { rising_cant: 0, falling_cant: 0, rising_diagonal: 0, falling_diagonal: 0 };
    let mut table = PerCell([none; Cell::COUNT]);
    let mut index = 0;
    while let Some(cell) = Cell::from_index(index) {
        table.0[index] = Rays {
            rising_cant: Bitboard::rays(cell, &[(1, 1), (-1, -1)]).0,
            falling_cant: Bitboard::rays(cell, &[(-1, 1), (1, -1)]).0,
            rising_diagonal: Bitboard::rays(cell, &[(3, 1), (-3, -1)]).0,
            falling_diagonal: Bitboard::rays(cell, &[(-3, 1), (3, -1)]).0,
        };
        index += 1;
    }
    table
};

/// Attacks along a rank by the slider's file and the six inner cells.
static RANK_ATTACKS: [[u16; 64]; Cell::FILES as usize] = rank_attacks();

/// The cells that a slider on `from` attacks along its rank and cants, up to and including the
/// first piece in each direction.
#[inline]
pub fn orthogonal_attacks(from: Cell, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[from];
    Bitboard(
        along(rays.rising_cant, from, occupied.0)
            | along(rays.falling_cant, from, occupied.0)
            | along_rank(from, occupied.0),
    )
}

/// The cells that a slider on `from` attacks along its diagonals.
#[inline]
pub fn diagonal_attacks(from: Cell, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[from];
    Bitboard(
        along(rays.rising_diagonal, from, occupied.0)
            | along(rays.falling_diagonal, from, occupied.0),
    )
}

#[inline]
fn along(line: u64, from: Cell, occupied: u64) -> u64 {
    let slider = from.bit().0;
    let pieces = occupied & line;
    let up = pieces.wrapping_sub(slider);
    let down = pieces.reverse_bytes().wrapping_sub(slider.reverse_bytes()).reverse_bytes();
    (up ^ down) & line
}

#[inline]
fn along_rank(from: Cell, occupied: u64) -> u64 {
    let shift = from.rank() * Cell::FILES;
    let inner = (occupied >> (shift + 1)) as usize & 0x3F;
    u64::from(RANK_ATTACKS[from.file() as usize][inner]) << shift
}
