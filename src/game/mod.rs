//! The seam between the search and the games it plays.
//!
//! A game is a type that implements [`Game`]: its rules, and what the search
//! wants to know of a move before it is searched. The search is generic over
//! that trait and compiled once for each game, so nothing is dispatched while
//! it runs. The value of a position comes from an [`Evaluate`].
//!
//! Nothing here knows a board. Chess-like games have check, null moves and
//! mates; draughts-like games have compulsory captures and moves that take
//! several pieces, and the side that cannot move has lost.

mod color;
mod evaluate;
mod game_history;
mod key;
mod rules;
mod state;

pub use color::Color;
pub use evaluate::{Evaluate, Evaluator};
pub use game_history::GameHistory;
pub use key::{Key, PackedMove};
pub use rules::{Game, MoveFilter, StructureHashes, Terminal};
pub use state::GameState;
