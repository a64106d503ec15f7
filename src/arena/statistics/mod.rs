//! Statistics of match results: counts of games and of game pairs, Elo estimates, and
//! the sequential test (SPRT) that ends a match when it is decided. [`ratings()`] lists more
//! than two players.
//!
//! All counts and estimates are those of the first player. Games are best played in pairs,
//! one opening with both colours: the bias of the opening then cancels out, and the five
//! outcomes of a pair (pentanomial) carry more information than the three of a game.

mod bradley_terry;
mod counts;
mod distribution;
mod elo;
mod estimate;
mod likelihood;
mod ratings;
mod sprt;

pub use bradley_terry::Encounter;
pub use counts::{GameCounts, GameScore, PairCounts};
pub use elo::{logistic_elo, logistic_score};
pub use estimate::{EloEstimate, Estimate};
pub use ratings::ratings;
pub use sprt::{EloModel, MAX_ELO_BOUND, Sprt, SprtError, SprtState};
