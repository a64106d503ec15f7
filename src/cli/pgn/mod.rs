//! `qirkat pgn`.

mod check_games;
mod command;
mod convert;
mod faulty_run;
mod filter;
pub(super) mod game_input;
mod merge;
mod output;
mod pgn_arguments;
mod rejected;
mod stats;

pub(super) use command::{FaultyGames, run};
pub(super) use pgn_arguments::PgnOptions;
