//! Elo estimates: the strength of the first player, with error bars and the likelihood of
//! superiority (LOS).
//!
//! *Logistic* Elo is Arpad Elo's scale: the expected score at a difference of `e` is 1 / (1 +
//! 10^(-e/400)). *Normalised* Elo (nElo) is the t-value of one game, (score - ½) / σ, scaled so
//! that it equals logistic Elo near zero if no game is drawn (M. Van den Bergh, "Comments on
//! Normalized Elo", <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>). It determines
//! how many games are needed to detect a difference, whatever the draw ratio.

use std::f64::consts::LN_10;
use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use qirkat_game::{Color, GameResult};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameScore {
    Loss,
    Draw,
    Win,
}

impl GameScore {
    /// The score of this colour; `None` if the game has no result.
    pub fn of(result: GameResult, color: Color) -> Option<GameScore> {
        Some(match result {
            GameResult::Unfinished => return None,
            GameResult::Draw => GameScore::Draw,
            _ if result.winner() == Some(color) => GameScore::Win,
            _ => GameScore::Loss,
        })
    }

    /// The first player's points: 0, ½ or 1.
    pub const fn points(self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    pub(crate) const fn half_points(self) -> usize {
        match self {
            GameScore::Loss => 0,
            GameScore::Draw => 1,
            GameScore::Win => 2,
        }
    }
}

/// Games by result: the trinomial counts of a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct GameCounts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl GameCounts {
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    pub const fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The first player's points per game; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    pub const fn reversed(self) -> GameCounts {
        GameCounts { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// From the worst result to the best.
    pub(crate) const fn by_result(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl AddAssign for GameCounts {
    fn add_assign(&mut self, other: GameCounts) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

impl AddAssign<GameScore> for GameCounts {
    fn add_assign(&mut self, score: GameScore) {
        let count = match score {
            GameScore::Win => &mut self.wins,
            GameScore::Draw => &mut self.draws,
            GameScore::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }
}

/// Pairs in which the first player scored 0, ½, 1, 1½ and 2 points: the pentanomial counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Pairs with less than one point for the first player.
    pub const fn pairs_lost(&self) -> u64 {
        self.0[0].saturating_add(self.0[1])
    }

    /// Pairs with more than one point for the first player.
    pub const fn pairs_won(&self) -> u64 {
        self.0[3].saturating_add(self.0[4])
    }

    pub const fn reversed(self) -> PairCounts {
        let [a, b, c, d, e] = self.0;
        PairCounts([e, d, c, b, a])
    }
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, other: PairCounts) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }
}

impl AddAssign<[GameScore; 2]> for PairCounts {
    fn add_assign(&mut self, [first, second]: [GameScore; 2]) {
        let count = &mut self.0[first.half_points() + second.half_points()];
        *count = count.saturating_add(1);
    }
}

/// 95 % of a normal distribution lie within this many standard deviations.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// A difference in strength. Neither number is NaN, but the value is infinite if every game was won
/// or lost, and the error if the interval reaches such a score.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    pub value: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

impl EloEstimate {
    /// The likelihood of superiority (LOS): the probability that the true value is positive. It is NaN
    /// if value and error are infinite.
    pub fn los(&self) -> f64 {
        normal_cdf(ratio_from_zero(self.value, self.error / Z_95))
    }
}

/// As fastchess writes it: `15.36 +/- 6.87`.
impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        write!(f, "{:.decimals$} +/- {:.decimals$}", self.value, self.error)
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    pub score: f64,
    /// On the logistic scale. The interval is the score's, mapped through the logistic curve.
    pub elo: EloEstimate,
    pub nelo: EloEstimate,
    /// The likelihood of superiority (LOS): the probability that the first player is stronger.
    pub los: f64,
    /// The share of draws or, in an estimate from pairs, of pairs that were even.
    pub draw_ratio: f64,
    /// Pairs won per pair lost; infinite if none was lost, `None` for 0/0 and for single games.
    pub pairs_ratio: Option<f64>,
}

impl Estimate {
    /// The estimate from pairs; `None` without pairs. The likelihood of superiority is Φ((score -
    /// ½) / standard error), with the observed variance, as in fishtest and fastchess.
    pub fn from_pairs(counts: &PairCounts) -> Option<Estimate> {
        let (won, lost) = (counts.pairs_won() as f64, counts.pairs_lost() as f64);
        Some(Estimate {
            pairs_ratio: (won + lost > 0.0).then(|| won / lost),
            ..Estimate::new(counts.0, 2.0)?
        })
    }

