//! Games in PGN, the Portable Game Notation (S. J. Edwards, 1994), with
//! `[Variant "Chesquerque"]`.
//!
//! [`PgnGame`] is a game on paper: tags, moves, comments, result. It is
//! written by its `Display` in export format (or by [`PgnGame::written_in`] in
//! another [`Notation`]), and [`PgnReader`] reads it, in
//! any of the forms that people and programs write, out of a stream of games
//! as long as a disk is large.

mod error;
mod lexer;
mod notation;
mod read;
mod record;
mod write;

#[cfg(test)]
mod fuzz;

pub use error::{MoveFault, MoveNumber, PgnError, PgnFault};
pub use notation::Notation;
pub use read::{PgnReader, ReadGame};
pub use record::{PgnGame, PgnMove};

pub use crate::game::GameResult;

/// What the `Variant` tag says.
pub const VARIANT: &str = "Chesquerque";
