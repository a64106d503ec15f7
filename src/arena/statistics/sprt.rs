//! The sequential probability ratio test (SPRT; A. Wald, 1945), in its generalised form (GSPRT) with
//! maximum-likelihood distributions: a match ends as soon as its results decide between two
//! hypotheses.
//!
//! The distributions are found by the method of fishtest's `LLRcalc.py`. An observed multinomial
//! distribution p̂ under the constraint Σ pᵢ·bᵢ = 0 has the most likely pᵢ = p̂ᵢ / (1 + x·bᵢ),
//! where x solves the *secular equation* Σ p̂ᵢ·bᵢ / (1 + x·bᵢ) = 0 (M. Van den Bergh, "A Practical
//! Introduction to the GSPRT", <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>, and
//! <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition 1.1). A given t-value
//! is no linear constraint, so it is replaced by its tangent at the previous distribution until
//! convergence ("Comments on Normalized Elo",
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>, section 4.1).

use derive_more::Display;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::statistics::estimate::{
    Distribution, GameCounts, NELO_PER_T_VALUE, PairCounts, logistic_score,
};

/// The largest absolute value of elo0 and elo1, on either scale.
const MAX_ELO_BOUND: f64 = 500.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[display(rename_all = "lowercase")]
pub enum EloModel {
    /// The expected score, by the logistic curve.
    #[default]
    Logistic,
    /// The expected score in standard deviations of one game: hardly depends on the draw ratio.
    Normalized,
}

#[derive(Clone, PartialEq, Debug, Error)]
#[error("{0}")]
pub struct SprtError(String);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtState {
    Continue,
    /// The first player is stronger by at most elo0.
    AcceptH0,
    /// The first player is stronger by at least elo1.
    AcceptH1,
}

/// A test of H0, "stronger by elo0", against H1, "stronger by elo1".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Probability of a false H1 (type I error).
    #[serde(default = "five_per_cent")]
    pub alpha: f64,
    /// Probability of a false H0 (type II error).
    #[serde(default = "five_per_cent")]
    pub beta: f64,
    #[serde(default)]
    pub model: EloModel,
}

const fn five_per_cent() -> f64 {
    0.05
}

impl Sprt {
    /// This test, if it is a possible one.
    pub fn checked(self) -> Result<Sprt, SprtError> {
        let Sprt { elo0, elo1, alpha, beta, .. } = self;
        let too_large = [elo0, elo1].into_iter().find(|elo| elo.abs() > MAX_ELO_BOUND);
        let mut errors = [("alpha", alpha), ("beta", beta)].into_iter();
        let impossible = errors.find(|(_, value)| !(*value > 0.0 && *value < 1.0));
        Err(SprtError(if elo0.partial_cmp(&elo1) != Some(std::cmp::Ordering::Less) {
            format!("elo0 must be less than elo1, but {elo0} is not less than {elo1}")
        } else if let Some(elo) = too_large {
            format!("Elo bounds must be within ±{MAX_ELO_BOUND}, and {elo} is not")
        } else if let Some((name, value)) = impossible {
            format!("{name} must lie between 0 and 1, and {value} does not")
        } else if alpha + beta >= 1.0 {
            format!("alpha + beta must be less than 1, and {alpha} + {beta} is not")
        } else {
            return Ok(self);
        }))
    }

    /// The bounds of the log-likelihood ratio: H0 is accepted at or below the first, H1 at or above
    /// the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio (LLR) of H1 to H0.
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        self.log_likelihood_ratio(counts.0, 2.0)
    }

    pub fn llr_games(&self, counts: &GameCounts) -> f64 {
        self.log_likelihood_ratio(counts.by_result(), 1.0)
    }

    pub fn state(&self, llr: f64) -> SprtState {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            SprtState::AcceptH1
        } else if llr <= lower {
            SprtState::AcceptH0
        } else {
            SprtState::Continue
        }
    }

    fn log_likelihood_ratio<const N: usize>(
        &self,
        counts: [u64; N],
        games_per_outcome: f64,
    ) -> f64 {
        let Some((outcomes, observed)) = Distribution::regularised(counts) else { return 0.0 };
        let most_likely = |elo| match self.model {
            EloModel::Logistic => most_likely_with_mean(&observed, logistic_score(elo)),
            // The t-value of the mean of two games is √2 times that of one.
            EloModel::Normalized => most_likely_with_t_value(
                &observed,
                elo / NELO_PER_T_VALUE * games_per_outcome.sqrt(),
            ),
        };
        let (under_h0, under_h1) = (most_likely(self.elo0), most_likely(self.elo1));
        let mean: f64 = (observed.0.iter().zip(under_h0.0).zip(under_h1.0))
            .map(|((seen, h0), h1)| seen * (h1 / h0).ln())
            .sum();
        outcomes * mean
    }
}

