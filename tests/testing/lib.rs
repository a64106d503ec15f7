//! What the tests of several crates share: a slow move generator of its own for
//! Chesquerque, games and texts at random, and programs that are talked to by pipes.
//!
//! It knows nothing of the engine but the seam of [`qirkat_game`], so that it can judge it, and
//! no crate depends on it but for its tests. Begin with [`reference`](mod@reference).
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

mod effort;
pub mod games;
pub mod pipes;
pub mod reference;
mod texts_like;
mod walk;

pub use effort::effort;
pub use texts_like::{ANY, texts_like};
pub use walk::walk;
