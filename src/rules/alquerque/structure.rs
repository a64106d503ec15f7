//! Structure hashes for correction history.

use super::position::Position;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, StructureHashes};

/// Odd numbers, one for each side.
const MULTIPLIERS: [u64; 2] = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    [splitmix64(&mut state) | 1, splitmix64(&mut state) | 1]
};

impl Position {
    /// Multiplicative hashes of all men, and of the men of each side. Only the high bits
    /// are well mixed.
    #[inline]
    pub(super) fn structures(&self) -> StructureHashes {
        let pieces = Color::ALL.map(|color| {
            u64::from(self.men(color).bits()).wrapping_mul(MULTIPLIERS[color.index()])
        });
        StructureHashes { pawns: pieces[0].wrapping_add(pieces[1]), pieces }
    }
}
