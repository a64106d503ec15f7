//! Forward and backward pass: the loss of a sample and its gradients.

use qirkat_evaluation::network::{Feature, NetworkInput};
use qirkat_evaluation::sigmoid;

use super::parameters::{Parameters, Row, add};
use super::training_sample::Sample;
use qirkat_evaluation::network::HiddenLayer;

/// The squared error of the probability to win.
pub(super) fn loss<G: NetworkInput>(
    parameters: &Parameters<G>,
    sample: &Sample,
    wdl_lambda: f32,
) -> f64 {
    let forward = Forward::of(parameters, sample);
    f64::from((forward.win_probability - sample.target(wdl_lambda)).powi(2))
}

/// The loss, with its gradients added to `gradients`.
pub(super) fn backward<G: NetworkInput>(
    parameters: &Parameters<G>,
    sample: &Sample,
    wdl_lambda: f32,
    gradients: &mut Parameters<G>,
) -> f64 {
    let forward = Forward::of(parameters, sample);
    let error = forward.win_probability - sample.target(wdl_lambda);
    let of_output = 2.0 * error * forward.win_probability * (1.0 - forward.win_probability);
    gradients.rows[Parameters::<G>::OUTPUT_BIAS].as_mut()[sample.bucket] += of_output;
    for side in 0..2 {
        let accumulator = forward.accumulators[side].as_ref();
        let output_row = Parameters::<G>::output_row(sample.bucket, side);
        let weights = parameters.rows[output_row].as_ref();
        let of_weights = gradients.rows[output_row].as_mut();
        let mut of_accumulator: Row<G> = G::Hidden::row(|_| 0.0);
        let of_accumulator = of_accumulator.as_mut();
        for index in 0..G::Hidden::NEURONS {
            let value = accumulator[index];
            let clamped = value.clamp(0.0, 1.0);
            of_weights[index] += of_output * clamped * clamped;
            // SCReLU is flat outside of its range.
            let derivative = if value > 0.0 && value < 1.0 { 2.0 * clamped } else { 0.0 };
            of_accumulator[index] = of_output * weights[index] * derivative;
        }
        add(gradients.rows[Parameters::<G>::FEATURE_BIAS].as_mut(), of_accumulator);
        for &feature in &sample.features[side] {
            add(gradients.rows[feature.index()].as_mut(), of_accumulator);
        }
    }
    f64::from(error * error)
}

/// The forward pass of a sample.
struct Forward<G: NetworkInput> {
    /// Of the side to move and of the other side.
    accumulators: [Row<G>; 2],
    win_probability: f32,
}

impl<G: NetworkInput> Forward<G> {
    fn of(parameters: &Parameters<G>, sample: &Sample) -> Forward<G> {
        let mut accumulators = [parameters.rows[Parameters::<G>::FEATURE_BIAS]; 2];
        let mut output = parameters.rows[Parameters::<G>::OUTPUT_BIAS].as_ref()[sample.bucket];
        for (side, accumulator) in accumulators.iter_mut().enumerate() {
            for (strip, place) in
                accumulator.as_mut().as_chunks_mut::<STRIP>().0.iter_mut().zip(0..)
            {
                *strip = accumulate(parameters, &sample.features[side], place, *strip);
            }
            let output_row = Parameters::<G>::output_row(sample.bucket, side);
            output += screlu_dot::<G>(accumulator, &parameters.rows[output_row]);
        }
        Forward { accumulators, win_probability: sigmoid(output) }
    }
}

/// Neurons that stay in registers while the weights of all features are added.
const STRIP: usize = 32;

/// A strip of an accumulator with the weights of the features added.
#[inline(always)]
fn accumulate<G: NetworkInput>(
    parameters: &Parameters<G>,
    features: &[Feature],
    place: usize,
    mut strip: [f32; STRIP],
) -> [f32; STRIP] {
    for &feature in features {
        let weights = &parameters.rows[feature.index()].as_ref().as_chunks::<STRIP>().0[place];
        for (value, weight) in strip.iter_mut().zip(weights) {
            *value += weight;
        }
    }
    strip
}

/// Partial sums that are added side by side, so that the compiler vectorises.
const LANES: usize = 16;

fn screlu_dot<G: NetworkInput>(accumulator: &Row<G>, weights: &Row<G>) -> f32 {
    let mut lanes = [0.0; LANES];
    let values = accumulator.as_ref().as_chunks::<LANES>().0;
    for (values, weights) in values.iter().zip(weights.as_ref().as_chunks::<LANES>().0) {
        for ((lane, value), weight) in lanes.iter_mut().zip(values).zip(weights) {
            let clamped = value.clamp(0.0, 1.0);
            *lane += clamped * clamped * weight;
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::training_sample::packed;
    use qirkat_game::GameResult;
    use qirkat_rules::chesquerque::Position;

    const HIDDEN: usize = Position::ARCHITECTURE.hidden;
    const WDL_LAMBDA: f32 = 0.3;

    /// Every gradient is the finite difference of the loss.
    #[test]
    fn gradients_are_those_of_the_loss() {
        let mut rng = StdRng::seed_from_u64(3);
        let fen = "r3k3r/1p3p3/9/2b1p4/4P1B2/4a4/2N6/PPP2P1PP/R3K3R b Kq - 17 31";
        let sample = Sample::of::<Position>(&packed(fen, 150, 9, GameResult::WhiteWins), false)
            .expect("it is sound");
        let parameters = Parameters::<Position>::random(&mut rng);
        let mut gradients = Parameters::zero();
        let found = backward(&parameters, &sample, WDL_LAMBDA, &mut gradients);
        assert!((found - loss(&parameters, &sample, WDL_LAMBDA)).abs() < 1e-9);
        let mut steep = 0;
        let changed: Vec<usize> = (0..gradients.rows.len())
            .filter(|&row| gradients.rows[row].iter().any(|&gradient| gradient != 0.0))
            .collect();
        for _ in 0..1000 {
            let row = changed[rng.random_range(0..changed.len())];
            let index = rng.random_range(0..HIDDEN);
            let step = 0.02;
            let at = |step: f32| {
                let mut near = parameters.clone();
                near.rows[row][index] += step;
                loss(&near, &sample, WDL_LAMBDA)
            };
            let measured = (at(step) - at(-step)) / (2.0 * f64::from(step));
            let gradient = f64::from(gradients.rows[row][index]);
            assert!((measured - gradient).abs() < 3e-4, "{row} {index}: {measured}, {gradient}");
            steep += usize::from(gradient.abs() > 1e-3);
        }
        assert!(steep > 20, "{steep} gradients are not near zero");
    }
}
