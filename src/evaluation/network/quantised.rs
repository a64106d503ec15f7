//! The quantised network: integer weights, and the output layer.

use std::marker::PhantomData;

use super::input::{EVAL_SCALE, HiddenLayer, HiddenVector, NetworkInput, QA, QB};
use super::kernel::Kernel;

/// A quantised network of a game, ready for inference.
///
/// ```
/// use qirkat_evaluation::Evaluation;
/// use qirkat_evaluation::network::ChesquerqueNetwork as Network;
/// use qirkat_search::Searcher;
/// use std::sync::Arc;
///
/// // A network comes from the bytes of its file, wherever they are from.
/// let bytes = Network::embedded().ok_or("built without a network")?.to_bytes();
/// let network = Network::from_bytes(&bytes)?;
/// let searcher = Searcher::with_evaluation(Evaluation::Network(Arc::new(network)))?;
/// # let _ = searcher;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Network<G: NetworkInput> {
    /// The weights of each feature.
    pub(super) feature_weights: Box<[HiddenVector<G::Hidden>]>,
    pub(super) feature_bias: HiddenVector<G::Hidden>,
    pub(super) output_layers: Box<[OutputLayer<G::Hidden>]>,
    pub(super) kernel: Kernel,
    pub(super) checksum: u32,
    pub(super) game: PhantomData<G>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct OutputLayer<H: HiddenLayer> {
    /// For the accumulators of the side to move and of the opponent.
    pub weights: [HiddenVector<H>; 2],
    pub bias: i32,
}

/// The integer weights and biases of a network, as a trainer quantises them.
pub struct QuantisedWeights<H: HiddenLayer> {
    /// For each feature, in units of 1/[`QA`].
    pub feature_weights: Vec<H::Row<i16>>,
    /// In units of 1/[`QA`].
    pub feature_bias: H::Row<i16>,
    /// For each bucket: weights for the accumulators of the side to move and of the opponent, in
    /// units of 1/[`QB`].
    pub output_weights: Vec<[H::Row<i16>; 2]>,
    /// For each bucket, in units of 1/([`QA`]·[`QB`]).
    pub output_bias: Vec<i32>,
}

impl<G: NetworkInput> Clone for Network<G> {
    fn clone(&self) -> Network<G> {
        Network {
            feature_weights: self.feature_weights.clone(),
            output_layers: self.output_layers.clone(),
            ..*self
        }
    }
}

impl<G: NetworkInput> Network<G> {
    /// The same network with another kernel.
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> Network<G> {
        Network { kernel, ..self.clone() }
    }

    /// Its kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The checksum of its file, which identifies the network.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Its weights and biases, from which training can resume.
    pub fn quantised_weights(&self) -> QuantisedWeights<G::Hidden> {
        let layers = self.output_layers.iter();
        QuantisedWeights {
            feature_weights: self.feature_weights.iter().map(|weights| weights.0).collect(),
            feature_bias: self.feature_bias.0,
            output_weights: layers.map(|layer| layer.weights.map(|weights| weights.0)).collect(),
            output_bias: self.output_layers.iter().map(|layer| layer.bias).collect(),
        }
    }

    /// The output layer: a score in centipawns for the side to move, from its accumulator and the
    /// opponent's.
    pub(super) fn output(
        &self,
        us: &HiddenVector<G::Hidden>,
        them: &HiddenVector<G::Hidden>,
        pieces: u32,
    ) -> i32 {
        let layer = &self.output_layers[G::output_bucket(pieces)];
        let sum = self.kernel.screlu_dot(us, &layer.weights[0])
            + self.kernel.screlu_dot(them, &layer.weights[1]);
        // SCReLU squares QA, but the bias has it once.
        let output = sum / i64::from(QA) + i64::from(layer.bias);
        (output * i64::from(EVAL_SCALE) / (i64::from(QA) * i64::from(QB))) as i32
    }
}
