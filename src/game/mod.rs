//! The seam between the search and the games it plays.
//!
//! A game is a type that implements [`Game`]: its rules, and what the search
//! wants to know of a move before it is searched. The search is generic over
//! that trait and compiled once for each game, so nothing is dispatched while
//! it runs. What positions are worth comes from an [`Evaluate`].
//!
//! Nothing here knows a board. Chess-like games have check, null moves and
//! mates; draughts-like games have compulsory captures, moves that take
//! several pieces, and are lost by who cannot move.

mod color;
mod evaluate;
mod history;
mod key;
mod result;
mod rules;
mod state;

pub use color::Color;
pub use evaluate::{Evaluate, Evaluator};
pub use history::GameHistory;
pub use key::{Key, PackedMove};
pub use result::GameResult;
pub use rules::{Game, MoveFilter, StructureHashes, Terminal};
pub use state::GameState;
