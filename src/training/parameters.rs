//! The parameters of a network in floating point, while it is trained.

use rand::RngExt;
use rand::rngs::StdRng;
use rayon::prelude::*;

use crate::chesquerque::Point;
use crate::network::{
    Feature, HIDDEN, MAX_OUTPUT_WEIGHT, Network, NetworkError, OUTPUT_BUCKETS, QA, QB,
    QuantisedWeights,
};

/// A number for each neuron of the hidden layer.
pub(super) type Row = [f32; HIDDEN];

const FEATURE_BIAS: usize = Feature::COUNT;
const OUTPUT_WEIGHTS: usize = FEATURE_BIAS + 1;
const OUTPUT_BIAS: usize = OUTPUT_WEIGHTS + 2 * OUTPUT_BUCKETS;
const FACTORISER: usize = OUTPUT_BIAS + 1;
const ROWS: usize = FACTORISER + Feature::PIECES * FACTORISER_OF_PIECE;
/// For each piece: one row for all points, one for each rank and file, and one for
/// plain and for diagonal points.
const FACTORISER_OF_PIECE: usize = 1 + Point::RANKS as usize + Point::FILES as usize + 2;
const _: () = assert!(OUTPUT_BUCKETS <= HIDDEN, "the output biases fit into a row");

/// Larger weights could overflow the products of quantised inference. Accumulators
/// could hold 63 features that are all so large; whether a network is beyond that is
/// checked when it is quantised.
const MAX_WEIGHT: f32 = MAX_OUTPUT_WEIGHT as f32 / QB as f32;

/// All parameters of a network, or a gradient or moment for each of them. The rows
/// are: weights of each feature, feature bias, output weights (two for each bucket),
/// output biases (in one row), factoriser.
///
/// The factoriser holds virtual features: what a piece does on one point it mostly
/// does on others too. The weights of a feature are its own row plus the rows that it
/// shares with the same piece on all points, on its rank, on its file, and on its kind
/// of point. Few games are enough to learn those (as in Stockfish's nnue-pytorch). The
/// quantised network gets the [merged](Parameters::merged) weights.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameters {
    pub rows: Vec<Row>,
}

impl Parameters {
    /// How many parameters there are.
    pub const COUNT: usize = ROWS * HIDDEN;

    /// All zero.
    pub fn zero() -> Parameters {
        Parameters { rows: vec![[0.0; HIDDEN]; ROWS] }
    }

    /// Random initial weights: small, and with accumulators in the range where
    /// SCReLU has a gradient.
    pub fn random(rng: &mut StdRng) -> Parameters {
        const MAX_FEATURE_WEIGHT: f32 = 0.08;
        const INITIAL_BIAS: f32 = 0.2;
        const MAX_OUTPUT: f32 = 0.06;
        let mut parameters = Parameters::zero();
        for (index, row) in parameters.rows.iter_mut().enumerate() {
            let mut fill = |max: f32| row.fill_with(|| rng.random_range(-max..max));
            match index {
                ..FEATURE_BIAS => fill(MAX_FEATURE_WEIGHT),
                FEATURE_BIAS => row.fill(INITIAL_BIAS),
                OUTPUT_WEIGHTS..OUTPUT_BIAS => fill(MAX_OUTPUT),
                _ => {}
            }
        }
        parameters
    }

