//! The kernels: accumulator updates and the SCReLU dot product, mostly plain loops that the
//! compiler vectorises. They are compiled for the target machine, and once more with AVX2, which
//! portable builds use where available (runtime dispatch).

use super::input::{HiddenLayer, HiddenVector, MAX_OUTPUT_WEIGHT, QA};

/// The instruction set for a network; all give the same results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// The instructions of the build's target.
    Portable,
    /// AVX2, 256 bits at a time, on PCs since about 2013.
    Avx2(Avx2),
}

/// Proof that the machine has AVX2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Avx2> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Some(Avx2(()));
        }
        None
    }
}

impl Kernel {
    pub fn best() -> Kernel {
        Avx2::detect().map_or(Kernel::Portable, Kernel::Avx2)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            Kernel::Avx2(_) => "AVX2",
        }
    }

    #[inline]
    pub(super) fn update<H: HiddenLayer>(
        self,
        from: &HiddenVector<H>,
        to: &mut HiddenVector<H>,
        adds: &[&HiddenVector<H, i8>],
        subs: &[&HiddenVector<H, i8>],
    ) {
        match self {
            Kernel::Portable => update(from, to, adds, subs),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(proof) => wide::update_avx2(proof, from, to, adds, subs),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2(_) => update(from, to, adds, subs),
        }
    }

    #[inline]
    pub(super) fn screlu_dot<H: HiddenLayer>(
        self,
        values: &HiddenVector<H>,
        weights: &HiddenVector<H>,
    ) -> i64 {
        match self {
            Kernel::Portable => screlu_dot(values, weights),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(proof) => wide::screlu_dot_avx2(proof, values, weights),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2(_) => screlu_dot(values, weights),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
        _mm256_setzero_si256,
    };

    use super::super::input::QA;
    use super::{Avx2, HiddenLayer, HiddenVector, STRIP};

    #[expect(unsafe_code, reason = "the machine is known to have AVX2")]
    pub fn update_avx2<H: HiddenLayer>(
        _: Avx2,
        from: &HiddenVector<H>,
        to: &mut HiddenVector<H>,
        adds: &[&HiddenVector<H, i8>],
        subs: &[&HiddenVector<H, i8>],
    ) {
        #[target_feature(enable = "avx2")]
        fn update<H: HiddenLayer>(
            from: &HiddenVector<H>,
            to: &mut HiddenVector<H>,
            adds: &[&HiddenVector<H, i8>],
            subs: &[&HiddenVector<H, i8>],
        ) {
            super::update(from, to, adds, subs);
        }
        // SAFETY: an `Avx2` exists only where the machine has AVX2.
        unsafe { update(from, to, adds, subs) }
    }

    const LANES: usize = 16;
    /// Independent partial sums, which avoid waiting for the previous addition.
    const SUMS: usize = STRIP / LANES;

    /// Written with intrinsics, since the compiler splits the plain loop into vectors of 128 bits:
    /// 1.05 times the nodes per second with 512 neurons.
    #[expect(unsafe_code, reason = "the machine is known to have AVX2")]
    pub fn screlu_dot_avx2<H: HiddenLayer>(
        _: Avx2,
        values: &HiddenVector<H>,
        weights: &HiddenVector<H>,
    ) -> i64 {
        #[target_feature(enable = "avx2")]
        fn screlu_dot<H: HiddenLayer>(values: &HiddenVector<H>, weights: &HiddenVector<H>) -> i64 {
            let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA));
            let mut sums = [zero; SUMS];
            let values = values.numbers().as_chunks::<STRIP>().0;
            let weights = weights.numbers().as_chunks::<STRIP>().0;
            for (values, weights) in values.iter().zip(weights) {
                let values = values.as_chunks::<LANES>().0;
                let weights = weights.as_chunks::<LANES>().0;
                for ((values, weights), sum) in values.iter().zip(weights).zip(&mut sums) {
                    let clamped = _mm256_min_epi16(_mm256_max_epi16(load(values), zero), most);
                    let weighted = _mm256_mullo_epi16(clamped, load(weights));
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weighted, clamped));
                }
            }
            let sum = sums.into_iter().reduce(|a, b| _mm256_add_epi32(a, b)).unwrap_or(zero);
            let (low, high) = (_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let four = _mm_add_epi32(low, high);
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            i64::from(_mm_cvtsi128_si32(one))
        }
        // SAFETY: an `Avx2` exists only where the machine has AVX2.
        unsafe { screlu_dot(values, weights) }
    }

    #[expect(unsafe_code, reason = "no safe interface to the instruction")]
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(numbers: &[i16; LANES]) -> __m256i {
        // SAFETY: as many numbers are there as are read, and they need not be aligned.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    }
}

