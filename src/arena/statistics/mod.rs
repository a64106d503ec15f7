//! Statistics of match results: counts of games and of game pairs, Elo estimates, and
//! the sequential test (SPRT) that ends a match when it is decided. [`ratings()`] lists more
//! than two players.
//!
//! All counts and estimates are those of the first player. Games are best played in pairs,
//! one opening with both colours: the bias of the opening then cancels out, and the five
//! outcomes of a pair (pentanomial) carry more information than the three of a game.

mod counts;
mod estimate;
mod ratings;
mod sprt;

pub use counts::{GameCounts, GameScore, PairCounts};
pub use estimate::{EloEstimate, Estimate, logistic_elo, logistic_score};
pub use ratings::{Encounter, ratings};
pub use sprt::{EloModel, MAX_ELO_BOUND, Sprt, SprtError, SprtState};
