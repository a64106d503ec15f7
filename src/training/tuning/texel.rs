//! Texel tuning: fits the weights of the evaluation to the results of games by
//! gradient descent (Adam).

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use qirkat_evaluation::sigmoid;
use qirkat_system::parallel;

use super::texel_model::{Weights, cross_entropy};
use super::texel_samples::SampleSet;
use crate::optimiser::{AdamW, LearningRate, Losses, mean_loss};

/// The hyperparameters of a fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// Passes over all positions.
    pub epochs: usize,
    /// Positions whose mean gradient makes one step.
    pub batch_size: usize,
    /// The learning rate at first, in centipawns. It decays exponentially.
    pub learning_rate: f64,
    /// The standard deviation, in centipawns, of a Gaussian prior around the present
    /// weights (L2 regularisation). Weights of rare features stay nearer to them.
    pub prior_sd: f64,
    /// The seed of the order of positions.
    pub seed: u64,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct FitResult {
    /// The fitted weights.
    pub weights: Weights,
    /// Centipawns that make the odds of a win e to one (Texel's 1/K).
    pub scale: f64,
    /// Losses before.
    pub before: Losses,
    /// Losses after.
    pub after: Losses,
}

/// Positions whose gradients one thread sums up. The sums are added in the same order
/// whatever the number of threads, so the result is the same.
const CHUNK: usize = 1024;

/// Adam's epsilon, which prevents division by zero. Small, since gradients of rare features
/// are small.
const EPSILON: f64 = 1e-12;

/// The last learning rate, as a share of the first.
const LAST_RATE: f64 = 0.02;

/// Fits the present weights to `training`. After each epoch `on_epoch` is called with
/// the losses.
pub fn fit(
    training: &SampleSet,
    validation: &SampleSet,
    options: &FitOptions,
    on_epoch: &mut dyn FnMut(&Losses),
) -> FitResult {
    let prior = Weights::current();
    let scale = best_scale(training, &prior);
    let losses = |weights: &Weights| Losses {
        training: cross_entropy_of(training, weights, scale).unwrap_or_default(),
        validation: cross_entropy_of(validation, weights, scale),
    };
    let before = losses(&prior);
    let mut after = before;
    // The positions of a game share its result, so a game is one observation.
    let prior_strength = 1.0 / (options.prior_sd.powi(2) * training.games().max(1) as f64);
    let learning_rate =
        LearningRate { first: options.learning_rate, last: options.learning_rate * LAST_RATE };
    let mut weights = prior.clone();
    let mut adam = AdamW::new(&weights.0, EPSILON);
    let mut rng = StdRng::seed_from_u64(options.seed);
    let mut order: Vec<usize> = (0..training.len()).collect();
    for epoch in 0..options.epochs {
        order.shuffle(&mut rng);
        let rate = learning_rate.exponential(epoch as f64 / options.epochs as f64);
        for batch in order.chunks(options.batch_size.max(1)) {
            let mut gradients = mean_gradients(training, batch, &weights, scale);
            gradients.add_prior(&weights, &prior, prior_strength);
            adam.step(&mut weights.0, &gradients.0, rate, 0.0, |_| f64::INFINITY);
        }
        after = losses(&weights);
        on_epoch(&after);
    }
    FitResult { weights, scale, before, after }
}

/// The scale with which these weights predict the results best, by golden section
/// search.
fn best_scale(samples: &SampleSet, weights: &Weights) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (20.0, 2000.0);
    while high - low > 0.5 {
        let inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let [left, right] =
            inner.map(|scale| cross_entropy_of(samples, weights, scale).unwrap_or_default());
        if left < right { high = inner[1] } else { low = inner[0] }
    }
    (low + high) / 2.0
}

/// The mean cross-entropy of the results; nothing if there are no positions.
fn cross_entropy_of(samples: &SampleSet, weights: &Weights, scale: f64) -> Option<f64> {
    mean_loss(samples.len(), &|index| {
        let sample = samples.get(index);
        cross_entropy(sigmoid(weights.evaluate(&sample) / scale), sample.result)
    })
}

/// The gradients of the mean cross-entropy over a batch.
fn mean_gradients(samples: &SampleSet, batch: &[usize], weights: &Weights, scale: f64) -> Weights {
    let parts = parallel::map_ranges(batch.len(), CHUNK, &|places| {
        let mut gradients = Weights::zero();
        for &index in &batch[places] {
            let sample = samples.get(index);
            let error = sigmoid(weights.evaluate(&sample) / scale) - sample.result;
            weights.backward(&sample, error / (scale * batch.len() as f64), &mut gradients);
        }
        gradients
    });
    let mut sum = Weights::zero();
    for part in parts {
        for (sum, gradient) in sum.0.iter_mut().flatten().zip(part.0.into_iter().flatten()) {
            *sum += gradient;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::chesquerque::Position;

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
        let options =
            FitOptions { epochs: 200, batch_size: 3, learning_rate: 5.0, prior_sd: 1e3, seed: 1 };
        let mut epochs = 0;
        let result = fit(&set, &set, &options, &mut |_| epochs += 1);
        assert_eq!(epochs, options.epochs);
        assert!(result.after.training < result.before.training / 2.0, "{result:?}");
        let validation = result.after.validation.expect("a validation set");
        assert!((result.after.training - validation).abs() < 1e-12);
        let again = fit(&set, &set, &options, &mut |_| {});
        assert_eq!(again.weights, result.weights);
    }
}
