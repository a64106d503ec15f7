//! The command line.

mod analyse;
mod annotate;
mod bench;
mod blocks;
#[cfg(feature = "board")]
mod board;
mod commands;
mod compliance;
mod conditions;
mod data;
mod datagen;
mod install;
mod interrupt;
mod match_games;
mod network;
mod openings;
mod output_path;
mod perft;
mod pgn;
#[cfg(feature = "play")]
mod play;
mod problem;
mod progress;
mod puzzles;
mod resources;
mod rules;
mod setup;
mod suite;
mod tables;
mod terminal;
mod train;
mod tune;
#[cfg(feature = "tuning")]
mod tune_search;
mod xboard;

pub use self::commands::run;
