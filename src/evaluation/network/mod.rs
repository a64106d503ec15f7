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

mod accumulator;
mod architecture;
mod embedded;
mod evaluator;
mod input;
mod kernel;
mod network_format;
mod quantised;
mod screlu_dot;

use qirkat_rules::chesquerque;

pub use architecture::{EVAL_SCALE, HiddenLayer, MAX_OUTPUT_WEIGHT, Neurons, Number, QA, QB};
pub use embedded::HasEmbeddedNetwork;
pub use evaluator::Evaluator;
pub use input::{Feature, NetworkInput, active_features};
pub use kernel::Kernel;
pub use network_format::NetworkError;
pub use quantised::{Network, QuantisedWeights};

/// A network of Chesquerque.
pub type ChesquerqueNetwork = Network<chesquerque::Position>;
