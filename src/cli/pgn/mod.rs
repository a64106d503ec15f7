//! `qirkat pgn`.

mod arguments;
mod check;
mod command;
mod convert;
mod counted;
mod filter;
pub(super) mod input;
mod merge;
mod output;
mod stats;

pub(super) use arguments::PgnOptions;
pub(super) use command::{FaultyGames, run};
