//! Games of people against the engine or each other, wherever they are played: in the
//! browser or in the terminal. A [`CasualGame`] is who plays, the clocks and how it ended;
//! its moves are kept by whoever shows it.

mod casual_game;
mod clocks;
mod engine_policy;
mod strength;

pub use casual_game::{CasualGame, ENDING_TAGS, Ending};
pub use clocks::{Clocks, TimeRule, clock_text};
pub use engine_policy::hint_limits;
use qirkat_rules::variant::{AnyMove, Place};
pub use strength::Strength;

/// The names of the points that a move visits, and the letter of what a pawn becomes.
pub fn points_of(mv: AnyMove) -> (Vec<String>, Option<char>) {
    (mv.places().iter().map(Place::to_string).collect(), mv.promotion())
}