    /// The parameters with the factoriser merged into the weights of each feature.
    pub fn merged(&self) -> Parameters {
        let mut merged = self.clone();
        let (weights, factoriser) = (&mut merged.rows[..FEATURE_BIAS], &self.rows[FACTORISER..]);
        let pieces =
            weights.par_chunks_mut(Point::COUNT).zip(factoriser.par_chunks(FACTORISER_OF_PIECE));
        pieces.for_each(|(weights, factoriser)| {
            for (weights, point) in weights.iter_mut().zip(Point::all()) {
                for row in factoriser_rows(point) {
                    add(weights, &factoriser[row]);
                }
                *weights = weights.map(|weight| weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
            }
        });
        merged
    }

    /// Backward pass of [`Parameters::merged`]: adds the gradients of feature weights
    /// to those of their factoriser rows.
    pub fn backward_factoriser(&mut self) {
        let (weights, others) = self.rows.split_at_mut(FEATURE_BIAS);
        let factoriser = &mut others[FACTORISER - FEATURE_BIAS..];
        let pieces =
            weights.par_chunks(Point::COUNT).zip(factoriser.par_chunks_mut(FACTORISER_OF_PIECE));
        pieces.for_each(|(weights, factoriser)| {
            for (weights, point) in weights.iter().zip(Point::all()) {
                for row in factoriser_rows(point) {
                    add(&mut factoriser[row], weights);
                }
            }
        });
    }

    #[inline]
    pub fn feature_weights(&self, feature: Feature) -> &Row {
        &self.rows[feature.index()]
    }

    #[inline]
    pub fn feature_weights_mut(&mut self, feature: Feature) -> &mut Row {
        &mut self.rows[feature.index()]
    }

    pub fn feature_bias(&self) -> &Row {
        &self.rows[FEATURE_BIAS]
    }

    pub fn feature_bias_mut(&mut self) -> &mut Row {
        &mut self.rows[FEATURE_BIAS]
    }

    /// For the accumulator of the side to move (0) or of the other side (1).
    pub fn output_weights(&self, bucket: usize, side: usize) -> &Row {
        &self.rows[OUTPUT_WEIGHTS + 2 * bucket + side]
    }

    /// The same, mutably.
    pub fn output_weights_mut(&mut self, bucket: usize, side: usize) -> &mut Row {
        &mut self.rows[OUTPUT_WEIGHTS + 2 * bucket + side]
    }

    pub fn output_bias(&self, bucket: usize) -> f32 {
        self.rows[OUTPUT_BIAS][bucket]
    }

    pub fn output_bias_mut(&mut self, bucket: usize) -> &mut f32 {
        &mut self.rows[OUTPUT_BIAS][bucket]
    }

    /// The largest absolute value that the parameters of a row may have.
    pub fn bound(row: usize) -> f32 {
        if row == OUTPUT_BIAS { f32::INFINITY } else { MAX_WEIGHT }
    }

    /// The quantised network of [merged](Parameters::merged) parameters.
    ///
    /// # Errors
    /// When the feature weights together could overflow the accumulator.
    pub fn quantised(&self) -> Result<Network, NetworkError> {
        let quantise = |number: f32, unit: i16| (number * f32::from(unit)).round() as i16;
        let by_qa = |row: &Row| row.map(|number| quantise(number, QA));
        let feature_weights: Vec<[i16; HIDDEN]> =
            self.rows[..FEATURE_BIAS].iter().map(by_qa).collect();
        let output_weights =
            |bucket, side| self.output_weights(bucket, side).map(|number| quantise(number, QB));
        let qa_qb = f32::from(QA) * f32::from(QB);
        Network::new(&QuantisedWeights {
            feature_weights: &feature_weights,
            feature_bias: by_qa(self.feature_bias()),
            output_weights: std::array::from_fn(|bucket| {
                [output_weights(bucket, 0), output_weights(bucket, 1)]
            }),
            output_bias: std::array::from_fn(|bucket| {
                (self.output_bias(bucket) * qa_qb).round() as i32
            }),
        })
    }
}

/// The factoriser rows of a piece that belong to a point.
fn factoriser_rows(point: Point) -> [usize; 4] {
    let ranks = 1;
    let files = ranks + usize::from(Point::RANKS);
    let kinds_of_point = files + usize::from(Point::FILES);
    [
        0,
        ranks + usize::from(point.rank()),
        files + usize::from(point.file()),
        kinds_of_point + usize::from(point.is_diagonal()),
    ]
}

/// Adds one row to another.
#[inline(always)]
pub(super) fn add(to: &mut Row, row: &Row) {
    for (sum, number) in to.iter_mut().zip(row) {
        *sum += number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A factoriser row changes the weights of one piece on all points, on a rank, on
    /// a file, or on one kind of point, and gets the gradients of just these.
    #[test]
    fn factorisers_belong_to_their_features() {
        let mut gradients = Parameters::zero();
        gradients.rows[..FEATURE_BIAS].fill([1.0; HIDDEN]);
        gradients.backward_factoriser();
        let of_a_kind: Vec<f32> = [81.0].into_iter().chain([9.0; 18]).chain([40.0, 41.0]).collect();
        for (row, wanted) in (FACTORISER..ROWS).zip(of_a_kind.iter().cycle()) {
            let mut parameters = Parameters::zero();
            parameters.rows[row].fill(0.5);
            let merged = parameters.merged();
            let changed = merged.rows[..FEATURE_BIAS].iter().filter(|row| **row == [0.5; HIDDEN]);
            assert_eq!(changed.count() as f32, *wanted, "row {row}");
            assert_eq!(gradients.rows[row], [*wanted; HIDDEN], "row {row}");
        }
    }

    /// Each weight may be as large as it can get, but not all of them.
    #[test]
    fn too_many_large_weights_are_refused() {
        let mut parameters = Parameters::zero();
        parameters.rows.fill([MAX_WEIGHT; HIDDEN]);
        let error = parameters.quantised().err();
        assert!(matches!(error, Some(NetworkError::AccumulatorOverflow(_))), "{error:?}");
        parameters.rows[..FEATURE_BIAS].fill([0.0; HIDDEN]);
        parameters.rows[..63].fill([MAX_WEIGHT; HIDDEN]);
        assert!(parameters.quantised().is_ok());
    }
}
