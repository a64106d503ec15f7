//! Gradient descent: the AdamW optimiser, the learning rate schedule, and losses over training
//! and validation set.

mod adamw;

pub(crate) use adamw::AdamW;

use qirkat_system::parallel;

/// A learning rate that falls during training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LearningRate {
    /// The learning rate of the first step.
    pub first: f64,
    /// The learning rate of the last step.
    pub last: f64,
}

impl LearningRate {
    /// Cosine annealing (I. Loshchilov, F. Hutter, "SGDR", 2016): the rate after
    /// the share `done` of all steps.
    pub fn cosine(&self, done: f64) -> f64 {
        self.last + (self.first - self.last) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0
    }
}

/// Mean losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Over the training set.
    pub training: f64,
    /// Over the validation set, if there is one.
    pub validation: Option<f64>,
}

/// Positions whose losses one thread sums up. The sums are added in the same order
/// whatever the number of threads, so the result is the same.
const CHUNK: usize = 4096;

/// The mean of `loss` over positions by number, computed in parallel; nothing if
/// there are no positions.
pub fn mean_loss(positions: usize, loss: &(dyn Fn(usize) -> f64 + Sync)) -> Option<f64> {
    let sums: Vec<f64> =
        parallel::map_ranges(positions, CHUNK, &|positions| positions.map(loss).sum());
    (positions > 0).then(|| sums.iter().sum::<f64>() / positions as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_begins_and_ends_as_it_says() {
        let rate = LearningRate { first: 0.1, last: 0.001 };
        for (done, expected) in [(0.0, rate.first), (0.5, 0.0505), (1.0, rate.last)] {
            assert!((rate.cosine(done) - expected).abs() < 1e-12);
        }
    }
}
