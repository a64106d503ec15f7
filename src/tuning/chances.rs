//! Fits what scores tell of results.

use crate::evaluation::ChanceModel;
use crate::pgn::{GameResult, PgnGame};
use crate::position::Color;

/// Scores that players told, with what became of them.
#[derive(Default)]
pub struct ScoreSet {
    samples: Vec<ScoreSample>,
}

struct ScoreSample {
    centipawns: f64,
    ending: Ending,
}

/// The game's end, for the player who told the score.
#[derive(Clone, Copy)]
enum Ending {
    Won,
    Drawn,
    Lost,
}

/// Scores beyond this are won, whatever the curve.
const DECIDED: f64 = 1500.0;
/// Chances below this are taken for it, so that no game is impossible.
const LEAST_CHANCE: f64 = 1e-9;
/// Centipawns by which the fit changes its numbers at first, and at last.
const STEPS: [f64; 2] = [40.0, 0.5];

impl ScoreSet {
    /// Adds the scores in a game's comments, such as `+0.31/12 0.5s`, its
    /// first `skip` plies left out.
    pub fn add_game(&mut self, game: &PgnGame, skip: usize) {
        let winner = match game.result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::Unfinished => return,
        };
        let mut side = game.start.side_to_move();
        for (ply, played) in game.moves.iter().enumerate() {
            let told = played.comment.as_deref().and_then(centipawns);
            if let Some(centipawns) = told.filter(|told| ply >= skip && told.abs() < DECIDED) {
                let ending = match winner {
                    None => Ending::Drawn,
                    Some(winner) if winner == side => Ending::Won,
                    Some(_) => Ending::Lost,
                };
                self.samples.push(ScoreSample { centipawns, ending });
            }
            side = !side;
        }
    }

    /// How many scores there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// How surprising the results are to a model, on average: minus the
    /// logarithm of the chance it gave.
    pub fn surprise(&self, model: &ChanceModel) -> f64 {
        let sum: f64 = self
            .samples
            .iter()
            .map(|sample| {
                let (win, loss) = (model.win(sample.centipawns), model.win(-sample.centipawns));
                let chance = match sample.ending {
                    Ending::Won => win,
                    Ending::Drawn => 1.0 - win - loss,
                    Ending::Lost => loss,
                };
                -chance.max(LEAST_CHANCE).ln()
            })
            .sum();
        sum / self.samples.len().max(1) as f64
    }

    /// The model that is surprised least, found by trying smaller and smaller
    /// changes of either number.
    pub fn fit(&self) -> ChanceModel {
        let mut best = ChanceModel::FITTED;
        let mut least = self.surprise(&best);
        let [mut step, last] = STEPS;
        while step >= last {
            let changes = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)];
            let better = changes.into_iter().find_map(|(even, slope)| {
                let model = ChanceModel {
                    even: (best.even + even).max(0.0),
                    slope: (best.slope + slope).max(1.0),
                };
                Some((model, self.surprise(&model))).filter(|(_, surprise)| *surprise < least)
            });
            match better {
                Some((model, surprise)) => (best, least) = (model, surprise),
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
    fn a_known_model_is_found_again() {
        let truth = ChanceModel { even: 170.0, slope: 60.0 };
        let mut rng = StdRng::seed_from_u64(2);
        let samples = (0..40_000)
            .map(|_| {
                let centipawns = rng.random_range(-600.0..600.0);
                let lot: f64 = rng.random();
                let ending = if lot < truth.win(centipawns) {
                    Ending::Won
                } else if lot < truth.win(centipawns) + truth.win(-centipawns) {
                    Ending::Lost
                } else {
                    Ending::Drawn
                };
                ScoreSample { centipawns, ending }
            })
            .collect();
        let set = ScoreSet { samples };
        let found = set.fit();
        assert!((found.even - truth.even).abs() < 5.0, "{found:?}");
        assert!((found.slope - truth.slope).abs() < 5.0, "{found:?}");
    }

    #[test]
    fn scores_are_read_from_comments() {
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
