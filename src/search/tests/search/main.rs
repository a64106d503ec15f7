//! The search from outside, with the evaluations of the engine and with that of a toy game.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod mates;
mod short_mates;
mod surroundings;
mod toy_game;
