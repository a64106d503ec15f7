//! Positions of any of the games, one type for all of them.
//!
//! The search is compiled once for each game. Code that stores and shows games (the
//! arbiter, PGN, suites, the protocols) does not need that speed: it uses
//! [`AnyPosition`], an enum of the games' positions, so that it is written and compiled
//! once. Where both meet, `conversion` leads from one to the other.

mod any_board;
mod any_move;
mod any_notation;
mod any_position;
mod conversion;
mod name;

pub use any_board::Place;
pub use any_move::AnyMove;
pub use any_notation::{AnyFenError, AnyMoveTextError, AnyParsedFen};
pub use any_position::{AnyGame, AnyPosition, CannotPass};
pub use conversion::Member;
pub use name::{UnknownVariant, Variant};
