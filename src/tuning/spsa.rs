//! SPSA: tuning many numbers at once by games between two versions that have
//! all of them moved a little, one way and the other (J. C. Spall,
//! "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
//! Gradient Approximation", 1992; the schedule is the one used by Fishtest).

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// A number that is being tuned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpsaNumber {
    /// Its name.
    pub name: String,
    /// Where it stands; only whole numbers are played.
    pub value: f64,
    /// The least value that makes sense.
    pub min: f64,
    /// The greatest value that makes sense.
    pub max: f64,
    /// How far it is moved at the end.
    pub step: f64,
}

/// The run of a tuning.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spsa {
    /// The numbers.
    pub numbers: Vec<SpsaNumber>,
    /// Trials there will be.
    pub trials: usize,
    /// How much of its last step a number moves by for a won game, at the end;
    /// the fewer trials, the more.
    pub rate: f64,
    /// Trials learned from so far.
    pub done: usize,
}

/// Two versions to be played against each other.
#[derive(Clone, Debug)]
pub struct SpsaTrial {
    /// Values of the one.
    pub plus: Vec<i32>,
    /// Values of the other.
    pub minus: Vec<i32>,
    /// How far and which way each number was moved.
    moved: Vec<f64>,
}

/// Exponents that Spall advises for the steps learned and the steps tried.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The part of all trials by which the schedule starts late.
const STABILITY: f64 = 0.1;

impl Spsa {
    /// A trial from where the numbers stand.
    pub fn trial(&self, rng: &mut impl Rng) -> SpsaTrial {
        let shrink = (self.trials as f64 / (self.done + 1) as f64).powf(GAMMA).max(1.0);
        let mut trial = SpsaTrial { plus: Vec::new(), minus: Vec::new(), moved: Vec::new() };
        for number in &self.numbers {
            let moved = number.step * shrink * if rng.random() { 1.0 } else { -1.0 };
            // Rounded at random, so that steps below one count too.
            let mut played = |value: f64| {
                let value = value.clamp(number.min, number.max);
                (value + rng.random::<f64>()).floor().min(number.max) as i32
            };
            trial.plus.push(played(number.value + moved));
            trial.minus.push(played(number.value - moved));
            trial.moved.push(moved);
        }
        trial
    }

    /// Learns from a trial: `outcome` is what the first version scored more
    /// than the second in a pair of games, from -2 to 2.
    pub fn learn(&mut self, trial: &SpsaTrial, outcome: f64) {
        self.done += 1;
        let late = STABILITY * self.trials as f64;
        let rate =
            self.rate * ((late + self.trials as f64) / (late + self.done as f64)).powf(ALPHA);
        for (number, &moved) in self.numbers.iter_mut().zip(&trial.moved) {
            let gain = rate * number.step * number.step / moved * outcome;
            number.value = (number.value + gain).clamp(number.min, number.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    /// Two numbers whose best values are known, and games that are won by
    /// chance, a little more often by who is nearer.
    #[test]
    fn numbers_find_their_best_values() {
        let number = |name: &str, value| SpsaNumber {
            name: name.to_owned(),
            value,
            min: 0.0,
            max: 200.0,
            step: 10.0,
        };
        let mut spsa = Spsa {
            numbers: vec![number("a", 40.0), number("b", 160.0)],
            trials: 20_000,
            rate: 0.002,
            done: 0,
        };
        let mut rng = StdRng::seed_from_u64(1);
        let distance = |values: &[i32]| -> f64 {
            values.iter().zip([90, 100]).map(|(value, best)| f64::from((value - best).abs())).sum()
        };
        for _ in 0..spsa.trials {
            let trial = spsa.trial(&mut rng);
            let better = distance(&trial.minus) - distance(&trial.plus);
            let wins = rng.random::<f64>() < 0.5 + better / 200.0;
            spsa.learn(&trial, if wins { 1.0 } else { -1.0 });
        }
        let values: Vec<f64> = spsa.numbers.iter().map(|number| number.value).collect();
        assert!((values[0] - 90.0).abs() < 12.0 && (values[1] - 100.0).abs() < 12.0, "{values:?}");
    }
}
