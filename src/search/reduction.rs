//! How much less deep late moves are searched.

use once_cell::sync::Lazy;

/// Plies and reductions are counted in this many parts.
pub(super) const PLY_PARTS: i32 = 1024;

const SIZE: usize = 64;

/// `ln depth × ln number` in parts of a ply.
static LOGARITHMS: Lazy<Vec<[i32; SIZE]>> = Lazy::new(|| {
    let ln = |number: usize| (number.max(1) as f64).ln();
    (0..SIZE)
        .map(|depth| {
            std::array::from_fn(|number| (ln(depth) * ln(number) * f64::from(PLY_PARTS)) as i32)
        })
        .collect()
});

/// The reduction of a move by its depth and number, in parts of a ply: the
/// form is Stockfish's, `base + slope · ln depth · ln number`.
#[inline]
pub(super) fn reduction(depth: i32, number: usize, base: i32, slope: i32) -> i32 {
    let depth = (depth.max(0) as usize).min(SIZE - 1);
    base + slope * LOGARITHMS[depth][number.min(SIZE - 1)] / PLY_PARTS
}
