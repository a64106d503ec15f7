//! Games of people against the engine or each other, wherever they are played: in the
//! browser or in the terminal. A [`CasualGame`] is who plays, the clocks and how it ended;
//! its moves are kept by whoever shows it.

mod casual_game;
mod clocks;
mod engine_policy;
mod strength;

pub use casual_game::{CasualGame, Ending};
pub use clocks::{Clocks, TimeRule, clock_text};
pub use engine_policy::hint_limits;
use qirkat_rules::variant::AnyMove;
pub use strength::Strength;

/// The points that a move visits, by its text: pairs of a letter and a digit. A
/// letter behind them is what a pawn becomes.
pub fn points_of(mv: AnyMove) -> (Vec<String>, Option<char>) {
    let text = mv.to_string();
    let letters: Vec<char> = text.chars().collect();
    let pairs = letters.chunks_exact(2);
    let promotion = pairs.remainder().first().copied();
    (pairs.map(|pair| pair.iter().collect()).collect(), promotion)
}
