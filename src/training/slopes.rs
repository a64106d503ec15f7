//! How the loss changes with every number of the network.

use super::parameters::{Line, Parameters, add};
use super::samples::{Sample, chance};
use crate::network::{HIDDEN, Input};

/// How far off the network is with a position: the squared difference of the
/// chances to win.
pub(super) fn loss(parameters: &Parameters, sample: &Sample, result_share: f32) -> f64 {
    let seen = Forward::of(parameters, sample);
    f64::from((seen.chance - target(sample, result_share)).powi(2))
}

/// The same, with the slopes of the loss added to `slopes`.
pub(super) fn add_slopes(
    parameters: &Parameters,
    sample: &Sample,
    result_share: f32,
    slopes: &mut Parameters,
) -> f64 {
    let seen = Forward::of(parameters, sample);
    let error = seen.chance - target(sample, result_share);
    let of_output = 2.0 * error * seen.chance * (1.0 - seen.chance);
    *slopes.output_start_mut(sample.bucket) += of_output;
    for side in 0..2 {
        let sums = &seen.sums[side];
        let weights = parameters.output(sample.bucket, side);
        let of_weights = slopes.output_mut(sample.bucket, side);
        let mut of_sums = [0.0; HIDDEN];
        for index in 0..HIDDEN {
            let cut = sums[index].clamp(0.0, 1.0);
            of_weights[index] += of_output * cut * cut;
            // Beyond its range a sum has no say.
            let inside = if sums[index] > 0.0 && sums[index] < 1.0 { 2.0 * cut } else { 0.0 };
            of_sums[index] = of_output * weights[index] * inside;
        }
        add(slopes.start_mut(), &of_sums);
        for &input in &sample.inputs[side] {
            add(slopes.row_mut(input), &of_sums);
        }
    }
    f64::from(error * error)
}

fn target(sample: &Sample, result_share: f32) -> f32 {
    sample.chance + result_share * (sample.result - sample.chance)
}

/// What the network makes of a position.
struct Forward {
    /// The sums of the side to move and of the other.
    sums: [Line; 2],
    /// The chance to win.
    chance: f32,
}

impl Forward {
    fn of(parameters: &Parameters, sample: &Sample) -> Forward {
        let mut sums = [*parameters.start(); 2];
        let mut output = parameters.output_start(sample.bucket);
        for (side, sums) in sums.iter_mut().enumerate() {
            for (strip, place) in sums.as_chunks_mut::<STRIP>().0.iter_mut().zip(0..) {
                *strip = sum_strip(parameters, &sample.inputs[side], place, *strip);
            }
            output += weigh(sums, parameters.output(sample.bucket, side));
        }
        Forward { sums, chance: chance(output) }
    }
}

/// Numbers of a line that fit into the registers while rows are added.
const STRIP: usize = 32;

/// A strip of a side's sums.
#[inline(always)]
fn sum_strip(
    parameters: &Parameters,
    inputs: &[Input],
    place: usize,
    mut sums: [f32; STRIP],
) -> [f32; STRIP] {
    for &input in inputs {
        let row = &parameters.row(input).as_chunks::<STRIP>().0[place];
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number;
        }
    }
    sums
}

/// Sums that are made side by side, so that wide instructions can.
const LANES: usize = 16;

fn weigh(sums: &Line, weights: &Line) -> f32 {
    let mut lanes = [0.0; LANES];
    for (sums, weights) in sums.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for ((lane, sum), weight) in lanes.iter_mut().zip(sums).zip(weights) {
            let cut = sum.clamp(0.0, 1.0);
            *lane += cut * cut * weight;
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::dataset::PackedPosition;
    use crate::pgn::GameResult;
    use crate::position::Position;

    const SHARE: f32 = 0.3;

    /// Every slope is what the loss does when its number is moved a little.
    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut rng = StdRng::seed_from_u64(3);
        let fen = "r3k3r/1p3p3/9/2b1p4/4P1B2/4a4/2N6/PPP2P1PP/R3K3R b Kq - 17 31";
        let position = Position::from_fen(fen).expect("it is sound").position;
        let record =
            PackedPosition::pack(&position, 150, 9, GameResult::WhiteWins).expect("it is sound");
        let sample = Sample::of(&record, false).expect("it is sound");
        let parameters = Parameters::random(&mut rng);
        let mut slopes = Parameters::zero();
        let told = add_slopes(&parameters, &sample, SHARE, &mut slopes);
        assert!((told - loss(&parameters, &sample, SHARE)).abs() < 1e-9);
        let mut moved = 0;
        let changed: Vec<usize> = (0..slopes.lines.len())
            .filter(|&line| slopes.lines[line].iter().any(|&slope| slope != 0.0))
            .collect();
        for _ in 0..400 {
            let line = changed[rng.random_range(0..changed.len())];
            let index = rng.random_range(0..HIDDEN);
            let step = 0.02;
            let at = |step: f32| {
                let mut near = parameters.clone();
                near.lines[line][index] += step;
                loss(&near, &sample, SHARE)
            };
            let measured = (at(step) - at(-step)) / (2.0 * f64::from(step));
            let told = f64::from(slopes.lines[line][index]);
            assert!((measured - told).abs() < 3e-4, "{line} {index}: {measured} and {told}");
            moved += usize::from(told.abs() > 1e-3);
        }
        assert!(moved > 20, "some slopes are steep");
    }
}
