//! The parameters of a network during training, and the forward and backward pass of a sample.

use rand::RngExt;
use rand::rngs::StdRng;

use qirkat_evaluation::network::{
    Feature, HiddenLayer, MAX_OUTPUT_WEIGHT, Network, NetworkError, NetworkInput, Number, QA, QB,
    QuantisedWeights,
};
use qirkat_evaluation::sigmoid;
use qirkat_system::parallel;

use crate::training_data::Sample;

/// One value for each neuron of the hidden layer.
pub(super) type Row<G> = <<G as NetworkInput>::Hidden as HiddenLayer>::Row<f32>;

/// Larger output weights could overflow the products of quantised inference.
const MAX_WEIGHT: f32 = MAX_OUTPUT_WEIGHT as f32 / QB as f32;

/// Larger feature weights do not fit into a byte.
const MAX_FEATURE_WEIGHT: f32 = i8::MAX as f32 / QA as f32;

/// All parameters of a network, or a gradient or moment for each. The rows are: weights of each
/// feature, feature bias, output weights (two per bucket), output biases (one row), factoriser.
///
/// The factoriser holds virtual features, since a piece has similar effects on similar points: a
/// feature's weights are its own row plus rows shared with the same piece on all points, on its
/// rank, on its file, on its kind of point, and on its point in the other king buckets. Shared rows
/// need fewer games to learn (as in Stockfish's nnue-pytorch). The quantised network gets the
/// [merged](Parameters::merged) weights.
#[derive(Clone)]
pub(super) struct Parameters<G: NetworkInput> {
    pub rows: Vec<Row<G>>,
}

impl<G: NetworkInput> Parameters<G> {
    /// The row of the feature bias, after the rows of the features.
    pub const FEATURE_BIAS: usize = G::FEATURES;
    const OUTPUT_WEIGHTS: usize = Self::FEATURE_BIAS + 1;
    /// The row of the output biases of all buckets.
    pub const OUTPUT_BIAS: usize = Self::OUTPUT_WEIGHTS + 2 * G::OUTPUT_BUCKETS;
    const FACTORISER: usize = Self::OUTPUT_BIAS + 1;
    const ROWS: usize =
        Self::FACTORISER + 2 * G::KIND_LETTERS.len() * Self::FACTORISER_ROWS_PER_PIECE;
    /// Per piece: one row for all points, one per rank and file, one per kind of point, and with
    /// several king buckets one per point.
    const FACTORISER_ROWS_PER_PIECE: usize = 1
        + G::RANKS
        + G::FILES
        + G::POINT_KINDS.len()
        + if G::KING_BUCKETS > 1 { G::POINTS } else { 0 };

    pub const COUNT: usize = Self::ROWS * G::Hidden::NEURONS;

    pub fn zero() -> Parameters<G> {
        const { assert!(G::OUTPUT_BUCKETS <= G::Hidden::NEURONS, "the output biases fit into a row") };
        Parameters { rows: vec![G::Hidden::row(|_| 0.0); Self::ROWS] }
    }

    /// Small random weights, with accumulators in the range where SCReLU has a gradient.
    pub fn random(rng: &mut StdRng) -> Parameters<G> {
        const MAX_FEATURE: f32 = 0.08;
        const INITIAL_BIAS: f32 = 0.2;
        const MAX_OUTPUT: f32 = 0.06;
        let mut parameters = Parameters::<G>::zero();
        for (index, row) in parameters.rows.iter_mut().enumerate() {
            let mut fill = |max: f32| row.as_mut().fill_with(|| rng.random_range(-max..max));
            if index < Self::FEATURE_BIAS {
                fill(MAX_FEATURE);
            } else if index == Self::FEATURE_BIAS {
                row.as_mut().fill(INITIAL_BIAS);
            } else if index < Self::OUTPUT_BIAS {
                fill(MAX_OUTPUT);
            }
        }
        parameters
    }

    /// The parameters with the factoriser merged into the feature weights.
    pub fn merged(&self) -> Parameters<G> {
        let mut merged = self.clone();
        let (weights, factoriser) =
            (&mut merged.rows[..Self::FEATURE_BIAS], &self.rows[Self::FACTORISER..]);
        let factoriser = factoriser.chunks(Self::FACTORISER_ROWS_PER_PIECE);
        let mut pieces: Vec<_> = weights.chunks_mut(G::POINTS).zip(factoriser.cycle()).collect();
        parallel::for_each_mut(&mut pieces, 1, &|_, (weights, factoriser)| {
            for (weights, point) in weights.iter_mut().zip(0..) {
                for row in factoriser_rows::<G>(point) {
                    add(weights.as_mut(), factoriser[row].as_ref());
                }
                for weight in weights.as_mut() {
                    *weight = weight.clamp(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT);
                }
            }
        });
        merged
    }

