//! The command line of Qirkat: a thin door to the other crates. It reads arguments, opens
//! files, calls the crate that does the work, and shows results, progress and messages. How a
//! game is played, searched, reviewed or written down it does not know.
//!
//! Begin with `commands`: the list of all commands, and [`run`], which hands each to the
//! file or folder of its name. There a command is built of two things: a struct of options
//! that derives `clap::Args`, whose doc comments are the help, and a function `run` that
//! takes them and fails with the message to print; `HELP` ends its help, with examples. One name
//! differs: `match` is in `match_games` (the word is Rust's own).
//!
//! Shared by the commands:
//! - options: `setup` (game, position, moves), `resources` (threads, memory, network,
//!   tablebase), `files` (outputs, which replace nothing unasked);
//! - inputs: `files::open_input`, `epd`, games in `pgn::game_input`, training data in
//!   `data`;
//! - the terminal: `progress` (bars on standard error), `terminal` (widths, messages);
//! - `value_names`: values that shells complete;
//! - `misuse`: what is wrong with a command line, and what to type instead;
//! - `exit_status`: Ctrl-C, and errors that end with a status of their own;
//! - `conditions`: how a file was made, kept beside it, for those that are gone on with.

mod analyse;
mod annotate;
mod bench;
#[cfg(feature = "board")]
mod board;
mod commands;
mod completions;
mod compliance;
mod conditions;
mod data;
mod datagen;
mod epd;
mod exit_status;
mod files;
mod man;
mod match_games;
mod misuse;
mod network;
mod openings;
mod own_games;
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
mod solve;
mod suite;
mod tables;
mod terminal;
mod text_formats;
mod train;
mod tune;
#[cfg(feature = "tuning")]
mod tune_search;
mod value_names;
mod xboard;

pub use self::commands::run;
