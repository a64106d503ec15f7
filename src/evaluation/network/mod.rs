//! NNUE: a small quantised neural network that evaluates positions, with an efficiently updatable
//! accumulator (Y. Nasu, 2018), trained on self-play games. `docs/inside/network.md` describes its
//! architecture and training.
//!
//! - [`Feature`]: the input, a piece on a point as a side sees it.
//! - [`NetworkInput`]: the size of each game's network, and each side's perspective.
//! - [`Network`]: the integer weights, quantised by [`QA`] and [`QB`], so that every machine
//!   computes the same score.
//! - [`Evaluator`]: one accumulator per ply, updated from that of a similar position.
//!
//! Networks are read from bytes; the caller reads files.

mod evaluator;
mod input;
mod kernel;
mod quantised;

use qirkat_rules::chesquerque;

pub use evaluator::Evaluator;
pub use input::{
    EVAL_SCALE, Feature, HiddenLayer, MAX_OUTPUT_WEIGHT, NetworkInput, Neurons, Number, QA, QB,
    active_features,
};
pub use kernel::Kernel;
pub use quantised::{HasEmbeddedNetwork, Network, NetworkError, QuantisedWeights};

pub type ChesquerqueNetwork = Network<chesquerque::Position>;
