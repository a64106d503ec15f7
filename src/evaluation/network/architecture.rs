//! The quantisation, and the output layers.

/// Quantisation of the accumulator: the integer that stands for 1.
pub const QA: i16 = 255;
/// Quantisation of the output weights: the integer that stands for 1.
pub const QB: i16 = 64;
/// The largest output weight: [`QA`] times it must fit into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA;
/// Centipawns of an output of 1, which the sigmoid turns into odds of e to one.
pub const EVAL_SCALE: i32 = 216;

/// Input features, hidden neurons and output layers of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// Input features.
    pub features: usize,
    /// Neurons of the hidden layer, for each perspective.
    pub hidden: usize,
    /// Output layers, one of which is chosen by the number of pieces.
    pub output_buckets: usize,
}
