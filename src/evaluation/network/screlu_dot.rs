//! The dot product of the output layer: weights times SCReLU of the accumulator.
//!
//! Clamped value times weight fits into 16 bits, since weights are bounded
//! ([`MAX_OUTPUT_WEIGHT`](super::MAX_OUTPUT_WEIGHT)), and that times the clamped value again is what one
//! instruction multiplies and adds (the order of multiplication is that of the
//! engine Lizard, by L. Hollung).

use super::architecture::{HiddenLayer, HiddenVector, QA};

/// The dot product of weights and SCReLU of the accumulator: each value clamped to
/// 0..=[`QA`] and squared. All of these together fit into 32 bits, since a network whose
/// weights come to more than `MAX_SUM_OF_OUTPUT_WEIGHTS` is refused when it is read.
#[inline(always)]
pub(super) fn screlu_dot<H: HiddenLayer>(
    values: &HiddenVector<H>,
    weights: &HiddenVector<H>,
) -> i64 {
    i64::from(sum_of_products(values.numbers(), weights.numbers()))
}

/// A plain loop that the compiler vectorises.
#[cfg(not(target_feature = "simd128"))]
#[inline(always)]
fn sum_of_products(values: &[i16], weights: &[i16]) -> i32 {
    let mut total = 0i32;
    for (&value, &weight) in values.iter().zip(weights) {
        let clamped = value.clamp(0, QA);
        total = total.wrapping_add(i32::from(clamped.wrapping_mul(weight)) * i32::from(clamped));
    }
    total
}

#[cfg(target_feature = "simd128")]
use simd128::sum_of_products;

/// The same for WebAssembly, where the compiler does not find the instruction that
/// multiplies and adds: 42 ns instead of 80 for 256 neurons.
#[cfg(target_feature = "simd128")]
mod simd128 {
    use std::arch::wasm32::{
        i16x8, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128,
    };

    use super::QA;

    /// Numbers in a vector, of which a row has a whole number of them.
    const LANES: usize = 8;

    #[inline(always)]
    pub fn sum_of_products(values: &[i16], weights: &[i16]) -> i32 {
        let (zero, most) = (i16x8_splat(0), i16x8_splat(QA));
        // One sum: several, in a loop unrolled for them, were slower in V8.
        let mut sum = i32x4_splat(0);
        let (values, weights) = (values.as_chunks().0, weights.as_chunks().0);
        for (values, weights) in values.iter().zip(weights) {
            let clamped = i16x8_min(i16x8_max(vector(values), zero), most);
            let weighted = i16x8_mul(clamped, vector(weights));
            sum = i32x4_add(sum, i32x4_dot_i16x8(weighted, clamped));
        }
        i32x4_extract_lane::<0>(sum)
            + i32x4_extract_lane::<1>(sum)
            + i32x4_extract_lane::<2>(sum)
            + i32x4_extract_lane::<3>(sum)
    }

    #[inline(always)]
    fn vector(&[a, b, c, d, e, f, g, h]: &[i16; LANES]) -> v128 {
        i16x8(a, b, c, d, e, f, g, h)
    }
}
