//! The evaluation as a formula of its numbers, and its slope.

use super::samples::{Entry, Sample};
use crate::evaluation::{DANGER_UNIT, Feature, UTMOST_DANGER};

/// A worth in the middle game and one in the endgame.
pub(super) type Pair = [f64; 2];

/// A number for each feature and part of the game: worths, or slopes.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights(pub(super) Vec<Pair>);

impl Weights {
    /// The worths that the evaluation uses.
    pub fn current() -> Weights {
        let pair = |feature: Feature| {
            let value = feature.value();
            [value.middle_game().into(), value.endgame().into()]
        };
        Weights(Feature::all().map(pair).collect())
    }

    /// Nothing for any feature.
    pub(super) fn zero() -> Weights {
        Weights(vec![[0.0; 2]; Feature::COUNT])
    }

    /// The worth of a feature in the middle game and in the endgame, rounded.
    pub fn rounded(&self, feature: Feature) -> [i32; 2] {
        self.0[feature.index()].map(|worth| worth.round() as i32)
    }

    fn sum(&self, entries: &[Entry]) -> Pair {
        entries.iter().fold([0.0; 2], |sum, entry| {
            let worth = self.0[usize::from(entry.feature)];
            let count = f64::from(entry.count);
            [sum[0] + count * worth[0], sum[1] + count * worth[1]]
        })
    }

    /// What a position is worth to White, in centipawns.
    pub fn evaluate(&self, sample: &Sample) -> f64 {
        let balance = self.sum(sample.balance);
        let costs = sample.dangers.map(|danger| self.sum(danger).map(danger_cost));
        let parts = [0, 1].map(|part| balance[part] - costs[0][part] + costs[1][part]);
        parts[0] * sample.share + parts[1] * (1.0 - sample.share)
    }

    /// Adds to `slopes` how the worth of a position changes with each number,
    /// times `factor`.
    pub(super) fn add_slopes(&self, sample: &Sample, factor: f64, slopes: &mut Weights) {
        let shares = [factor * sample.share, factor * (1.0 - sample.share)];
        slopes.add(sample.balance, shares);
        for (danger, sign) in sample.dangers.into_iter().zip([-1.0, 1.0]) {
            let steepness = self.sum(danger).map(danger_slope);
            slopes.add(danger, [0, 1].map(|part| sign * shares[part] * steepness[part]));
        }
    }

    fn add(&mut self, entries: &[Entry], factors: Pair) {
        for entry in entries {
            let slope = &mut self.0[usize::from(entry.feature)];
            let count = f64::from(entry.count);
            *slope = [slope[0] + count * factors[0], slope[1] + count * factors[1]];
        }
    }
}

fn danger_cost(danger: f64) -> f64 {
    danger.clamp(0.0, UTMOST_DANGER.into()).powi(2) / f64::from(DANGER_UNIT)
}

fn danger_slope(danger: f64) -> f64 {
    let is_counted = danger > 0.0 && danger < UTMOST_DANGER.into();
    if is_counted { 2.0 * danger / f64::from(DANGER_UNIT) } else { 0.0 }
}

/// The chance of White to win, by the logistic curve: `scale` centipawns make
/// the odds e to one.
pub(super) fn chance(worth: f64, scale: f64) -> f64 {
    crate::sigmoid::sigmoid(worth / scale)
}

/// How badly a chance foretold a result: the logarithm of the odds against.
pub(super) fn loss(chance: f64, result: f64) -> f64 {
    // Far from certainty as results go, near enough to keep logarithms finite.
    let chance = chance.clamp(1e-9, 1.0 - 1e-9);
    -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
}

#[cfg(test)]
mod tests {
    use super::super::samples::SampleSet;
    use super::*;
    use crate::evaluation::{evaluate, sums_up};
    use crate::position::{Color, Position};
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    /// Positions of random games that like to capture.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..20 {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut position = Position::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                let noisy: Vec<_> =
                    moves.iter().copied().filter(|&mv| position.is_noisy(mv)).collect();
                let chosen = if rng.random_bool(0.3) { noisy.choose(&mut rng) } else { None };
                let Some(&mv) = chosen.or_else(|| moves.choose(&mut rng)) else { break };
                position = position.play(mv);
                if sums_up(&position) {
                    positions.push(position);
                }
            }
        }
        positions
    }

    fn samples() -> SampleSet {
        let mut set = SampleSet::default();
        positions().iter().for_each(|position| set.add(position, 0.5));
        set
    }

    #[test]
    fn the_formula_is_the_evaluation() {
        let (positions, samples, weights) = (positions(), samples(), Weights::current());
        assert!(positions.len() > 1000);
        for (index, position) in positions.iter().enumerate() {
            let for_white = match position.side_to_move() {
                Color::White => evaluate(position).value(),
                Color::Black => -evaluate(position).value(),
            };
            let by_formula = weights.evaluate(&samples.get(index));
            // The engine rounds each king's danger and the whole.
            assert!((by_formula - f64::from(for_white)).abs() < 3.5, "{position}: {by_formula}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_formula() {
        const STEP: f64 = 1e-4;
        let (samples, weights) = (samples(), Weights::current());
        for index in (0..samples.len()).step_by(97) {
            let sample = samples.get(index);
            let mut slopes = Weights::zero();
            weights.add_slopes(&sample, 1.0, &mut slopes);
            for feature in 0..Feature::COUNT {
                for part in 0..2 {
                    let moved = |step: f64| {
                        let mut moved = weights.clone();
                        moved.0[feature][part] += step;
                        moved.evaluate(&sample)
                    };
                    let measured = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                    let slope = slopes.0[feature][part];
                    assert!((measured - slope).abs() < 1e-4, "{feature}: {measured}, {slope}");
                }
            }
        }
    }
}
