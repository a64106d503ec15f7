//! A point in time of a search, by depth, nodes and time.

use std::time::Duration;

use qirkat_game::distance::Depth;

/// Where in a search a solution was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The iteration.
    pub depth: Depth,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
}
