//! The hyperparameters of a training.

use crate::optimiser::LearningRate;

/// How a network is trained.
#[derive(Clone, Copy, Debug)]
pub struct TrainingOptions {
    /// Passes over all positions.
    pub epochs: u32,
    /// Positions whose mean gradient makes one step.
    pub batch_size: usize,
    /// The step size of AdamW, which follows a cosine schedule.
    pub learning_rate: LearningRate,
    /// AdamW's decoupled weight decay: each step shrinks all weights by this share
    /// of the learning rate.
    pub weight_decay: f64,
    /// The weight of the game's result in the target, from 0 (only the search's
    /// score) to 1 (only the result).
    pub wdl_lambda: f64,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl TrainingOptions {
    /// A hash that identifies these hyperparameters.
    pub(super) fn fingerprint(&self) -> u32 {
        let numbers = [
            u64::from(self.epochs),
            self.batch_size as u64,
            self.learning_rate.first.to_bits(),
            self.learning_rate.last.to_bits(),
            self.weight_decay.to_bits(),
            self.wdl_lambda.to_bits(),
            self.seed,
        ];
        crc32fast::hash(&numbers.map(u64::to_le_bytes).concat())
    }
}
