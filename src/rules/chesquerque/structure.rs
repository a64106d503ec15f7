//! Structure hashes for correction history: by side and kind, a hash of the points on
//! which these pieces stand.

use super::piece::PieceKind;
use super::position::Position;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, StructureHashes};

/// Odd numbers, one for each half of each side's set of each kind.
const MULTIPLIERS: [[[u64; 2]; PieceKind::COUNT]; 2] = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut multipliers = [[[0; 2]; PieceKind::COUNT]; 2];
    let mut index = 0;
    while index < 4 * PieceKind::COUNT {
        multipliers[index % 2][index / 4][index / 2 % 2] = splitmix64(&mut state) | 1;
        index += 1;
    }
    multipliers
};

impl Position {
    /// A multiplicative hash of where pieces of these kinds stand. The products are summed
    /// up, so that they do not depend on each other. Only the high bits are well mixed.
    #[inline]
    fn hash_of(&self, color: Color, kinds: &[PieceKind]) -> u64 {
        kinds.iter().fold(0, |sum: u64, &kind| {
            let [low, high] = self.of(color, kind).halves();
            let [for_low, for_high] = MULTIPLIERS[color.index()][kind.index()];
            // A product moves bits only upwards: fold the high ones down first.
            let low = (low ^ low >> 32).wrapping_mul(for_low);
            let high = high.wrapping_mul(for_high);
            sum.wrapping_add(low).wrapping_add(high)
        })
    }

    #[inline]
    pub(super) fn structures(&self) -> StructureHashes {
        let pawns = Color::ALL
            .into_iter()
            .fold(0, |sum: u64, color| sum.wrapping_add(self.hash_of(color, &[PieceKind::Pawn])));
        let pieces = Color::ALL.map(|color| self.hash_of(color, &PieceKind::ALL[1..]));
        StructureHashes { pawns, pieces }
    }
}
