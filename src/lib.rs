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
//!
//! # Features
//!
//! By default everything is there. Without default features it is the playing core:
//! [`game`], [`chesquerque`], [`search`], [`network`], [`evaluation`], [`pgn`] and
//! [`epd`]. The core asks an operating system for nothing, so that it runs in a browser
//! too: a search takes place on the thread that calls it, ends by nodes or depth, and by
//! time where its host hands in a clock ([`SearchControl::with_clock`]). These add to it:
//!
//! - `threads`: searches on several threads, and perft;
//! - `clock`: the system's clock times each search;
//! - `huge-pages`: large tables in huge pages, on Linux;
//! - `serde`: results of games can be serialised;
//! - `cli`: all of these, the program `qirkat`, and the rooms that only it needs.
//!
//! [`SearchControl::with_clock`]: search::SearchControl::with_clock

#[cfg(feature = "cli")]
pub mod arena;
pub mod chesquerque;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod compliance;
#[cfg(feature = "cli")]
pub mod dataset;
pub mod distance;
#[cfg(feature = "cli")]
pub mod engine;
pub mod epd;
pub mod evaluation;
pub mod game;
#[cfg(feature = "cli")]
mod load_network;
pub mod network;
#[cfg(feature = "cli")]
mod optimiser;
pub mod pgn;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(feature = "cli")]
pub mod protocol;
pub mod score;
pub mod search;
mod sigmoid;
mod splitmix;
#[cfg(feature = "cli")]
pub mod statistics;
#[cfg(feature = "cli")]
pub mod suite;
#[cfg(feature = "cli")]
mod text;
#[cfg(feature = "cli")]
mod training;
#[cfg(feature = "cli")]
mod tuning;
#[cfg(feature = "cli")]
mod whole_file;
