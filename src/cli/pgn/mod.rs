//! `qirkat pgn`.

mod check_games;
mod command;
mod convert;
mod faulty_run;
mod filter;
mod fingerprint;
mod game_date;
pub(super) mod game_input;
mod material_left;
mod merge;
mod opening_moves;
mod output;
mod pgn_arguments;
mod rejected;
mod stats;

pub(super) use command::{FaultyGames, run};
pub(super) use pgn_arguments::PgnOptions;
