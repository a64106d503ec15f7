//! Statistics of match results: counts of games and pairs, Elo estimates, the sequential test
//! (SPRT) that ends a match when it is decided, and [`ratings()`] of more than two players. All
//! counts and estimates are from the first player's view.
//!
//! Games are best played in pairs, one opening with both colours: this cancels the bias of the
//! opening, and the five outcomes of a pair (pentanomial) carry more information than the three of
//! a game.

mod estimate;
mod ratings;
mod sprt;

pub use estimate::{EloEstimate, Estimate, GameCounts, GameScore, PairCounts};
pub use ratings::{RatedResult, Ratings, ratings};
pub use sprt::{EloModel, Sprt, SprtError, SprtState};
