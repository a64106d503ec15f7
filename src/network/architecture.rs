//! The network's size and its quantisation.

use crate::chesquerque::MAX_PIECES;

/// Neurons of the hidden layer, for each perspective.
pub const HIDDEN: usize = 256;
/// Output layers, one of which is chosen by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// Quantisation of the accumulator: the integer that stands for 1.
pub const QA: i16 = 255;
/// Quantisation of the output weights: the integer that stands for 1.
pub const QB: i16 = 64;
/// The largest output weight: [`QA`] times it must fit into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA;
/// Centipawns of an output of 1, which the sigmoid turns into odds of e to one.
pub const EVAL_SCALE: i32 = 216;

/// The output layer for a position with this many pieces.
pub const fn output_bucket(pieces: u32) -> usize {
    let bucket = (pieces as usize).saturating_sub(1) * OUTPUT_BUCKETS / MAX_PIECES;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}
