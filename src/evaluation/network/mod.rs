//! NNUE: a small quantised neural network that evaluates positions, with an
//! efficiently updatable accumulator (Y. Nasu, 2018), trained on games of self-play.
//! `docs/inside/network.md` tells its architecture and how it is trained.
//!
//! - [`Feature`]: the input, a piece on a point as a side sees it.
//! - [`NetworkInput`]: the size of each game's network, and how its board is seen.
//! - [`Network`]: the weights, in integers, quantised by [`QA`] and [`QB`], so that every
//!   machine computes the same score.
//! - [`Evaluator`]: one accumulator for each ply, updated from that of a similar position.
//!
//! This module only computes, on the embedded bytes or on bytes passed to
//! [`Network::from_bytes`]: no files, no threads, no clock.

mod evaluator;
mod input;
mod kernel;
mod network_format;
mod quantised;

use qirkat_rules::chesquerque;

pub use evaluator::Evaluator;
pub use input::{
    EVAL_SCALE, Feature, HiddenLayer, MAX_OUTPUT_WEIGHT, NetworkInput, Neurons, Number, QA, QB,
    active_features,
};
pub use kernel::Kernel;
pub use network_format::{HasEmbeddedNetwork, NetworkError};
pub use quantised::{Network, QuantisedWeights};

/// A network of Chesquerque.
pub type ChesquerqueNetwork = Network<chesquerque::Position>;
