//! Qirkat plays Chesquerque (George R. Dekle Sr., 1986): chess on the 81
//! points of four joined Alquerque boards, where pieces move along the marked
//! lines.
//!
//! Data flows one way: [`cli`] and [`protocol`] read what a person or a
//! program wants, [`engine`] runs one task at a time, [`search`] looks ahead in
//! any game that implements [`game`]. [`chesquerque`] holds the rules of such a
//! game; [`evaluation`] evaluates its positions, by a [`network`] or by terms
//! that people can read. [`arena`] lets engines play each other, each a
//! [`program`] with pipes, and [`statistics`] counts; [`compliance`] examines how
//! an engine keeps to the protocol. [`pgn`] writes games down and reads them,
//! [`epd`] reads positions, and [`suite`] counts how many of those with known
//! best moves the search solves. [`dataset`] keeps positions of games of the
//! engine against itself, on which `training` trains a network; `tuning` fits the
//! values of [`evaluation`], and the parameters of the search, to games.

#![deny(unsafe_code)]

pub mod arena;
pub mod chesquerque;
pub mod cli;
pub mod compliance;
pub mod dataset;
pub mod distance;
pub mod engine;
pub mod epd;
pub mod evaluation;
pub mod game;
mod load_network;
pub mod machine;
pub mod network;
mod optimiser;
pub mod pgn;
pub mod program;
pub mod protocol;
pub mod score;
pub mod search;
mod sigmoid;
mod splitmix;
pub mod statistics;
pub mod suite;
pub mod text;
mod time_text;
mod training;
mod tuning;
mod whole_file;