/// Enough for bounds of 500 normalised Elo; usual ones take about ten.
const MAX_ITERATIONS: usize = 300;
const PROBABILITY_TOLERANCE: f64 = 1e-12;
/// Bisection alone would need about sixty steps.
const MAX_ROOT_STEPS: usize = 200;

/// The most likely distribution with this mean, in (0, 1). No probability in `observed` is zero.
fn most_likely_with_mean<const N: usize>(observed: &Distribution<N>, mean: f64) -> Distribution<N> {
    most_likely(observed, &Distribution::<N>::scores().map(|score| score - mean))
}

/// The most likely distribution with (mean - ½) / σ = `t_value`. No probability in `observed` is
/// zero. If `observed` is hundreds of normalised Elo away, the result may be only a local maximum; a
/// test has long been decided there.
fn most_likely_with_t_value<const N: usize>(
    observed: &Distribution<N>,
    t_value: f64,
) -> Distribution<N> {
    // Starts from wins and losses alone with this t-value: from such a distribution the tangent
    // always has a solution. (From fishtest's uniform start it has none if the bounds are far.)
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
        if change.fold(0.0, f64::max) < PROBABILITY_TOLERANCE {
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

/// Newton's method with a bracket: the sum falls from +∞ to -∞ between the two innermost poles.
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

    fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }.checked().expect("a valid test")
    }

    fn assert_llr(found: f64, expected: f64, what: &str) {
        let tolerance = 1e-6 * expected.abs().max(2.0);
        assert!((found - expected).abs() < tolerance, "{what}: {found} instead of {expected}");
    }

    /// Computed apart from this code with SciPy, by Brent's method on the secular equation; most of
    /// them also by constrained optimisation of the likelihood itself. For [40, 309, 631, 363, 76]
    /// and 3 to 10 normalised Elo, fastchess printed 2.96.
    #[test]
    fn pairs_give_the_known_ratio() {
        for (counts, elo0, elo1, logistic, normalized) in [
            ([10, 40, 100, 50, 12], 0.0, 5.0, 0.3747947, 0.2665686),
            ([10, 40, 100, 50, 12], -3.0, 1.0, 0.4151619, 0.2622953),
            ([10, 40, 100, 50, 12], -200.0, 100.0, 87.6117732, 67.8620535),
            ([0, 0, 50, 0, 0], 0.0, 5.0, -0.7176058, -0.0175612),
            ([0, 0, 50, 0, 0], -3.0, 1.0, 0.288398, 0.0049666),
            ([3, 1, 0, 2, 9], 0.0, 5.0, 0.1078771, 0.1401271),
            ([3, 1, 0, 2, 9], 0.0, 200.0, 1.6378948, 1.4228884),
            ([1200, 9800, 21000, 10200, 1300], 0.0, 5.0, -1.084111, 5.6964928),
            ([1200, 9800, 21000, 10200, 1300], -3.0, 1.0, 28.3795854, 14.6459892),
            ([0, 0, 0, 0, 20], 0.0, 5.0, 0.2857805, 0.4028836),
            ([20, 0, 0, 0, 0], 0.0, 200.0, -14.6600854, -19.9585718),
            ([1, 0, 0, 0, 0], -3.0, 1.0, -0.0115026, -0.016223),
            ([40, 309, 631, 363, 76], 3.0, 10.0, 3.703576, 2.9590911),
            ([104, 524, 876, 653, 141], 0.0, 5.0, 5.2090286, 3.7848315),
        ] {
            let counts = PairCounts(counts);
            for (model, expected) in
                [(EloModel::Logistic, logistic), (EloModel::Normalized, normalized)]
            {
                let what = format!("{counts:?} {model:?} {elo0} {elo1}");
                assert_llr(sprt(elo0, elo1, model).llr(&counts), expected, &what);
                // The other player's test is the mirror image.
                let reversed = sprt(-elo1, -elo0, model).llr(&counts.reversed());
                assert_llr(reversed, -expected, &what);
            }
        }
    }

    #[test]
    fn games_give_the_known_ratio() {
        for ((wins, draws, losses), elo0, elo1, logistic, normalized) in [
            ((120, 300, 80), 0.0, 5.0, 1.3122371, 0.8587051),
            ((120, 300, 80), 0.0, 200.0, -121.2484499, -43.2428892),
            ((0, 50, 0), -3.0, 1.0, 0.2883895, 0.0023182),
            ((9, 2, 3), 0.0, 5.0, 0.099106, 0.0918258),
            ((30, 0, 0), 0.0, 5.0, 0.428628, 0.4286062),
            ((1272, 2255, 1069), 0.0, 5.0, 4.803573, 3.6178338),
        ] {
            let counts = GameCounts { wins, draws, losses };
            for (model, expected) in
                [(EloModel::Logistic, logistic), (EloModel::Normalized, normalized)]
            {
                let what = format!("{counts:?} {model:?} {elo0} {elo1}");
                assert_llr(sprt(elo0, elo1, model).llr_games(&counts), expected, &what);
            }
        }
    }

    #[test]
    fn bounds_are_walds() {
        for (alpha, beta, lower, upper) in [
            (0.05, 0.05, -2.944_438_979, 2.944_438_979),
            (0.05, 0.10, -2.251_291_799, 2.890_371_758),
            (0.01, 0.01, -4.595_119_850, 4.595_119_850),
        ] {
            let bounds = Sprt { alpha, beta, ..sprt(0.0, 5.0, EloModel::Logistic) }.bounds();
            assert!((bounds.0 - lower).abs() < 1e-8, "{alpha} {beta}: {bounds:?}");
            assert!((bounds.1 - upper).abs() < 1e-8, "{alpha} {beta}: {bounds:?}");
        }
    }

    #[test]
    fn impossible_tests_are_refused() {
        for (elo0, elo1, alpha, beta, message) in [
            (5.0, 5.0, 0.05, 0.05, "elo0 must be less than elo1, but 5 is not less than 5"),
            (5.0, 0.0, 0.05, 0.05, "elo0 must be less than elo1, but 5 is not less than 0"),
            (f64::NAN, 0.0, 0.05, 0.05, "elo0 must be less than elo1, but NaN is not less than 0"),
            (0.0, f64::INFINITY, 0.05, 0.05, "Elo bounds must be within ±500, and inf is not"),
            (-1001.0, 0.0, 0.05, 0.05, "Elo bounds must be within ±500, and -1001 is not"),
            (0.0, 5.0, 0.0, 0.05, "alpha must lie between 0 and 1, and 0 does not"),
            (0.0, 5.0, 0.05, 1.0, "beta must lie between 0 and 1, and 1 does not"),
            (0.0, 5.0, f64::NAN, 0.05, "alpha must lie between 0 and 1, and NaN does not"),
            (0.0, 5.0, 0.5, 0.5, "alpha + beta must be less than 1, and 0.5 + 0.5 is not"),
        ] {
            let test = Sprt { elo0, elo1, alpha, beta, model: EloModel::Normalized };
            let error = test.checked().expect_err("an impossible test");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn states_follow_the_ratio() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let test = sprt(0.0, 20.0, model);
            for (counts, state) in [
                ([0, 0, 0, 0, 0], SprtState::Continue),
                ([10, 40, 100, 50, 12], SprtState::Continue),
                ([0, 0, 0, 0, 500], SprtState::AcceptH1),
                ([500, 0, 0, 0, 0], SprtState::AcceptH0),
                ([104, 524, 876, 653, 141], SprtState::AcceptH1),
                ([141, 653, 876, 524, 104], SprtState::AcceptH0),
            ] {
                let found = test.state(test.llr(&PairCounts(counts)));
                assert_eq!(found, state, "{model:?} {counts:?}");
            }
            assert_eq!(test.llr(&PairCounts::default()), 0.0);
            assert_eq!(test.llr_games(&GameCounts::default()), 0.0);
            let games = GameCounts { wins: 1000, draws: 0, losses: 0 };
            assert_eq!(test.state(test.llr_games(&games)), SprtState::AcceptH1);
            assert_eq!(test.state(test.llr_games(&games.reversed())), SprtState::AcceptH0);
        }
    }

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
}
