//! Black-box tests of UCI: they start the real binary and use it through pipes, as a GUI does. Its
//! output is checked against the slow reference generator, never the engine's own code.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod answer;
mod engine;
mod info;
mod limits;

mod console;
mod draws_and_mates;
mod go_limits;
mod handshake;
mod lines;
mod long_games;
mod network;
mod options;
mod perft;
mod position_errors;
mod robustness;
mod same_again;
mod searchmoves;
mod stop_and_ponder;
mod strength;
mod system;
mod timing;