/// Neurons that stay in registers while all features are added, on any machine.
const STRIP: usize = 64;

/// Whether a pass is split into strips, which the compiler unrolls: in WebAssembly 31 ns instead of
/// 54 for 256 neurons; slower elsewhere.
const UNROLLED: bool = cfg!(target_family = "wasm");

#[inline(always)]
fn update<H: HiddenLayer>(
    from: &HiddenVector<H>,
    to: &mut HiddenVector<H>,
    adds: &[&HiddenVector<H, i8>],
    subs: &[&HiddenVector<H, i8>],
) {
    const { assert!(H::NEURONS.is_multiple_of(STRIP)) };
    match (adds, subs) {
        // The common cases: a move, a capture, and both from a sibling or two plies before.
        (&[a], &[b]) => one_pass(from, to, [a], [b]),
        (&[a], &[b, c]) => one_pass(from, to, [a], [b, c]),
        (&[a, b], &[c, d]) => one_pass(from, to, [a, b], [c, d]),
        (&[a, b], &[c, d, e]) => one_pass(from, to, [a, b], [c, d, e]),
        (&[a, b, c], &[d, e]) => one_pass(from, to, [a, b, c], [d, e]),
        _ => {
            for start in (0..H::NEURONS).step_by(STRIP) {
                let strip = start..start + STRIP;
                let mut values = [0; STRIP];
                values.copy_from_slice(&from.numbers()[strip.clone()]);
                for weights in adds {
                    for (value, weight) in values.iter_mut().zip(&weights.numbers()[strip.clone()])
                    {
                        *value = value.wrapping_add((*weight).into());
                    }
                }
                for weights in subs {
                    for (value, weight) in values.iter_mut().zip(&weights.numbers()[strip.clone()])
                    {
                        *value = value.wrapping_sub((*weight).into());
                    }
                }
                to.0.as_mut()[strip].copy_from_slice(&values);
            }
        }
    }
}

/// Adds and subtracts a fixed, small number of features, writing each value once.
#[inline(always)]
fn one_pass<H: HiddenLayer, const ADDS: usize, const SUBS: usize>(
    from: &HiddenVector<H>,
    to: &mut HiddenVector<H>,
    adds: [&HiddenVector<H, i8>; ADDS],
    subs: [&HiddenVector<H, i8>; SUBS],
) {
    let pass = if UNROLLED { STRIP } else { H::NEURONS };
    let (from, to) = (from.numbers(), to.0.as_mut());
    for start in (0..H::NEURONS).step_by(pass) {
        for index in start..start + pass {
            let weight = |row: &&HiddenVector<H, i8>| i16::from(row.numbers()[index]);
            let added = adds.iter().map(weight).fold(from[index], i16::wrapping_add);
            to[index] = subs.iter().map(weight).fold(added, i16::wrapping_sub);
        }
    }
}

/// The dot product of weights and SCReLU of the accumulator: each value clamped to 0..=[`QA`] and
/// squared.
///
/// Clamped value times weight fits into 16 bits ([`MAX_OUTPUT_WEIGHT`]). One instruction multiplies
/// this by the clamped value and adds pairs; the sum fits into 32 bits (as in the engine Lizard, by
/// L. Hollung).
#[inline(always)]
fn screlu_dot<H: HiddenLayer>(values: &HiddenVector<H>, weights: &HiddenVector<H>) -> i64 {
    const {
        let largest = MAX_OUTPUT_WEIGHT as i64 * QA as i64 * QA as i64;
        assert!(H::NEURONS as i64 * largest <= i32::MAX as i64);
    }
    i64::from(sum_of_products(values.numbers(), weights.numbers()))
}

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

/// The same with a multiply-add instruction: 42 ns instead of 80 for 256 neurons.
#[cfg(target_feature = "simd128")]
mod simd128 {
    use std::arch::wasm32::{
        i16x8, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128,
    };

    use super::QA;

    /// Numbers in a vector; a row has a whole number of vectors.
    const LANES: usize = 8;

    #[inline(always)]
    pub fn sum_of_products(values: &[i16], weights: &[i16]) -> i32 {
        let (zero, most) = (i16x8_splat(0), i16x8_splat(QA));
        // A single sum: several in an unrolled loop were slower in V8.
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
