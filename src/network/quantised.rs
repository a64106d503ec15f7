//! The quantised network: its weights in integers, and the output layer.

use super::architecture::{EVAL_SCALE, HIDDEN, OUTPUT_BUCKETS, QA, QB, output_bucket};
use super::hidden_vector::HiddenVector;
use super::kernel::Kernel;

/// A quantised network, ready for inference.
///
/// ```
/// use qirkat::{Evaluation, Network, Searcher};
/// use std::sync::Arc;
///
/// // A network comes from the bytes of its file, wherever they are from.
/// let bytes = Network::embedded().ok_or("built without a network")?.to_bytes();
/// let network = Network::from_bytes(&bytes)?;
/// let searcher = Searcher::with_evaluation(Evaluation::Network(Arc::new(network)))?;
/// # let _ = searcher;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Network {
    /// Feature transformer: the weights of each feature.
    pub(super) feature_weights: Box<[HiddenVector]>,
    pub(super) feature_bias: HiddenVector,
    pub(super) output_layers: Box<[OutputLayer; OUTPUT_BUCKETS]>,
    pub(super) kernel: Kernel,
    pub(super) checksum: u32,
}

/// The output layer of one bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OutputLayer {
    /// For the accumulators of the side to move and of the other side.
    pub weights: [HiddenVector; 2],
    pub bias: i32,
}

/// The weights and biases of a network in integers, as a trainer quantises them.
pub struct QuantisedWeights<'a> {
    /// For each feature, in units of 1/[`QA`].
    pub feature_weights: &'a [[i16; HIDDEN]],
    /// In units of 1/[`QA`].
    pub feature_bias: [i16; HIDDEN],
    /// For each bucket: weights for the accumulators of the side to move and of the
    /// other side, in units of 1/[`QB`].
    pub output_weights: [[[i16; HIDDEN]; 2]; OUTPUT_BUCKETS],
    /// For each bucket, in units of 1/([`QA`]·[`QB`]).
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

impl Network {
    /// The same network with another kernel.
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> Network {
        Network { kernel, ..self.clone() }
    }

    /// The kernel it computes with.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The checksum of its file, which identifies the network.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The output layer: a score in centipawns for the side to move, from its
    /// accumulator and the other side's.
    pub(super) fn output(&self, us: &HiddenVector, them: &HiddenVector, pieces: u32) -> i32 {
        let layer = &self.output_layers[output_bucket(pieces)];
        let sum = self.kernel.screlu_dot(us, &layer.weights[0])
            + self.kernel.screlu_dot(them, &layer.weights[1]);
        // SCReLU squares QA, and the bias has it once.
        let output = sum / i64::from(QA) + i64::from(layer.bias);
        (output * i64::from(EVAL_SCALE) / (i64::from(QA) * i64::from(QB))) as i32
    }
}

/// A network of random weights.
#[cfg(test)]
pub(super) fn random_network(seed: u64) -> Network {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::{Feature, MAX_OUTPUT_WEIGHT};

    let mut rng = StdRng::seed_from_u64(seed);
    let mut vector = |max: i16| [(); HIDDEN].map(|()| rng.random_range(-max..=max));
    let feature_weights: Vec<_> = (0..Feature::COUNT).map(|_| vector(60)).collect();
    let weights = QuantisedWeights {
        feature_weights: &feature_weights,
        feature_bias: vector(60),
        output_weights: [(); OUTPUT_BUCKETS]
            .map(|()| [vector(MAX_OUTPUT_WEIGHT), vector(MAX_OUTPUT_WEIGHT)]),
        output_bias: std::array::from_fn(|bucket| bucket as i32 * 1000 - 3000),
    };
    Network::new(&weights).expect("the weights are small")
}
