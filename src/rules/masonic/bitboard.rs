//! Sets of cells: one bit each in a `u64`.

use super::cell::Cell;
use crate::bitboards;

bitboards! {
    /// A set of cells, one bit each, `a1` lowest.
    ///
    /// ```
    /// use qirkat_game::{Color, Rules};
    /// use qirkat_rules::masonic::{Bitboard, PieceKind, Position};
    ///
    /// let pawns = Position::start().of(Color::White, PieceKind::Pawn);
    /// assert_eq!(pawns, Bitboard::rank(1));
    /// assert_eq!(pawns.lsb(), Some("a2".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Bitboard(u64) of Cell, "cell"
    /// Iterates over the cells of a set, lowest first.
    Cells
}

impl Bitboard {
    /// The set with these bits.
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
    /// The set that holds this cell alone.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}
