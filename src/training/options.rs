//! How to learn.

/// How a network is learned.
#[derive(Clone, Copy, Debug)]
pub struct TrainingOptions {
    /// How often every position is looked at.
    pub epochs: u32,
    /// Positions of each step.
    pub batch: usize,
    /// How far a number moves with a step at first, and at last; in between
    /// the length falls as a cosine does.
    pub rates: [f64; 2],
    /// Which part of itself every weight loses with each step, in parts of
    /// the step's length.
    pub decay: f64,
    /// How much the game's result counts beside the search's score, from 0
    /// to 1.
    pub result_share: f64,
    /// What everything random comes from.
    pub seed: u64,
}

impl TrainingOptions {
    /// A number that tells this way to learn from others.
    pub(super) fn fingerprint(&self) -> u32 {
        let numbers = [
            u64::from(self.epochs),
            self.batch as u64,
            self.rates[0].to_bits(),
            self.rates[1].to_bits(),
            self.decay.to_bits(),
            self.result_share.to_bits(),
            self.seed,
        ];
        crc32fast::hash(&numbers.map(u64::to_le_bytes).concat())
    }

    /// The length of a step, after this share of all steps.
    pub(super) fn rate(&self, done: f64) -> f64 {
        let [first, last] = self.rates;
        last + (first - last) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0
    }
}
