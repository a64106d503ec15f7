//! Steps downhill (D. Kingma, J. Ba, "Adam", 2014; with the decay of weights
//! beside it: I. Loshchilov, F. Hutter, "AdamW", 2017).

use rayon::prelude::*;

use super::parameters::Parameters;

/// Adam's memory for slopes and for their squares, and its guard against
/// division by zero.
const SLOPE_MEMORY: f32 = 0.9;
const SQUARE_MEMORY: f32 = 0.999;
const SMALLEST_SLOPE: f32 = 1e-8;

/// The network and what the steps so far have told of its slopes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Adam {
    pub parameters: Parameters,
    pub slopes: Parameters,
    pub squares: Parameters,
    pub steps: u64,
}

impl Adam {
    /// No step taken yet from these numbers.
    pub fn new(parameters: Parameters) -> Adam {
        Adam { parameters, slopes: Parameters::zero(), squares: Parameters::zero(), steps: 0 }
    }

    /// Moves every number against its slope, which is given for `positions`
    /// together.
    pub fn step(&mut self, summed: &Parameters, positions: usize, rate: f64, decay: f64) {
        self.steps = self.steps.saturating_add(1);
        let steps = self.steps.min(i32::MAX as u64) as i32;
        let slope_share = 1.0 - SLOPE_MEMORY.powi(steps);
        let square_share = 1.0 - SQUARE_MEMORY.powi(steps);
        let length = rate as f32 / slope_share;
        let kept = (1.0 - rate * decay) as f32;
        let share = 1.0 / positions as f32;
        self.parameters
            .lines
            .par_iter_mut()
            .zip(&mut self.slopes.lines)
            .zip(&mut self.squares.lines)
            .enumerate()
            .with_min_len(64)
            .for_each(|(line, ((numbers, slopes), squares))| {
                let new = &summed.lines[line];
                let is_weights = Parameters::is_weights(line);
                for index in 0..numbers.len() {
                    let slope = new[index] * share;
                    slopes[index] += (1.0 - SLOPE_MEMORY) * (slope - slopes[index]);
                    squares[index] += (1.0 - SQUARE_MEMORY) * (slope * slope - squares[index]);
                    let size = (squares[index] / square_share).sqrt() + SMALLEST_SLOPE;
                    let moved = numbers[index] * kept - length * slopes[index] / size;
                    numbers[index] = if is_weights { Parameters::bounded(moved) } else { moved };
                }
            });
    }
}