    /// The estimate from single games; `None` without games. For paired games, the pairs give
    /// smaller error bars. The likelihood of superiority is Φ((wins - losses) / √(wins + losses)):
    /// draws do not show who is stronger (R. Coulom's derivation, at
    /// <https://www.chessprogramming.org/Match_Statistics>).
    pub fn from_games(counts: &GameCounts) -> Option<Estimate> {
        let (wins, losses) = (counts.wins as f64, counts.losses as f64);
        Some(Estimate {
            los: normal_cdf(ratio_from_zero(wins - losses, (wins + losses).sqrt())),
            ..Estimate::new(counts.by_result(), 1.0)?
        })
    }

    /// The estimate from results of one game or two, worst first.
    fn new<const N: usize>(counts: [u64; N], games_per_outcome: f64) -> Option<Estimate> {
        let (outcomes, observed) = Distribution::observed(counts)?;
        let score = observed.mean();
        let variance = observed.variance();
        let standard_error = (variance / outcomes).sqrt();
        let margin = Z_95 * standard_error;
        let elo = EloEstimate {
            value: logistic_elo(score),
            error: if score > 0.0 && score < 1.0 {
                (logistic_elo(score + margin) - logistic_elo(score - margin)) / 2.0
            } else {
                f64::INFINITY
            },
        };
        // σ of one game is √2 times that of the mean of two.
        let nelo_per_t_value = NELO_PER_T_VALUE / games_per_outcome.sqrt();
        let t_value = ratio_from_zero(score - 0.5, variance.sqrt());
        let nelo = EloEstimate {
            value: nelo_per_t_value * t_value,
            error: nelo_per_t_value
                * Z_95
                * (t_value_variance(&observed, t_value) / outcomes).sqrt(),
        };
        let los = normal_cdf(ratio_from_zero(score - 0.5, standard_error));
        let draw_ratio = counts[N / 2] as f64 / outcomes;
        Some(Estimate { score, elo, nelo, los, draw_ratio, pairs_ratio: None })
    }
}

/// The variance of the t-value of one outcome, by the delta method: 1 - t·skewness + t²·(kurtosis -
/// 1)/4 (M. Van den Bergh, "Comments on Normalized Elo"; fishtest does the same). Other tools use
/// 1, its value at t = 0.
fn t_value_variance<const N: usize>(observed: &Distribution<N>, t_value: f64) -> f64 {
    if t_value == 0.0 {
        return 1.0;
    }
    if t_value.is_infinite() {
        return f64::INFINITY;
    }
    let variance = observed.variance();
    let skewness = observed.moment(3) / variance.powf(1.5);
    let kurtosis = observed.moment(4) / variance.powi(2);
    (1.0 - t_value * skewness + t_value.powi(2) * (kurtosis - 1.0) / 4.0).max(0.0)
}

/// A ratio, with 0/0 = 0.
fn ratio_from_zero(numerator: f64, denominator: f64) -> f64 {
    if numerator == 0.0 { 0.0 } else { numerator / denominator }
}

pub(super) const NELO_PER_T_VALUE: f64 = 800.0 / LN_10;

/// The expected score of a player with this Elo advantage.
pub(super) fn logistic_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic Elo of an expected score; infinite at and beyond 0 and 1.
fn logistic_elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Replaces zero counts where every outcome must be possible, as in fishtest's `LLRcalc.py`.
const REGULARISED_ZERO: f64 = 1e-3;

/// The probabilities of `N` outcomes that score 0, 1/(N-1), … 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution<const N: usize>(pub [f64; N]);

impl<const N: usize> Distribution<N> {
    /// The observed distribution and the number of outcomes; `None` without outcomes.
    pub fn observed(counts: [u64; N]) -> Option<(f64, Self)> {
        Self::shares(counts.map(|count| count as f64))
    }

    /// The same, with zero counts regularised.
    pub fn regularised(counts: [u64; N]) -> Option<(f64, Self)> {
        if counts == [0; N] {
            return None;
        }
        Self::shares(counts.map(|count| if count == 0 { REGULARISED_ZERO } else { count as f64 }))
    }

    fn shares(counts: [f64; N]) -> Option<(f64, Self)> {
        let total: f64 = counts.iter().sum();
        (total > 0.0).then(|| (total, Self(counts.map(|count| count / total))))
    }

    pub fn scores() -> [f64; N] {
        std::array::from_fn(|index| index as f64 / (N - 1) as f64)
    }

    pub fn expectation(&self, value: impl Fn(f64) -> f64) -> f64 {
        let outcomes = self.0.iter().zip(Self::scores());
        outcomes.map(|(probability, score)| probability * value(score)).sum()
    }

    pub fn mean(&self) -> f64 {
        self.expectation(|score| score)
    }

    pub fn moment(&self, order: i32) -> f64 {
        let mean = self.mean();
        self.expectation(|score| (score - mean).powi(order))
    }

