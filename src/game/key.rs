//! Keys of positions and packed moves, as the transposition table stores them.

/// The 64-bit Zobrist key of a position. Equal keys mean "the same position"
/// in the sense of the game's repetition rule.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Key(pub u64);

impl std::ops::BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

/// A move in 16 bits, for tables. Each game packs in its own way; moves of
/// one position may share a number if there are too many of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct PackedMove(pub u16);

impl PackedMove {
    /// No move. No real move packs to this.
    pub const NONE: PackedMove = PackedMove(0);
}
