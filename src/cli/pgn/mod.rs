//! `qirkat pgn`.

mod check_games;
mod command;
mod convert;
mod filter;
pub(super) mod game_input;
mod merge;
mod output;
mod pgn_arguments;
mod stats;

pub(super) use command::{FaultyGames, run};
pub(super) use pgn_arguments::PgnOptions;