    /// Backward pass of [`Parameters::merged`]: adds the gradients to those of the factoriser.
    pub fn backward_factoriser(&mut self) {
        let (weights, others) = self.rows.split_at_mut(Self::FEATURE_BIAS);
        let factoriser = &mut others[Self::FACTORISER - Self::FEATURE_BIAS..];
        let mut pieces: Vec<_> = factoriser.chunks_mut(Self::FACTORISER_ROWS_PER_PIECE).collect();
        let pieces_per_king_bucket = pieces.len();
        parallel::for_each_mut(&mut pieces, 1, &|piece, factoriser| {
            let pieces = weights.chunks(G::POINTS);
            for weights in pieces.skip(piece).step_by(pieces_per_king_bucket) {
                for (weights, point) in weights.iter().zip(0..) {
                    for row in factoriser_rows::<G>(point) {
                        add(factoriser[row].as_mut(), weights.as_ref());
                    }
                }
            }
        });
    }

    /// The row of a bucket's output weights for the side to move (0) or the other side (1).
    pub fn output_row(bucket: usize, side: usize) -> usize {
        Self::OUTPUT_WEIGHTS + 2 * bucket + side
    }

    /// The largest absolute value of a row's parameters. It is that of output weights for all rows but
    /// the output biases, which are unbounded. Feature weights are limited further when they are
    /// merged.
    pub fn bound(row: usize) -> f32 {
        if row == Self::OUTPUT_BIAS { f32::INFINITY } else { MAX_WEIGHT }
    }

    /// The parameters of a quantised network, for fine-tuning. The factoriser is already merged
    /// into the feature weights, so its own rows are zero.
    pub fn from_quantised(weights: &QuantisedWeights<G::Hidden>) -> Parameters<G> {
        let mut parameters = Parameters::<G>::zero();
        let features = parameters.rows.iter_mut().zip(&weights.feature_weights);
        features.for_each(|(row, weights)| *row = dequantised::<G, i8>(weights, QA));
        parameters.rows[Self::FEATURE_BIAS] = dequantised::<G, i16>(&weights.feature_bias, QA);
        let qa_qb = f32::from(QA) * f32::from(QB);
        let layers = weights.output_weights.iter().zip(&weights.output_bias).enumerate();
        for (bucket, (sides, &bias)) in layers {
            for (side, weights) in sides.iter().enumerate() {
                parameters.rows[Self::output_row(bucket, side)] =
                    dequantised::<G, i16>(weights, QB);
            }
            parameters.rows[Self::OUTPUT_BIAS].as_mut()[bucket] = bias as f32 / qa_qb;
        }
        parameters
    }

    pub fn quantised(&self) -> Result<Network<G>, NetworkError> {
        let quantise = |row: &Row<G>, unit: i16| {
            G::Hidden::row(|neuron| (row.as_ref()[neuron] * f32::from(unit)).round() as i16)
        };
        let bytes = |row: &Row<G>| {
            G::Hidden::row(|neuron| (row.as_ref()[neuron] * f32::from(QA)).round() as i8)
        };
        let output_weights =
            |bucket, side| quantise(&self.rows[Self::output_row(bucket, side)], QB);
        let qa_qb = f32::from(QA) * f32::from(QB);
        let output_bias =
            |bucket: usize| (self.rows[Self::OUTPUT_BIAS].as_ref()[bucket] * qa_qb).round() as i32;
        Network::new(&QuantisedWeights {
            feature_weights: self.rows[..Self::FEATURE_BIAS].iter().map(bytes).collect(),
            feature_bias: quantise(&self.rows[Self::FEATURE_BIAS], QA),
            output_weights: (0..G::OUTPUT_BUCKETS)
                .map(|bucket| [output_weights(bucket, 0), output_weights(bucket, 1)])
                .collect(),
            output_bias: (0..G::OUTPUT_BUCKETS).map(output_bias).collect(),
        })
    }
}

