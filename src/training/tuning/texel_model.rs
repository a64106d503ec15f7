//! The evaluation as a formula of its weights, and the formula's gradient.
//!
//! All terms are linear in the weights except king danger, which is squared.

use qirkat_evaluation::{DANGER_UNIT, Feature, MAX_DANGER};

use super::texel_samples::{Sample, TraceEntry};

/// A number for the middle game and one for the endgame.
pub(super) type Phases = [f64; 2];

/// The weights of all features, or the gradient of each.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights(pub(super) Vec<Phases>);

impl Weights {
    /// The weights that the evaluation uses.
    pub fn current() -> Weights {
        let phases = |feature: Feature| {
            let value = feature.value();
            [value.middle_game().into(), value.endgame().into()]
        };
        Weights(Feature::all().map(phases).collect())
    }

    /// All zero.
    pub(super) fn zero() -> Weights {
        Weights(vec![[0.0; 2]; Feature::COUNT])
    }

    /// The weights of a feature in the middle game and in the endgame, rounded.
    pub fn rounded(&self, feature: Feature) -> [i32; 2] {
        self.0[feature.index()].map(|weight| weight.round() as i32)
    }

    fn sum(&self, entries: &[TraceEntry]) -> Phases {
        entries.iter().fold([0.0; 2], |sum, entry| {
            let weights = self.0[usize::from(entry.feature)];
            let count = f64::from(entry.count);
            [sum[0] + count * weights[0], sum[1] + count * weights[1]]
        })
    }

    /// The value of a position for White, in centipawns.
    pub fn evaluate(&self, sample: &Sample) -> f64 {
        let balance = self.sum(sample.balance);
        let costs = sample.dangers.map(|danger| self.sum(danger).map(danger_cost));
        let phases = [0, 1].map(|phase| balance[phase] - costs[0][phase] + costs[1][phase]);
        phases[0] * sample.phase + phases[1] * (1.0 - sample.phase)
    }

    /// Backward pass: adds the gradient of the position's value, times `factor`, to
    /// `gradients`.
    pub(super) fn backward(&self, sample: &Sample, factor: f64, gradients: &mut Weights) {
        let factors = [factor * sample.phase, factor * (1.0 - sample.phase)];
        gradients.add(sample.balance, factors);
        for (danger, sign) in sample.dangers.into_iter().zip([-1.0, 1.0]) {
            let derivative = self.sum(danger).map(danger_derivative);
            gradients.add(danger, [0, 1].map(|phase| sign * factors[phase] * derivative[phase]));
        }
    }

    fn add(&mut self, entries: &[TraceEntry], factors: Phases) {
        for entry in entries {
            let gradient = &mut self.0[usize::from(entry.feature)];
            let count = f64::from(entry.count);
            *gradient = [gradient[0] + count * factors[0], gradient[1] + count * factors[1]];
        }
    }

    /// Adds to these gradients those of a Gaussian prior around `prior`.
    pub(super) fn add_prior(&mut self, weights: &Weights, prior: &Weights, strength: f64) {
        let weights = weights.0.iter().flatten().zip(prior.0.iter().flatten());
        for (gradient, (weight, prior)) in self.0.iter_mut().flatten().zip(weights) {
            *gradient += strength * (weight - prior);
        }
    }
}

fn danger_cost(danger: f64) -> f64 {
    danger.clamp(0.0, MAX_DANGER.into()).powi(2) / f64::from(DANGER_UNIT)
}

fn danger_derivative(danger: f64) -> f64 {
    let is_counted = danger > 0.0 && danger < MAX_DANGER.into();
    if is_counted { 2.0 * danger / f64::from(DANGER_UNIT) } else { 0.0 }
}

/// The cross-entropy of a result, from 0 to 1, and a predicted probability.
pub(super) fn cross_entropy(probability: f64, result: f64) -> f64 {
    // Far from certainty as results go, near enough to keep logarithms finite.
    let probability = probability.clamp(1e-9, 1.0 - 1e-9);
    -(result * probability.ln() + (1.0 - result) * (1.0 - probability).ln())
}

#[cfg(test)]
mod tests {
    use super::super::texel_samples::SampleSet;
    use super::*;
    use qirkat_evaluation::{evaluate, is_linear};
    use qirkat_game::{Rules, Searchable};
    use qirkat_rules::chesquerque::{Color, Position};
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
                position = position.after(mv);
                if is_linear(&position) {
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
    fn gradients_are_those_of_the_formula() {
        const STEP: f64 = 1e-4;
        let (samples, weights) = (samples(), Weights::current());
        for index in (0..samples.len()).step_by(97) {
            let sample = samples.get(index);
            let mut gradients = Weights::zero();
            weights.backward(&sample, 1.0, &mut gradients);
            for feature in 0..Feature::COUNT {
                for phase in 0..2 {
                    let moved = |step: f64| {
                        let mut moved = weights.clone();
                        moved.0[feature][phase] += step;
                        moved.evaluate(&sample)
                    };
                    let measured = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                    let gradient = gradients.0[feature][phase];
                    let difference = (measured - gradient).abs();
                    assert!(difference < 1e-4, "{feature}: {measured}, {gradient}");
                }
            }
        }
    }
}
