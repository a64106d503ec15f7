//! Walking downhill.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::model::{Weights, chance, loss};
use super::samples::SampleSet;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// How often every position is looked at.
    pub epochs: usize,
    /// Positions of each step.
    pub batch: usize,
    /// Centipawns that a number moves by at most with a step, at first.
    pub rate: f64,
    /// How far, in centipawns, a number is expected to lie from its present
    /// worth. What few games tell about stays nearer.
    pub spread: f64,
    /// What the order of positions comes from.
    pub seed: u64,
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Counted from 1.
    pub number: usize,
    /// Mean loss over the positions that are fitted.
    pub training: f64,
    /// Mean loss over positions held back.
    pub validation: f64,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct FitResult {
    /// The numbers found.
    pub weights: Weights,
    /// Centipawns that make the odds of a win e to one.
    pub scale: f64,
    /// Losses before.
    pub before: Epoch,
    /// Losses after.
    pub after: Epoch,
}

/// Positions that one thread takes at a time. Sums are made in the same order
/// whatever the number of threads, so the result is the same.
const CHUNK: usize = 1024;

/// Adam's memory for slopes and for their squares, and its guard against
/// division by zero.
const SLOPE_MEMORY: f64 = 0.9;
const SQUARE_MEMORY: f64 = 0.999;
const SMALLEST_SLOPE: f64 = 1e-12;

/// The last step is this much shorter than the first.
const LAST_RATE: f64 = 0.02;

/// Fits the current worths to `training`. After each epoch `progress` hears
/// how well they foretell the results.
pub fn fit(
    training: &SampleSet,
    validation: &SampleSet,
    options: &FitOptions,
    progress: &mut dyn FnMut(&Epoch),
) -> FitResult {
    let start = Weights::current();
    let scale = best_scale(training, &start);
    let measure = |number, weights: &Weights| Epoch {
        number,
        training: mean_loss(training, weights, scale),
        validation: mean_loss(validation, weights, scale),
    };
    let before = measure(0, &start);
    let mut after = before;
    // The positions of a game share its result, so they count as one.
    let pull = 1.0 / (options.spread.powi(2) * training.games().max(1) as f64);
    let mut adam = Adam::new(start, pull);
    let mut rng = StdRng::seed_from_u64(options.seed);
    let mut order: Vec<usize> = (0..training.len()).collect();
    for number in 1..=options.epochs {
        order.shuffle(&mut rng);
        // The rate falls evenly on a logarithmic scale.
        let done = (number - 1) as f64 / options.epochs as f64;
        let rate = options.rate * LAST_RATE.powf(done);
        for batch in order.chunks(options.batch.max(1)) {
            adam.step(training, batch, scale, rate);
        }
        after = measure(number, &adam.weights);
        progress(&after);
    }
    FitResult { weights: adam.weights, scale, before, after }
}

/// The scale with which these worths foretell the results best, by golden
/// section search.
fn best_scale(samples: &SampleSet, weights: &Weights) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (20.0, 2000.0);
    while high - low > 0.5 {
        let inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let [left, right] = inner.map(|scale| mean_loss(samples, weights, scale));
        if left < right { high = inner[1] } else { low = inner[0] }
    }
    (low + high) / 2.0
}

fn mean_loss(samples: &SampleSet, weights: &Weights, scale: f64) -> f64 {
    let starts: Vec<usize> = (0..samples.len()).step_by(CHUNK).collect();
    let sums: Vec<f64> = starts
        .into_par_iter()
        .map(|start| {
            (start..samples.len().min(start + CHUNK))
                .map(|index| {
                    let sample = samples.get(index);
                    loss(chance(weights.evaluate(&sample), scale), sample.result)
                })
                .sum()
        })
        .collect();
    sums.into_iter().sum::<f64>() / samples.len().max(1) as f64
}

/// The slope of the mean loss over these positions.
fn slopes(samples: &SampleSet, indices: &[usize], weights: &Weights, scale: f64) -> Weights {
    let parts: Vec<Weights> = indices
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut slopes = Weights::zero();
            for &index in chunk {
                let sample = samples.get(index);
                let error = chance(weights.evaluate(&sample), scale) - sample.result;
                let factor = error / (scale * indices.len() as f64);
                weights.add_slopes(&sample, factor, &mut slopes);
            }
            slopes
        })
        .collect();
    let mut sum = Weights::zero();
    for part in parts {
        for (sum, slope) in sum.0.iter_mut().flatten().zip(part.0.into_iter().flatten()) {
            *sum += slope;
        }
    }
    sum
}

/// Adam: each number moves by its mean slope in units of the slope's usual
/// size.
struct Adam {
    start: Weights,
    /// How strongly each number is drawn back to its start, by distance.
    pull: f64,
    weights: Weights,
    mean: Weights,
    square: Weights,
    steps: i32,
}

impl Adam {
    fn new(start: Weights, pull: f64) -> Adam {
        Adam {
            weights: start.clone(),
            start,
            pull,
            mean: Weights::zero(),
            square: Weights::zero(),
            steps: 0,
        }
    }

    fn step(&mut self, samples: &SampleSet, batch: &[usize], scale: f64, rate: f64) {
        let slopes = slopes(samples, batch, &self.weights, scale);
        self.steps += 1;
        let mean_share = 1.0 - SLOPE_MEMORY.powi(self.steps);
        let square_share = 1.0 - SQUARE_MEMORY.powi(self.steps);
        let numbers = self.weights.0.iter_mut().flatten();
        let memories = self.mean.0.iter_mut().flatten().zip(self.square.0.iter_mut().flatten());
        let slopes = slopes.0.iter().flatten().zip(self.start.0.iter().flatten());
        for ((number, (mean, square)), (slope, start)) in numbers.zip(memories).zip(slopes) {
            let slope = slope + self.pull * (*number - start);
            *mean = SLOPE_MEMORY * *mean + (1.0 - SLOPE_MEMORY) * slope;
            *square = SQUARE_MEMORY * *square + (1.0 - SQUARE_MEMORY) * slope * slope;
            let usual = (*square / square_share).sqrt();
            *number -= rate * (*mean / mean_share) / (usual + SMALLEST_SLOPE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// Positions whose results follow from a knight's place alone.
    fn toy_set() -> SampleSet {
        let mut set = SampleSet::default();
        for (fen, result) in [
            ("4k4/9/9/9/4N4/9/9/P8/4K4 w - - 0 1", 1.0),
            ("4k4/9/9/9/9/9/9/P7N/4K4 w - - 0 1", 0.0),
            ("4k4/p8/9/9/4n4/9/9/9/4K4 w - - 0 1", 0.0),
            ("4k4/p7n/9/9/9/9/9/9/4K4 w - - 0 1", 1.0),
        ] {
            let position = Position::from_fen(fen).expect("a valid FEN").position;
            set.add(&position, result);
        }
        set
    }

    #[test]
    fn fitting_lowers_the_loss_and_can_be_repeated() {
        let set = toy_set();
        let options = FitOptions { epochs: 200, batch: 3, rate: 5.0, spread: 1e3, seed: 1 };
        let mut heard = 0;
        let result = fit(&set, &set, &options, &mut |_| heard += 1);
        assert_eq!(heard, options.epochs);
        assert!(result.after.training < result.before.training / 2.0, "{result:?}");
        assert!((result.after.training - result.after.validation).abs() < 1e-12);
        let again = fit(&set, &set, &options, &mut |_| {});
        assert_eq!(again.weights, result.weights);
    }
}