fn dequantised<G: NetworkInput, T: Number + Into<f32>>(
    row: &<G::Hidden as HiddenLayer>::Row<T>,
    unit: i16,
) -> Row<G> {
    G::Hidden::row(|neuron| row.as_ref()[neuron].into() / f32::from(unit))
}

fn factoriser_rows<G: NetworkInput>(point: usize) -> impl Iterator<Item = usize> {
    let ranks = 1;
    let files = ranks + G::RANKS;
    let kinds_of_point = files + G::FILES;
    let points = kinds_of_point + G::POINT_KINDS.len();
    [0, ranks + point / G::FILES, files + point % G::FILES, kinds_of_point + G::point_kind(point)]
        .into_iter()
        .chain((G::KING_BUCKETS > 1).then_some(points + point))
}

#[inline(always)]
pub(super) fn add(to: &mut [f32], row: &[f32]) {
    for (sum, number) in to.iter_mut().zip(row) {
        *sum += number;
    }
}

pub(super) fn loss<G: NetworkInput>(
    parameters: &Parameters<G>,
    sample: &Sample,
    wdl_lambda: f32,
) -> f64 {
    let forward = Forward::of(parameters, sample);
    f64::from((forward.win_probability - sample.target(wdl_lambda)).powi(2))
}

/// Adds the gradients of a sample's loss; returns the loss.
pub(super) fn backward<G: NetworkInput>(
    parameters: &Parameters<G>,
    sample: &Sample,
    wdl_lambda: f32,
    gradients: &mut Parameters<G>,
) -> f64 {
    let forward = Forward::of(parameters, sample);
    let error = forward.win_probability - sample.target(wdl_lambda);
    let output_gradient = 2.0 * error * forward.win_probability * (1.0 - forward.win_probability);
    gradients.rows[Parameters::<G>::OUTPUT_BIAS].as_mut()[sample.bucket] += output_gradient;
    for side in 0..2 {
        let accumulator = forward.accumulators[side].as_ref();
        let output_row = Parameters::<G>::output_row(sample.bucket, side);
        let weights = parameters.rows[output_row].as_ref();
        let weight_gradients = gradients.rows[output_row].as_mut();
        let mut accumulator_gradient: Row<G> = G::Hidden::row(|_| 0.0);
        let accumulator_gradient = accumulator_gradient.as_mut();
        for index in 0..G::Hidden::NEURONS {
            let value = accumulator[index];
            let clamped = value.clamp(0.0, 1.0);
            weight_gradients[index] += output_gradient * clamped * clamped;
            // SCReLU is flat outside [0, 1].
            let derivative = if value > 0.0 && value < 1.0 { 2.0 * clamped } else { 0.0 };
            accumulator_gradient[index] = output_gradient * weights[index] * derivative;
        }
        add(gradients.rows[Parameters::<G>::FEATURE_BIAS].as_mut(), accumulator_gradient);
        for &feature in &sample.features[side] {
            add(gradients.rows[feature.index()].as_mut(), accumulator_gradient);
        }
    }
    f64::from(error * error)
}

struct Forward<G: NetworkInput> {
    /// Of the side to move and the other side.
    accumulators: [Row<G>; 2],
    win_probability: f32,
}

impl<G: NetworkInput> Forward<G> {
    fn of(parameters: &Parameters<G>, sample: &Sample) -> Forward<G> {
        let mut accumulators = [parameters.rows[Parameters::<G>::FEATURE_BIAS]; 2];
        let mut output = parameters.rows[Parameters::<G>::OUTPUT_BIAS].as_ref()[sample.bucket];
        for (side, accumulator) in accumulators.iter_mut().enumerate() {
            for (strip, index) in
                accumulator.as_mut().as_chunks_mut::<STRIP>().0.iter_mut().zip(0..)
            {
                *strip = accumulate(parameters, &sample.features[side], index, *strip);
            }
            let output_row = Parameters::<G>::output_row(sample.bucket, side);
            output += screlu_dot::<G>(accumulator, &parameters.rows[output_row]);
        }
        Forward { accumulators, win_probability: sigmoid(output) }
    }
}

/// Neurons kept in registers while the weights of all features are added.
const STRIP: usize = 32;

