//! The command line.

mod analyse;
mod annotate;
mod arguments;
mod bench;
mod blocks;
#[cfg(feature = "board")]
mod board;
mod complaint;
mod compliance;
mod conditions;
mod data;
mod data_health;
mod datagen;
mod eval_file;
mod file_checksum;
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
mod position_options;
mod problem;
mod progress;
mod puzzles;
mod resources;
mod rules;
mod run;
mod setup;
mod suite;
mod suite_file;
mod tables;
mod terminal;
mod train;
mod tune;
#[cfg(feature = "tuning")]
mod tune_search;
mod xboard;

pub use run::run;
