//! Reviews of games, and the positions whose best moves are known.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod review;
mod tactics;
