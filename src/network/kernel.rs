//! The reckoning itself, in plain code that the compiler turns into wide
//! instructions: those of the machine it builds for, and once more with AVX2
//! for a program that was built for any machine and finds a better one.

use super::accumulator::Row;
use super::{HIDDEN, ONE, UTMOST_OUTPUT_WEIGHT};

/// What a network is reckoned with. All come to the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// What every machine that the program was built for can do.
    Portable,
    /// 256 bits at a time, on PCs since about 2013.
    Avx2(Avx2),
}

/// Proof that the machine has AVX2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The proof, if there is any.
    pub fn detect() -> Option<Avx2> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Some(Avx2(()));
        }
        None
    }
}

impl Kernel {
    /// The fastest that this machine can do.
    pub fn best() -> Kernel {
        Avx2::detect().map_or(Kernel::Portable, Kernel::Avx2)
    }

    /// The name shown to people.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            Kernel::Avx2(_) => "AVX2",
        }
    }

    /// Sums with some rows more and some less.
    #[inline]
    pub(super) fn update(self, from: &Row, to: &mut Row, come: &[&Row], gone: &[&Row]) {
        match self {
            Kernel::Portable => update(from, to, come, gone),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(proof) => wide::update_avx2(proof, from, to, come, gone),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2(_) => update(from, to, come, gone),
        }
    }

    /// The sums, each cut to the range from 0 to [`ONE`], squared and weighed.
    #[inline]
    pub(super) fn weigh(self, sums: &Row, weights: &Row) -> i64 {
        match self {
            Kernel::Portable => weigh(sums, weights),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(proof) => wide::weigh_avx2(proof, sums, weights),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2(_) => weigh(sums, weights),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Avx2, Row};

    #[expect(unsafe_code, reason = "the machine is known to have AVX2")]
    pub fn update_avx2(_: Avx2, from: &Row, to: &mut Row, come: &[&Row], gone: &[&Row]) {
        #[target_feature(enable = "avx2")]
        fn update(from: &Row, to: &mut Row, come: &[&Row], gone: &[&Row]) {
            super::update(from, to, come, gone);
        }
        // SAFETY: an `Avx2` exists only where the machine has AVX2.
        unsafe { update(from, to, come, gone) }
    }

    #[expect(unsafe_code, reason = "the machine is known to have AVX2")]
    pub fn weigh_avx2(_: Avx2, sums: &Row, weights: &Row) -> i64 {
        #[target_feature(enable = "avx2")]
        fn weigh(sums: &Row, weights: &Row) -> i64 {
            super::weigh(sums, weights)
        }
        // SAFETY: an `Avx2` exists only where the machine has AVX2.
        unsafe { weigh(sums, weights) }
    }
}

/// Sums taken through all rows at a time: as many as fit into the registers
/// of the narrowest machine.
const STRIP: usize = 64;
const _: () = assert!(HIDDEN.is_multiple_of(STRIP));
const _: () = assert!(
    HIDDEN as i64 * ONE as i64 * (ONE as i64 * UTMOST_OUTPUT_WEIGHT as i64) <= i32::MAX as i64,
    "what `weigh` adds up fits into 32 bits"
);

#[inline(always)]
fn update(from: &Row, to: &mut Row, come: &[&Row], gone: &[&Row]) {
    // The usual cases, a move and a capture, in one pass.
    match (come, gone) {
        ([a], [b]) => {
            for index in 0..HIDDEN {
                to.0[index] = from.0[index].wrapping_add(a.0[index]).wrapping_sub(b.0[index]);
            }
        }
        ([a], [b, c]) => {
            for index in 0..HIDDEN {
                to.0[index] = from.0[index]
                    .wrapping_add(a.0[index])
                    .wrapping_sub(b.0[index])
                    .wrapping_sub(c.0[index]);
            }
        }
        _ => {
            for start in (0..HIDDEN).step_by(STRIP) {
                let strip = start..start + STRIP;
                let mut sums = [0; STRIP];
                sums.copy_from_slice(&from.0[strip.clone()]);
                for row in come {
                    for (sum, number) in sums.iter_mut().zip(&row.0[strip.clone()]) {
                        *sum = sum.wrapping_add(*number);
                    }
                }
                for row in gone {
                    for (sum, number) in sums.iter_mut().zip(&row.0[strip.clone()]) {
                        *sum = sum.wrapping_sub(*number);
                    }
                }
                to.0[strip].copy_from_slice(&sums);
            }
        }
    }
}

/// The product of sum and weight fits into 16 bits, since weights are bounded
/// ([`super::UTMOST_OUTPUT_WEIGHT`]), and that of the product and the sum is
/// what one instruction multiplies and adds up (the order is that of the
/// engine Lizard, by L. Hollung). [`HIDDEN`] of these fit into 32 bits.
#[inline(always)]
fn weigh(sums: &Row, weights: &Row) -> i64 {
    let mut total = 0i32;
    for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
        let cut = sum.clamp(0, ONE);
        total = total.wrapping_add(i32::from(cut.wrapping_mul(weight)) * i32::from(cut));
    }
    i64::from(total)
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn row(rng: &mut StdRng, utmost: i16) -> Row {
        Row([(); HIDDEN].map(|()| rng.random_range(-utmost..=utmost)))
    }

    /// Both kernels do what the definition says, to the last bit.
    #[test]
    fn kernels_agree_with_the_definition() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut kernels = vec![Kernel::Portable];
        kernels.extend(Avx2::detect().map(Kernel::Avx2));
        for round in 0..2000 {
            let from = row(&mut rng, i16::MAX);
            let rows: Vec<Row> = (0..round % 9).map(|_| row(&mut rng, i16::MAX)).collect();
            let (come, gone) = rows.split_at(rows.len() / 2);
            let (come, gone): (Vec<_>, Vec<_>) = (come.iter().collect(), gone.iter().collect());
            let mut wanted = from;
            for index in 0..HIDDEN {
                let sum = |rows: &[&Row]| rows.iter().map(|row| i64::from(row.0[index])).sum();
                let (more, less): (i64, i64) = (sum(&come), sum(&gone));
                wanted.0[index] = (i64::from(from.0[index]) + more - less) as i16;
            }
            let sums = row(&mut rng, if round % 2 == 0 { i16::MAX } else { 2 * ONE });
            let weights = row(&mut rng, UTMOST_OUTPUT_WEIGHT);
            let weighed = (0..HIDDEN)
                .map(|index| {
                    let cut = i64::from(sums.0[index].clamp(0, ONE));
                    cut * cut * i64::from(weights.0[index])
                })
                .sum::<i64>();
            for kernel in &kernels {
                let mut to = from;
                kernel.update(&from, &mut to, &come, &gone);
                assert_eq!(to, wanted, "{}", kernel.name());
                assert_eq!(kernel.weigh(&sums, &weights), weighed, "{}", kernel.name());
            }
        }
        let (full, utmost) = (Row([ONE; HIDDEN]), Row([UTMOST_OUTPUT_WEIGHT; HIDDEN]));
        let most = HIDDEN as i64 * i64::from(ONE).pow(2) * i64::from(UTMOST_OUTPUT_WEIGHT);
        for kernel in kernels {
            assert_eq!(kernel.weigh(&full, &utmost), most, "nothing overflows");
        }
    }
}
