//! NNUE: a small quantised neural network that evaluates positions, with an
//! efficiently updatable accumulator (Y. Nasu, 2018). It was learned from games
//! of the engine against itself.
//!
//! # Architecture
//!
//! (1134 → [`HIDDEN`])×2 → 1 with SCReLU and [`OUTPUT_BUCKETS`] output buckets:
//!
//! - **Features**: plain piece-square features, a kind and color of piece on a
//!   point ([`Feature`]), 14 × 81. Each [`Perspective`] sees its own first rank at
//!   the bottom and its own king on files a to e, so the board is mirrored by the
//!   king's side. There are no king buckets.
//! - **Accumulator**: per perspective, the bias plus the weights of the active
//!   features.
//! - **Activation**: SCReLU, clamp to [0, 1] and square.
//! - **Output**: the accumulators of the side to move and of the other side, each
//!   with weights of its own. Which output layer is used depends on how many
//!   pieces are on the board ([`output_bucket`]).
//!
//! # Inference
//!
//! All arithmetic is in integers, quantised by [`QA`] and [`QB`], so every machine
//! computes the same score. A move changes two or three features, so an accumulator
//! is updated from that of a similar position: see [`Evaluator`].
//!
//! This room does arithmetic only, on the embedded bytes or on bytes that are
//! handed to [`Network::from_bytes`]: no files, no threads, no clock.

mod accumulator;
mod architecture;
mod embedded;
mod evaluator;
mod features;
mod hidden_vector;
mod kernel;
mod network_format;
mod quantised;

pub use architecture::{
    EVAL_SCALE, HIDDEN, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS, QA, QB, output_bucket,
};
pub use evaluator::Evaluator;
pub use features::{Feature, Perspective};
pub use kernel::{Avx2, Kernel};
pub use network_format::NetworkError;
pub use quantised::{Network, QuantisedWeights};