    pub fn variance(&self) -> f64 {
        self.moment(2)
    }
}

/// Beyond this, the normal distribution is 0 or 1 in double precision.
const FARTHEST: f64 = 8.0;

/// The cumulative distribution function of the standard normal distribution, as 1/2 + φ(x) (x +
/// x³/3 + x⁵/(3·5) + …) (G. Marsaglia, "Evaluating the Normal Distribution", 2004).
fn normal_cdf(x: f64) -> f64 {
    let x = x.clamp(-FARTHEST, FARTHEST);
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term.abs() > 0.0 && sum + term / 4.0 != sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::GameScore::{Draw, Loss, Win};
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) -> bool {
        found == expected || (found - expected).abs() < tolerance
    }

    fn assert_known(estimate: &Estimate, known: [f64; 6], counts: &impl fmt::Debug) {
        let Estimate { score, elo, nelo, los, .. } = *estimate;
        let found = [score, elo.value, elo.error, nelo.value, nelo.error, los];
        let tolerances = [1e-6, 1e-5, 1e-5, 1e-5, 1e-5, 1e-7];
        for ((found, known), tolerance) in found.into_iter().zip(known).zip(tolerances) {
            assert!(close(found, known, tolerance), "{counts:?}: {found} instead of {known}");
        }
    }

    /// Computed apart from this code with SciPy, the variance of the t-value from its numerical
    /// gradient. The first two vectors are from fastchess runs, which printed `Elo: 15.36 +/- 6.87,
    /// nElo: 22.49` and `Elo: 277.00 +/- 40.90, nElo: 345.17`.
    #[test]
    fn pairs_show_the_known_strength() {
        for (counts, known) in [
            (
                [104, 524, 876, 653, 141],
                [0.522084, 15.35582, 6.86688, 22.49407, 10.0926, 0.9999943],
            ),
            ([4, 3, 34, 42, 117], [0.831250, 276.995151, 40.899069, 345.169744, 73.260577, 1.0]),
            ([10, 40, 100, 50, 12], [0.516509, 11.476102, 21.42206, 17.75171, 33.1803, 0.8536186]),
            ([3, 1, 0, 2, 9], [0.716667, 161.207814, 211.486, 130.82162, 157.81729, 0.9804136]),
            (
                [1200, 9800, 21000, 10200, 1300],
                [0.503448, 2.39614, 1.35558, 4.08099, 2.30886, 0.9997345],
            ),
        ] {
            let counts = PairCounts(counts);
            let estimate = Estimate::from_pairs(&counts).expect("there are pairs");
            assert_known(&estimate, known, &counts);

            let reversed = Estimate::from_pairs(&counts.reversed()).expect("there are pairs");
            for (a, b) in [(reversed.elo, estimate.elo), (reversed.nelo, estimate.nelo)] {
                assert!(close(a.value, -b.value, 1e-9) && close(a.error, b.error, 1e-9));
            }
            assert!(close(reversed.los, 1.0 - estimate.los, 1e-9));
        }
    }

    /// Computed apart from this code with SciPy.
    #[test]
    fn games_show_the_known_strength() {
        for ((wins, draws, losses), known) in [
            ((10, 0, 5), [0.666667, 120.411998, 221.165778, 122.837029, 197.801364, 0.90164720]),
            ((10, 100, 5), [0.521739, 15.115424, 22.842863, 42.132753, 62.019672, 0.90164720]),
            ((50, 20, 30), [0.6, 70.436504, 62.587730, 79.707190, 71.325568, 0.98732634]),
            ((1272, 2255, 1069), [0.522084, 15.355819, 7.170012, 21.543334, 10.069200, 0.99998639]),
        ] {
            let counts = GameCounts { wins, draws, losses };
            let estimate = Estimate::from_games(&counts).expect("there are games");
            assert_known(&estimate, known, &counts);
        }
    }

    #[test]
    fn ratios_are_of_pairs_or_of_games() {
        for (counts, draw_ratio, pairs_ratio) in [
            ([104, 524, 876, 653, 141], 876.0 / 2298.0, Some(794.0 / 628.0)),
            ([0, 0, 3, 1, 0], 0.75, Some(f64::INFINITY)),
            ([0, 1, 3, 0, 0], 0.75, Some(0.0)),
            ([0, 0, 3, 0, 0], 1.0, None),
        ] {
            let estimate = Estimate::from_pairs(&PairCounts(counts)).expect("there are pairs");
            assert_eq!(estimate.draw_ratio, draw_ratio, "{counts:?}");
            assert_eq!(estimate.pairs_ratio, pairs_ratio, "{counts:?}");
        }
        let games = GameCounts { wins: 5, draws: 1, losses: 2 };
        let estimate = Estimate::from_games(&games).expect("there are games");
        assert_eq!((estimate.draw_ratio, estimate.pairs_ratio), (0.125, None));
    }

