//! Positions of any of the games, one type for all of them.
//!
//! The search is compiled once for each game. Code that stores and shows games (the
//! arbiter, PGN, suites, the protocols) does not need that speed: it uses
//! [`AnyPosition`], an enum of the games' positions, so that it is written and compiled
//! once.

mod any_game;
mod any_move;
mod any_notation;
mod any_position;
mod any_rules;
mod board_picture;
mod each_game;
mod member;
mod name;
mod text_errors;

pub use any_game::{AnyGame, AnyParsedFen};
pub use any_move::AnyMove;
pub use any_position::{AnyPosition, CannotPass};
pub use member::Member;
pub use name::{UnknownVariant, Variant};
pub use text_errors::{AnyFenError, AnyMoveTextError};
