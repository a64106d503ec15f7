//! Learning rate schedules.

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