    #[test]
    fn one_sided_results_are_infinite_but_never_nan() {
        assert_eq!(Estimate::from_pairs(&PairCounts::default()), None);
        assert_eq!(Estimate::from_games(&GameCounts::default()), None);
        let infinite = f64::INFINITY;
        for (counts, elo, nelo, los) in [
            ([0, 0, 0, 0, 9], (infinite, infinite), (infinite, infinite), 1.0),
            ([9, 0, 0, 0, 0], (-infinite, infinite), (-infinite, infinite), 0.0),
            ([0, 0, 9, 0, 0], (0.0, 0.0), (0.0, 160.504), 0.5),
            ([0, 0, 0, 1, 0], (190.8485, 0.0), (infinite, infinite), 1.0),
            // The interval reaches beyond a score of 1.
            ([1, 0, 0, 0, 2], (120.412, infinite), (86.859, 312.7515), 0.729_854),
        ] {
            let estimate = Estimate::from_pairs(&PairCounts(counts)).expect("there are pairs");
            let found = [estimate.elo, estimate.nelo].map(|elo| [elo.value, elo.error]).concat();
            for (found, expected) in found.into_iter().zip([elo.0, elo.1, nelo.0, nelo.1]) {
                assert!(close(found, expected, 1e-3), "{counts:?}: {found}, not {expected}");
            }
            assert!(close(estimate.los, los, 1e-3), "{counts:?}: {}", estimate.los);
            let json = serde_json::to_value(estimate).expect("an estimate is written");
            assert!(json["score"].is_number() && json["elo"].is_object(), "{json}");
        }
        for (wins, draws, losses, los) in [(4, 0, 0, 0.977_25), (0, 0, 4, 0.022_75), (0, 4, 0, 0.5)]
        {
            let estimate = Estimate::from_games(&GameCounts { wins, draws, losses });
            let found = estimate.expect("there are games").los;
            assert!(close(found, los, 1e-4), "{wins} {draws} {losses}: {found}");
        }
    }

    #[test]
    fn estimates_are_written_as_fastchess_writes_them() {
        for (value, error, text) in [
            (15.355819, 6.866882, "15.36 +/- 6.87"),
            (0.0, 0.0, "0.00 +/- 0.00"),
            (f64::NEG_INFINITY, f64::INFINITY, "-inf +/- inf"),
        ] {
            assert_eq!(EloEstimate { value, error }.to_string(), text);
        }
        assert_eq!(format!("{:.1}", EloEstimate { value: -1.25, error: 3.12 }), "-1.2 +/- 3.1");
    }

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

    #[test]
    fn games_are_counted() {
        let mut counts = GameCounts::default();
        assert_eq!(counts.score(), None);
        for score in [Win, Draw, Win, Loss, Draw, Win] {
            counts += score;
        }
        assert_eq!(counts, GameCounts { wins: 3, draws: 2, losses: 1 });
        assert_eq!((counts.games(), counts.points()), (6, 4.0));
        assert_eq!(counts.score(), Some(4.0 / 6.0));
        counts += counts.reversed();
        assert_eq!(counts, GameCounts { wins: 4, draws: 4, losses: 4 });
        assert_eq!(counts.score(), Some(0.5));
    }

    #[test]
    fn pairs_are_counted() {
        let scores = [Loss, Draw, Win];
        for (first, second) in (0..9).map(|pair| (pair / 3, pair % 3)) {
            let mut expected = [0; 5];
            expected[first + second] = 1;
            let mut counts = PairCounts::default();
            counts += [scores[first], scores[second]];
            assert_eq!(counts, PairCounts(expected), "{first} {second}");
            let mut reversed = PairCounts::default();
            reversed += [scores[2 - first], scores[2 - second]];
            assert_eq!(counts.reversed(), reversed, "{first} {second}");
        }
        let mut counts = PairCounts([1, 2, 3, 4, u64::MAX]);
        counts += PairCounts([10, 20, 30, 40, 50]);
        assert_eq!(counts, PairCounts([11, 22, 33, 44, u64::MAX]));
        assert_eq!((counts.pairs_lost(), counts.pairs_won()), (33, u64::MAX));
    }

    #[test]
    fn counts_survive_json() {
        let counts = (GameCounts { wins: 1, draws: 2, losses: 3 }, PairCounts([1, 2, 3, 4, 5]));
        let text = serde_json::to_string(&counts).expect("counts are written");
        assert_eq!(text, r#"[{"wins":1,"draws":2,"losses":3},[1,2,3,4,5]]"#);
        assert_eq!(serde_json::from_str(&text).ok(), Some(counts));
    }
}
