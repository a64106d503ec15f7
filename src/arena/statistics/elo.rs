//! The two Elo scales.
//!
//! *Logistic* Elo is Arpad Elo's scale with the logistic curve: the expected
//! score at a difference of `e` is 1 / (1 + 10^(-e/400)). *Normalised* Elo
//! (nElo) is the t-value of one game, (score - ½) / σ, scaled so that it
//! equals logistic Elo near zero if no game is drawn (M. Van den Bergh,
//! "Comments on Normalized Elo",
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>). It tells
//! how many games a difference needs to show, whatever the share of draws.

use std::f64::consts::LN_10;

/// Normalised Elo of a t-value of one.
pub(super) const NELO_PER_T_VALUE: f64 = 800.0 / LN_10;

/// The expected score of a player stronger by so much logistic Elo.
pub fn logistic_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic Elo that an expected score shows; infinite at and beyond 0
/// and 1.
pub fn logistic_elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_are_the_textbooks() {
        for (score, elo) in
            [(0.5, 0.0), (0.6, 70.4365), (0.75, 190.8485), (0.9, 381.697), (10.0 / 11.0, 400.0)]
        {
            assert!((logistic_elo(score) - elo).abs() < 1e-4, "{score}");
            assert!((logistic_elo(1.0 - score) + elo).abs() < 1e-4, "{score}");
            assert!((logistic_score(elo) - score).abs() < 1e-6, "{elo}");
        }
        assert!(logistic_elo(0.5).is_sign_positive(), "no minus before a zero");
        for (score, elo) in [(1.0, f64::INFINITY), (1.1, f64::INFINITY), (0.0, f64::NEG_INFINITY)] {
            assert_eq!(logistic_elo(score), elo);
        }
    }

    /// Without draws a small difference is the same on both scales.
    #[test]
    fn the_scales_meet_near_zero() {
        let score = logistic_score(0.1);
        let t_value = (score - 0.5) / (score * (1.0 - score)).sqrt();
        assert!((t_value * NELO_PER_T_VALUE - 0.1).abs() < 1e-6);
    }
}
