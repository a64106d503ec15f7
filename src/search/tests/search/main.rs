//! The public search, with the engine's evaluations and a toy game's.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod mates;
mod short_mates;
mod surroundings;
mod toy_game;
