//! The logistic sigmoid, which turns a score into a probability to win.

use num_traits::Float;

/// 1 / (1 + exp(-x)): an `x` of zero is a probability of one half, and one more
/// multiplies the odds by e.
#[inline]
pub fn sigmoid<F: Float>(x: F) -> F {
    F::one() / (F::one() + (-x).exp())
}