/// A strip of an accumulator after adding the features' weights.
#[inline(always)]
fn accumulate<G: NetworkInput>(
    parameters: &Parameters<G>,
    features: &[Feature],
    index: usize,
    mut strip: [f32; STRIP],
) -> [f32; STRIP] {
    for &feature in features {
        let weights = &parameters.rows[feature.index()].as_ref().as_chunks::<STRIP>().0[index];
        add(&mut strip, weights);
    }
    strip
}

/// Parallel partial sums, so that the compiler vectorises.
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
    use rand::SeedableRng;

    use qirkat_game::GameResult;
    use qirkat_rules::chesquerque::Position;
    use qirkat_testing::effort;

    use super::*;
    use crate::training_data::packed;

    type Chesquerque = Parameters<Position>;
    const HIDDEN: usize = Position::ARCHITECTURE.hidden;
    const FEATURE_BIAS: usize = Chesquerque::FEATURE_BIAS;

    /// A factoriser row changes the weights of one piece on all points, on a rank, on a file, on
    /// one kind of point, or on one point in each of the three king buckets, and receives exactly
    /// their gradients.
    #[test]
    fn factoriser_rows_affect_only_their_features() {
        let mut gradients = Chesquerque::zero();
        gradients.rows[..FEATURE_BIAS].fill([1.0; HIDDEN]);
        gradients.backward_factoriser();
        let points = [81.0].into_iter().chain([9.0; 18]).chain([40.0, 41.0]).chain([1.0; 81]);
        let of_a_kind: Vec<f32> = points.map(|points| 3.0 * points).collect();
        let rows = (Chesquerque::FACTORISER..Chesquerque::ROWS).zip(of_a_kind.iter().cycle());
        // A sample of the many rows: the stride is coprime to the number of rows per kind.
        for (row, wanted) in rows.step_by(effort([67, 7, 7])) {
            let mut parameters = Chesquerque::zero();
            parameters.rows[row].fill(0.5);
            let merged = parameters.merged();
            let changed = merged.rows[..FEATURE_BIAS].iter().filter(|row| **row == [0.5; HIDDEN]);
            assert_eq!(changed.count() as f32, *wanted, "row {row}");
            assert_eq!(gradients.rows[row], [*wanted; HIDDEN], "row {row}");
        }
    }

    #[test]
    fn the_largest_weights_can_be_quantised() {
        for sign in [1.0, -1.0] {
            let mut parameters = Chesquerque::zero();
            parameters.rows.fill([sign * MAX_WEIGHT; HIDDEN]);
            let network = parameters.merged().quantised().expect("no weight is too large");
            let row = network.quantised_weights().feature_weights[0];
            assert_eq!(row, [sign as i8 * i8::MAX; HIDDEN]);
        }
    }

    const WDL_LAMBDA: f32 = 0.3;

    #[test]
    fn gradients_match_finite_differences() {
        let mut rng = StdRng::seed_from_u64(3);
        let fen = "r3k3r/1p3p3/9/2b1p4/4P1B2/4a4/2N6/PPP2P1PP/R3K3R b Kq - 17 31";
        let sample = Sample::of::<Position>(&packed(fen, 150, 9, GameResult::WhiteWins), false)
            .expect("it is sound");
        let parameters = Parameters::<Position>::random(&mut rng);
        let mut gradients = Parameters::zero();
        let found = backward(&parameters, &sample, WDL_LAMBDA, &mut gradients);
        assert!((found - loss(&parameters, &sample, WDL_LAMBDA)).abs() < 1e-9);
        let (mut near, mut steep) = (parameters.clone(), 0);
        let changed: Vec<usize> = (0..gradients.rows.len())
            .filter(|&row| gradients.rows[row].iter().any(|&gradient| gradient != 0.0))
            .collect();
        for _ in 0..1000 {
            let row = changed[rng.random_range(0..changed.len())];
            let index = rng.random_range(0..HIDDEN);
            let step = 0.02;
            let mut at = |step: f32| {
                let before = near.rows[row][index];
                near.rows[row][index] += step;
                let found = loss(&near, &sample, WDL_LAMBDA);
                near.rows[row][index] = before;
                found
            };
            let measured = (at(step) - at(-step)) / (2.0 * f64::from(step));
            let gradient = f64::from(gradients.rows[row][index]);
            assert!((measured - gradient).abs() < 3e-4, "{row} {index}: {measured}, {gradient}");
            steep += usize::from(gradient.abs() > 1e-3);
        }
        assert!(steep > 20, "{steep} gradients are not near zero");
    }
}
