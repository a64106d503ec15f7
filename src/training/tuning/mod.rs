//! Tuning: fits the search parameters and the win-draw-loss model to games. Search parameters have
//! no gradient, so they are tried out in games (SPSA, in builds with the feature `tuning`). The
//! win-draw-loss model is fitted by maximum likelihood ([`ScoreSet`]).

#[cfg(any(feature = "tuning", test))]
mod spsa;
#[cfg(feature = "tuning")]
mod spsa_games;

#[cfg(feature = "tuning")]
pub use spsa::{Spsa, SpsaParam};
#[cfg(feature = "tuning")]
pub use spsa_games::SpsaGames;

use qirkat_arena::statistics::GameScore;
use qirkat_evaluation::WdlModel;
use qirkat_game::Rules;
use qirkat_rules::pgn::PgnGame;

/// Scores reported in games, each with the game's result.
#[derive(Default)]
pub struct ScoreSet {
    samples: Vec<ScoreSample>,
    pub games: usize,
}

struct ScoreSample {
    centipawns: f64,
    /// The result for the player who reported the score.
    outcome: GameScore,
}

/// Scores whose expected points lie in the same tenth.
#[derive(Clone, Copy, Default)]
pub struct CalibrationBand {
    pub count: usize,
    /// The mean of the expected points by a model.
    pub expected: f64,
    /// The mean of the points scored.
    pub actual: f64,
}

/// Rows of a calibration table.
pub const BANDS: usize = 10;

/// Scores of at least this many centipawns are left out: they are decided in any model.
const DECIDED: f64 = 1500.0;
/// A lower bound of probabilities that keeps logarithms finite.
const MIN_PROBABILITY: f64 = 1e-9;
/// The first step of the minimum search, in centipawns.
const FIRST_STEP: f64 = 40.0;
const LAST_STEP: f64 = 0.5;

impl ScoreSet {
    /// Adds the scores in a game's comments, such as `+0.31/12 0.5s`, from ply `skip` on.
    pub fn add_game(&mut self, game: &PgnGame, skip: usize) {
        let before = self.samples.len();
        let mut side = game.start.side_to_move();
        for (ply, played) in game.moves.iter().enumerate() {
            let score = played.comment.as_deref().and_then(centipawns);
            if let Some(centipawns) = score.filter(|score| ply >= skip && score.abs() < DECIDED)
                && let Some(outcome) = GameScore::of(game.result, side)
            {
                self.samples.push(ScoreSample { centipawns, outcome });
            }
            side = !side;
        }
        self.games += usize::from(self.samples.len() > before);
    }

    pub fn scores(&self) -> usize {
        self.samples.len()
    }

    /// The mean cross-entropy of the results under a model: the mean negative logarithm of the
    /// probability of what happened.
    pub fn cross_entropy(&self, model: &WdlModel) -> f64 {
        let loss = |sample: &ScoreSample| {
            let chances = model.chances_at(sample.centipawns);
            let probability = match sample.outcome {
                GameScore::Win => chances.win,
                GameScore::Draw => chances.draw(),
                GameScore::Loss => chances.loss,
            };
            -probability.max(MIN_PROBABILITY).ln()
        };
        self.samples.iter().map(loss).sum::<f64>() / self.samples.len().max(1) as f64
    }

    /// The calibration of a model: expected against actual points (a reliability diagram).
    pub fn calibration(&self, model: &WdlModel) -> [CalibrationBand; BANDS] {
        let mut bands = [CalibrationBand::default(); BANDS];
        for sample in &self.samples {
            let expected = model.chances_at(sample.centipawns).expected();
            let band = &mut bands[((expected * BANDS as f64) as usize).min(BANDS - 1)];
            band.count += 1;
            band.expected += expected;
            band.actual += sample.outcome.points();
        }
        for band in &mut bands {
            let count = band.count.max(1) as f64;
            band.expected /= count;
            band.actual /= count;
        }
        bands
    }

    /// The maximum-likelihood model, which has the least cross-entropy. Coordinate search from
    /// `start`, fast enough for two parameters: try a step of each, and halve it if none helps.
    pub fn fit(&self, start: WdlModel) -> WdlModel {
        let mut best = start;
        let mut least = self.cross_entropy(&best);
        let mut step = FIRST_STEP;
        while step >= LAST_STEP {
            let changes = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)];
            let better = changes.into_iter().find_map(|(a, b)| {
                let model = WdlModel { a: (best.a + a).max(0.0), b: (best.b + b).max(1.0) };
                Some((model, self.cross_entropy(&model))).filter(|(_, loss)| *loss < least)
            });
            match better {
                Some((model, loss)) => (best, least) = (model, loss),
                None => step /= 2.0,
            }
        }
        best
    }
}

fn centipawns(comment: &str) -> Option<f64> {
    let (score, _) = comment.split_once('/')?;
    Some(score.parse::<f64>().ok().filter(|score| score.is_finite())? * 100.0)
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn a_known_model_is_recovered() {
        let truth = WdlModel { a: 170.0, b: 60.0 };
        let mut rng = StdRng::seed_from_u64(2);
        let samples = (0..40_000)
            .map(|_| {
                let centipawns = rng.random_range(-600.0..600.0);
                let drawn: f64 = rng.random();
                let outcome = if drawn < truth.win(centipawns) {
                    GameScore::Win
                } else if drawn < truth.win(centipawns) + truth.win(-centipawns) {
                    GameScore::Loss
                } else {
                    GameScore::Draw
                };
                ScoreSample { centipawns, outcome }
            })
            .collect();
        let set = ScoreSet { samples, games: 1 };
        let found = set.fit(WdlModel { a: 100.0, b: 100.0 });
        assert!((found.a - truth.a).abs() < 5.0, "{found:?}");
        assert!((found.b - truth.b).abs() < 5.0, "{found:?}");
        // It is also calibrated in each band, and another model is not.
        let worst = |model: &WdlModel| {
            let bands = set.calibration(model).into_iter().filter(|band| band.count > 500);
            bands.map(|band| (band.expected - band.actual).abs()).fold(0.0, f64::max)
        };
        assert!(worst(&found) < 0.04, "{}", worst(&found));
        assert!(worst(&WdlModel { a: 50.0, b: 300.0 }) > 0.1);
    }

    #[test]
    fn scores_in_comments_are_parsed() {
        for (comment, wanted) in [
            ("+0.31/12 0.5s", Some(31.0)),
            ("-12.00/3 1s", Some(-1200.0)),
            ("+M3/9 0.1s", None),
            ("book", None),
            ("", None),
        ] {
            assert_eq!(centipawns(comment), wanted, "{comment}");
        }
    }
}
