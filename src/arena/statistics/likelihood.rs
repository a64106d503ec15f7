//! Maximum-likelihood estimates of distributions under a constraint, by fishtest's
//! method.
//!
//! A multinomial distribution that was seen as p̂ and must satisfy Σ pᵢ·bᵢ = 0
//! is most likely pᵢ = p̂ᵢ / (1 + x·bᵢ), where x solves the *secular equation*
//! Σ p̂ᵢ·bᵢ / (1 + x·bᵢ) = 0 (M. Van den Bergh, "A Practical Introduction to
//! the GSPRT", <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>, and
//! <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition
//! 1.1).

use super::distribution::Distribution;

/// Enough for bounds of 500 normalised Elo; usual ones take about ten.
const MAX_ITERATIONS: usize = 300;
/// When the fixed point is reached.
const CHANCE_TOLERANCE: f64 = 1e-12;
/// Bisection alone would need about sixty steps.
const MAX_ROOT_STEPS: usize = 200;

/// The likeliest distribution with the mean `mean`, which lies within 0 and
/// 1. No probability in `observed` is zero.
pub(super) fn most_likely_with_mean<const N: usize>(
    observed: &Distribution<N>,
    mean: f64,
) -> Distribution<N> {
    most_likely(observed, &Distribution::<N>::scores().map(|score| score - mean))
}

/// The likeliest distribution with (mean - ½) / σ = `t_value`. No probability in
/// `observed` is zero.
///
/// The constraint is not linear, so it is replaced by its tangent at the
/// distribution found last, until it converges (M. Van den Bergh,
/// "Comments on Normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>, section
/// 4.1). Where `observed` is hundreds of normalised Elo away from the
/// constraint, what is found may be the likeliest only among its neighbours;
/// a test has long been decided there.
pub(super) fn most_likely_with_t_value<const N: usize>(
    observed: &Distribution<N>,
    t_value: f64,
) -> Distribution<N> {
    // Starts at wins and losses alone with the t-value asked for: on a
    // distribution that has it, the tangent always has a solution. (From the
    // uniform one, where fishtest starts, it has none if the bounds are far.)
    let mut mean = 0.5 + 0.5 * t_value / (1.0 + t_value * t_value).sqrt();
    let mut sigma = (mean * (1.0 - mean)).sqrt();
    let mut found = *observed;
    for _ in 0..MAX_ITERATIONS {
        let tangent = Distribution::<N>::scores().map(|score| {
            let z = (score - mean) / sigma;
            score - 0.5 - t_value * sigma * (1.0 + z * z) / 2.0
        });
        let last = std::mem::replace(&mut found, most_likely(observed, &tangent));
        mean = found.mean();
        sigma = found.variance().sqrt();
        let change = found.0.iter().zip(last.0).map(|(new, old)| (new - old).abs());
        if change.fold(0.0, f64::max) < CHANCE_TOLERANCE {
            break;
        }
    }
    found
}

fn most_likely<const N: usize>(
    observed: &Distribution<N>,
    constraint: &[f64; N],
) -> Distribution<N> {
    let x = secular_root(observed, constraint);
    Distribution(std::array::from_fn(|index| observed.0[index] / (1.0 + x * constraint[index])))
}

/// Solves the secular equation by Newton's method, kept within a shrinking
/// bracket: the sum falls from +∞ to -∞ between its two innermost poles.
fn secular_root<const N: usize>(observed: &Distribution<N>, constraint: &[f64; N]) -> f64 {
    let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    debug_assert!(least < 0.0 && greatest > 0.0, "the constraint cannot be met: {constraint:?}");
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..MAX_ROOT_STEPS {
        let (mut sum, mut derivative) = (0.0, 0.0);
        for (probability, value) in observed.0.iter().zip(constraint) {
            let term = value / (1.0 + x * value);
            sum += probability * term;
            derivative -= probability * term * term;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - sum / derivative;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= f64::EPSILON * x.abs() {
            break;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_valid<const N: usize>(distribution: &Distribution<N>) {
        assert!(distribution.0.iter().all(|&probability| probability > 0.0), "{distribution:?}");
        assert!((distribution.0.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{distribution:?}");
    }

    fn assert_constraints_met<const N: usize>(counts: [u64; N], mean: f64, t_value: f64) {
        let Some((_, observed)) = Distribution::regularised(counts) else { return };
        let found = most_likely_with_mean(&observed, mean);
        assert_valid(&found);
        assert!((found.mean() - mean).abs() < 1e-6);

        let found = most_likely_with_t_value(&observed, t_value);
        assert_valid(&found);
        assert!(((found.mean() - 0.5) / found.variance().sqrt() - t_value).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn constraints_are_met(
            five in prop::array::uniform5(prop_oneof![Just(0), 0..10u64, 0..100_000u64]),
            three in prop::array::uniform3(prop_oneof![Just(0), 0..10u64, 0..100_000u64]),
            mean in 0.05..0.95,
            // Up to about 250 nElo between pairs; far beyond, against such
            // counts, the iteration may run out of steps before it settles.
            t_value in -1.0..1.0,
        ) {
            assert_constraints_met(five, mean, t_value);
            assert_constraints_met(three, mean, t_value);
        }
    }

    #[test]
    fn what_meets_the_constraint_already_is_left_alone() {
        let (_, observed) = Distribution::regularised([1, 2, 3, 4, 5]).expect("outcomes");
        let t_value = (observed.mean() - 0.5) / observed.variance().sqrt();
        for found in [
            most_likely_with_mean(&observed, observed.mean()),
            most_likely_with_t_value(&observed, t_value),
        ] {
            for (new, old) in found.0.iter().zip(observed.0) {
                assert!((new - old).abs() < 1e-9);
            }
        }
    }
}
