//! Tuning: fits the parameters of the search and of the win-draw-loss model to games.
//!
//! - **Search**: its parameters have no gradient that could be computed, so they are
//!   tried out in games (SPSA, in builds with the feature `tuning`).
//! - **Win-draw-loss model**: maximum likelihood ([`ScoreSet`]).

#[cfg(any(feature = "tuning", test))]
mod spsa;
#[cfg(feature = "tuning")]
mod spsa_games;
mod wdl_fit;

#[cfg(feature = "tuning")]
pub use spsa::{Spsa, SpsaParam};
#[cfg(feature = "tuning")]
pub use spsa_games::SpsaGames;
pub use wdl_fit::{BANDS, ScoreSet};
