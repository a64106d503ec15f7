//! The AdamW optimiser: Adam (D. Kingma, J. Ba, "Adam: A Method for Stochastic
//! Optimization", 2014) with decoupled weight decay (I. Loshchilov, F. Hutter,
//! "Decoupled Weight Decay Regularization", 2017).

use qirkat_system::parallel;

/// Exponential decay rates of the moments, as Kingma and Ba advise.
const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;

/// Rows that a thread takes at a time.
const GRAIN: usize = 64;

/// The state of AdamW, for parameters in rows `R`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AdamW<R> {
    /// First moment: running means of the gradients.
    pub first_moment: Vec<R>,
    /// Second moment: running means of their squares.
    pub second_moment: Vec<R>,
    /// Steps so far, which the bias correction needs.
    pub steps: u64,
    /// Epsilon, which prevents division by zero.
    epsilon: f32,
}

impl<R: Clone + AsRef<[f32]> + AsMut<[f32]> + Send + Sync> AdamW<R> {
    /// No step taken yet from these parameters.
    pub fn new(parameters: &[R], epsilon: f32) -> AdamW<R> {
        let mut zero = parameters.to_vec();
        zero.iter_mut().for_each(|row| row.as_mut().fill(0.0));
        AdamW { first_moment: zero.clone(), second_moment: zero, steps: 0, epsilon }
    }

    /// Takes a step against the gradients. The parameters of each row stay within
    /// plus and minus `bound(row)`.
    pub fn step(
        &mut self,
        parameters: &mut [R],
        gradients: &[R],
        learning_rate: f64,
        weight_decay: f64,
        bound: impl Fn(usize) -> f32 + Sync,
    ) {
        let (beta1, beta2) = (BETA1 as f32, BETA2 as f32);
        self.steps = self.steps.saturating_add(1);
        let steps = self.steps.min(i32::MAX as u64) as i32;
        let bias_correction1 = 1.0 - beta1.powi(steps);
        let bias_correction2 = 1.0 - beta2.powi(steps);
        let step_size = learning_rate as f32 / bias_correction1;
        let kept = (1.0 - learning_rate * weight_decay) as f32;
        let epsilon = self.epsilon;
        let moments = self.first_moment.iter_mut().zip(&mut self.second_moment);
        let mut rows: Vec<_> = parameters.iter_mut().zip(gradients).zip(moments).collect();
        parallel::for_each_mut(&mut rows, GRAIN, &|row, item| {
            let ((parameters, gradients), (first, second)) = item;
            let (parameters, gradients) = (parameters.as_mut(), gradients.as_ref());
            let (first, second) = (first.as_mut(), second.as_mut());
            let bound = bound(row);
            for index in 0..gradients.len() {
                let gradient = gradients[index];
                first[index] = first[index] + (1.0 - beta1) * (gradient - first[index]);
                second[index] =
                    second[index] + (1.0 - beta2) * (gradient * gradient - second[index]);
                let size = (second[index] / bias_correction2).sqrt() + epsilon;
                let moved = parameters[index] * kept - step_size * first[index] / size;
                parameters[index] = moved.clamp(-bound, bound);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It finds the minimum of (x - 3)² and (y + 1)², or comes near it.
    #[test]
    fn minima_are_found_within_bounds() {
        for (bound, wanted) in [(f32::INFINITY, [3.0, -1.0]), (2.0, [2.0, -1.0])] {
            let mut parameters = [[0.0, 0.0]];
            let mut adamw = AdamW::new(&parameters, 1e-8);
            for _ in 0..2000 {
                let gradients = [[2.0 * (parameters[0][0] - 3.0), 2.0 * (parameters[0][1] + 1.0)]];
                adamw.step(&mut parameters, &gradients, 0.01, 0.0, |_| bound);
            }
            for (found, wanted) in parameters[0].iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-3, "{parameters:?}");
            }
        }
    }

    /// Weight decay alone shrinks parameters by its share of the learning rate.
    #[test]
    fn weight_decay_is_decoupled() {
        let mut parameters = [[1.0f32]];
        AdamW::new(&parameters, 1e-8).step(&mut parameters, &[[0.0]], 0.5, 0.1, |_| f32::INFINITY);
        assert!((parameters[0][0] - 0.95).abs() < 1e-6, "{parameters:?}");
    }
}
