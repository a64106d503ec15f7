//! NNUE: a small quantised neural network that evaluates positions, with an
//! efficiently updatable accumulator (Y. Nasu, 2018), trained on games of self-play.
//!
//! # Architecture
//!
//! (features → hidden)×2 → 1 with SCReLU and several output buckets. Each game has
//! a size of its own:
//!
//! | game | features | hidden | buckets |
//! |---|---|---|---|
//! | Chesquerque | 14 × 81 | 256 | 8 |
//! | Masonic chess | 12 × 64 | 128 | 8 |
//! | Alquerque | 2 × 25 | 64 | 4 |
//!
//! - **Features**: plain piece-square features, a kind and color of piece on a
//!   point ([`Feature`]). Each [`Perspective`] sees its own first rank at the
//!   bottom, and in Chesquerque its own king on files a to e, so the board is
//!   mirrored by the king's side. There are no king buckets.
//! - **Accumulator**: per perspective, the bias plus the weights of the active
//!   features.
//! - **Activation**: SCReLU, clamp to [0, 1] and square.
//! - **Output**: the accumulators of the side to move and of the other side, each
//!   with weights of its own. Which output layer is used depends on how many
//!   pieces are on the board ([`NetworkInput::output_bucket`]).
//!
//! # Inference
//!
//! All arithmetic is in integers, quantised by [`QA`] and [`QB`], so every machine
//! computes the same score. A move changes two or three features, so an accumulator
//! is updated from that of a similar position: see [`Evaluator`].
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
pub use input::{Feature, NetworkInput};
pub use kernel::Kernel;
pub use network_format::NetworkError;
pub use quantised::{Network, QuantisedWeights};

/// A network of Chesquerque.
pub type ChesquerqueNetwork = Network<chesquerque::Position>;
