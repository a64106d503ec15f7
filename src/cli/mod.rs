//! The command line.

mod analyse;
mod arguments;
mod bench;
mod blocks;
mod complaint;
mod compliance;
mod data;
mod data_health;
mod datagen;
mod eval_file;
mod interrupt;
mod match_games;
mod network;
mod openings;
mod output_path;
mod perft;
mod pgn;
mod progress;
mod resources;
mod run;
mod setup;
mod suite;
mod tables;
mod train;
mod tune;
#[cfg(feature = "tuning")]
mod tune_search;
mod xboard;

pub use run::run;
