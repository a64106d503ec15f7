//! Black-box tests of the program, except for UCI: input is the command line and pipes, and the
//! tests check its output and files.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]
#![cfg(unix)]

mod run;

mod analyse;
mod annotate;
mod bench;
#[cfg(feature = "board")]
mod board;
mod book;
mod cecp;
mod datagen;
mod hostile_files;
mod install;
mod match_games;
mod outputs;
mod pgn;
#[cfg(feature = "play")]
mod play;
mod problem;
mod puzzles;
mod refused;
mod rules;
mod solve;
mod suite;
mod tables;
mod terminal;
mod training;
mod versions;
mod xboard;
