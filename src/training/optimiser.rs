//! The AdamW optimiser (D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2014; with
//! decoupled weight decay, I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization",
//! 2017), the learning rate schedule, and the losses with their plot.

use std::error::Error;

use plotters::prelude::*;
use thiserror::Error;

use qirkat_system::parallel;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LearningRate {
    pub first: f64,
    pub last: f64,
}

impl LearningRate {
    /// Cosine annealing (I. Loshchilov, F. Hutter, "SGDR", 2016): the rate after this fraction of
    /// the steps.
    pub fn cosine(&self, done: f64) -> f64 {
        self.last + (self.first - self.last) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    pub training: f64,
    pub validation: Option<f64>,
}

/// Positions whose losses a thread sums at a time. Sums are added in a fixed order, so the result
/// does not depend on the number of threads.
const CHUNK: usize = 4096;

/// The mean of `loss` over positions by index, computed in parallel; `None` without positions.
pub fn mean_loss(positions: usize, loss: &(dyn Fn(usize) -> f64 + Sync)) -> Option<f64> {
    let sums: Vec<f64> =
        parallel::map_ranges(positions, CHUNK, &|positions| positions.map(loss).sum());
    (positions > 0).then(|| sums.iter().sum::<f64>() / positions as f64)
}

/// Decay rates of the moments, as recommended by Kingma and Ba.
const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;

/// Rows that a thread takes at a time.
pub(crate) const ROWS_PER_TASK: usize = 64;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AdamW<R> {
    /// First moments: running means of the gradients.
    pub first_moment: Vec<R>,
    /// Second moments: running means of the squared gradients.
    pub second_moment: Vec<R>,
    /// What the parameters decay to: zero, or where fine-tuning began, so that what earlier
    /// positions taught is not forgotten (L2-SP; X. Li, Y. Grandvalet, F. Davoine, "Explicit
    /// Inductive Bias for Transfer Learning with Convolutional Networks", 2018).
    pub decay_target: Vec<R>,
    /// Steps so far, for the bias correction.
    pub steps: u64,
    epsilon: f32,
}

impl<R: Clone + AsRef<[f32]> + AsMut<[f32]> + Send + Sync> AdamW<R> {
    pub fn new(parameters: &[R], epsilon: f32) -> AdamW<R> {
        let mut zero = parameters.to_vec();
        zero.iter_mut().for_each(|row| row.as_mut().fill(0.0));
        let (first_moment, second_moment) = (zero.clone(), zero.clone());
        AdamW { first_moment, second_moment, decay_target: zero, steps: 0, epsilon }
    }

    /// Takes a step against the gradients and clamps the parameters of each row to ±`bound(row)`.
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
        let parameters = parameters.iter_mut().zip(&self.decay_target);
        let mut rows: Vec<_> = parameters.zip(gradients).zip(moments).collect();
        parallel::for_each_mut(&mut rows, ROWS_PER_TASK, &|row, item| {
            let (((parameters, target), gradients), (first, second)) = item;
            let (parameters, gradients) = (parameters.as_mut(), gradients.as_ref());
            let (first, second) = (first.as_mut(), second.as_mut());
            let target = target.as_ref();
            let bound = bound(row);
            for index in 0..gradients.len() {
                let gradient = gradients[index];
                first[index] = first[index] + (1.0 - beta1) * (gradient - first[index]);
                second[index] =
                    second[index] + (1.0 - beta2) * (gradient * gradient - second[index]);
                let size = (second[index] / bias_correction2).sqrt() + epsilon;
                let decayed = target[index] + (parameters[index] - target[index]) * kept;
                let moved = decayed - step_size * first[index] / size;
                parameters[index] = moved.clamp(-bound, bound);
            }
        });
    }
}

#[derive(Debug, Error)]
#[error("the plot of the losses: {0}")]
pub struct PlotError(String);

const SIZE: (u32, u32) = (800, 480);
const FONT: (&str, u32) = ("sans-serif", 16);

pub fn plot_losses(losses: &[Losses]) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw(&mut svg, losses).map_err(|error| PlotError(error.to_string()))?;
    Ok(svg)
}

fn draw(svg: &mut String, losses: &[Losses]) -> Result<(), Box<dyn Error>> {
    let all = || losses.iter().flat_map(|epoch| [Some(epoch.training), epoch.validation]).flatten();
    let (low, high) =
        all().fold((f64::INFINITY, 0.0f64), |(low, high), loss| (low.min(loss), high.max(loss)));
    if low > high {
        return Ok(());
    }
    let margin = (high - low).max(high * 0.01) * 0.05;
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(1.0..losses.len().max(2) as f64, low - margin..high + margin)?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_desc("mean squared error of the probability to win")
        .label_style(FONT)
        .axis_desc_style(FONT)
        .draw()?;
    let training: Vec<_> = losses.iter().map(|epoch| Some(epoch.training)).collect();
    let validation: Vec<_> = losses.iter().map(|epoch| epoch.validation).collect();
    for (name, color, losses) in [("training", BLUE, training), ("validation", RED, validation)] {
        let points = (1..).zip(losses).filter_map(|(epoch, loss)| Some((f64::from(epoch), loss?)));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .label_font(FONT)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_starts_and_ends_at_the_given_rates() {
        let rate = LearningRate { first: 0.1, last: 0.001 };
        for (done, expected) in [(0.0, rate.first), (0.5, 0.0505), (1.0, rate.last)] {
            assert!((rate.cosine(done) - expected).abs() < 1e-12);
        }
    }

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

    #[test]
    fn weight_decay_is_decoupled() {
        let mut parameters = [[1.0f32, 1.0]];
        let mut adamw = AdamW { decay_target: vec![[0.0, 3.0]], ..AdamW::new(&parameters, 1e-8) };
        adamw.step(&mut parameters, &[[0.0, 0.0]], 0.5, 0.1, |_| f32::INFINITY);
        assert!(parameters[0].iter().zip([0.95, 1.1]).all(|(found, it)| (found - it).abs() < 1e-6));
    }
}
