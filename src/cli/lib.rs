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
//! What several commands need is in `shared`:
//! - `options`: game and position; threads, memory, network and tables of a search;
//! - `files`: inputs, EPD, and outputs, which replace nothing unless told; `games`: PGN;
//!   `text_formats`: JSON and TOML;
//! - `terminal`: widths, messages, progress bars; `review_report`: a review for people;
//! - `misuse`: what is wrong with a command line, and what to type instead;
//! - `exit_status`: Ctrl-C, and errors that end with a status of their own;
//! - `conditions`: how a file was made, kept beside it, for those that are resumed; `own_games`:
//!   what the engine's games against itself add to a file.

mod commands;
mod shared;

pub use self::commands::run;
