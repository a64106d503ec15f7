//! Structure hashes for correction history: by side and kind, a hash of the squares on which
//! these pieces stand.

use qirkat_game::Color;
use qirkat_game::splitmix::splitmix64;

use super::geometry::Geometry;
use super::kind::Kind;
use super::position::Position;
use super::square::Square;
use super::square_set::SquareSet;

/// Odd numbers, one for each word of each side's set of each kind: room for eight kinds on
/// a board of two words.
static MULTIPLIERS: [u64; 32] = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut multipliers = [0; 32];
    let mut index = 0;
    while index < multipliers.len() {
        multipliers[index] = splitmix64(&mut state) | 1;
        index += 1;
    }
    multipliers
};

/// A multiplicative hash of where a side's pieces of these kinds stand. The products are
/// summed up, so that they do not depend on each other. Only the high bits are well mixed.
#[inline]
pub(super) fn hash_of<G: Geometry>(position: &Position<G>, color: Color, kinds: &[G::Kind]) -> u64 {
    let words = G::Square::COUNT.div_ceil(u64::BITS as usize);
    kinds.iter().fold(0, |sum: u64, &kind| {
        let bits = position.of(color, kind).bits();
        let first = 2 * words * kind.index() + color.index();
        // A product moves bits only upwards: fold the high ones down first.
        let low = bits as u64;
        let low = (low ^ low >> 32).wrapping_mul(MULTIPLIERS[first]);
        let high =
            if words > 1 { ((bits >> 64) as u64).wrapping_mul(MULTIPLIERS[first + 2]) } else { 0 };
        sum.wrapping_add(low).wrapping_add(high)
    })
}
