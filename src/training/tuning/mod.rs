//! Tuning: fits the parameters of the hand-crafted evaluation, of the search, and of the
//! win-draw-loss model to games.
//!
//! - **Evaluation**: Texel tuning (P. Österlund, 2014) by gradient descent instead of
//!   local search. Each position becomes a trace of how often it has each feature
//!   ([`SampleSet`]); from then on its value is a formula of the weights, whose
//!   gradient is known ([`fit`]).
//! - **Search**: its parameters have no gradient that could be computed, so they are
//!   tried out in games (SPSA, in builds with the feature `tuning`).
//! - **Win-draw-loss model**: maximum likelihood ([`ScoreSet`]).

#[cfg(any(feature = "tuning", test))]
mod spsa;
#[cfg(feature = "tuning")]
mod spsa_games;
mod texel;
mod texel_model;
mod texel_samples;
mod values_source;
mod wdl_fit;

#[cfg(feature = "tuning")]
pub use spsa::{Spsa, SpsaParam};
#[cfg(feature = "tuning")]
pub use spsa_games::SpsaGames;
pub use texel::{FitOptions, fit};
pub use texel_samples::SampleSet;
pub use values_source::with_values;
pub use wdl_fit::{BANDS, ScoreSet};
