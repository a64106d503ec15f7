//! Gradient descent, as the trainer of networks and the tuner of the hand-crafted
//! evaluation share it: the AdamW optimiser, learning rate schedules, and losses
//! over training and validation set.

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

    /// Exponential decay: the rate after the share `done` of all steps.
    pub fn exponential(&self, done: f64) -> f64 {
        self.first * (self.last / self.first).powf(done)
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
    fn schedules_begin_and_end_as_they_say() {
        let rate = LearningRate { first: 0.1, last: 0.001 };
        for schedule in [LearningRate::cosine, LearningRate::exponential] {
            assert!((schedule(&rate, 0.0) - rate.first).abs() < 1e-12);
            assert!((schedule(&rate, 1.0) - rate.last).abs() < 1e-12);
        }
        assert!((rate.cosine(0.5) - 0.0505).abs() < 1e-12);
        assert!((rate.exponential(0.5) - 0.01).abs() < 1e-12);
    }
}
