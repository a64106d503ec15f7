//! Opening statistics: what was played in a file of games, position by position.
//!
//! The file comes from the page in pieces and may be as large as it likes: its games
//! are counted one after the other on a thread of their own ([`OpeningLoader`]), and
//! what is kept of them is bounded ([`OpeningStatistics`]). All tabs look into the file
//! that was read last ([`KnownOpenings`]).

mod known_openings;
mod opening_loader;
mod opening_statistics;

pub(super) use known_openings::KnownOpenings;
pub use opening_loader::LoadProgress;
pub(super) use opening_loader::OpeningLoader;
pub(super) use opening_statistics::MoveStatistics;
pub use opening_statistics::OpeningStatistics;
