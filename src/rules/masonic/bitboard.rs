//! Sets of cells: one bit each in a `u64`.

use super::cell::Cell;
use crate::bitboard_operators::bitboard_operators;

/// A set of cells, one bit each, `a1` lowest.
///
/// ```
/// use qirkat_rules::chesquerque::Color;
/// use qirkat_rules::masonic::{Bitboard, PieceKind, Position};
///
/// let pawns = Position::start().of(Color::White, PieceKind::Pawn);
/// assert_eq!(pawns, Bitboard::rank(1));
/// assert_eq!(pawns.lsb(), Some("a2".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub(super) u64);

impl Bitboard {
    /// No cell.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every cell.
    pub const ALL: Bitboard = Bitboard(u64::MAX);

    /// The cells of a rank counted from 0.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xFF << (rank * Cell::FILES))
    }

    /// The cells of a file counted from 0.
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file)
    }

    /// Whether no cell is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any cell is in the set.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many cells are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds more than one cell.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `cell` is in the set.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// The lowest cell of the set ("least significant bit").
    #[inline]
    pub const fn lsb(self) -> Option<Cell> {
        if self.is_empty() { None } else { Some(Cell::wrapped(self.0.trailing_zeros() as u8)) }
    }

    /// The set with one cell more, in constants too.
    #[must_use]
    pub const fn with(self, cell: Cell) -> Bitboard {
        Bitboard(self.0 | cell.bit().0)
    }
}

impl Cell {
    /// The set that holds this cell alone.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

bitboard_operators!(
    Bitboard(u64),
    Cell,
    /// Iterates over the cells of a set, lowest first.
    Cells
);
