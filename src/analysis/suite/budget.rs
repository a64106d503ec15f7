//! The search limit for each problem of a suite.

use std::time::Duration;

use derive_more::Display;

use qirkat_engine::SearchLimits;
use qirkat_game::distance::Depth;
use qirkat_search::TimeBudget;

/// The one limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display)]
pub enum Budget {
    #[display("{} ms", _0.as_millis())]
    Time(Duration),
    #[display("{_0} nodes")]
    Nodes(u64),
    /// The last iteration.
    #[display("depth {_0}")]
    Depth(Depth),
}

impl Budget {
    /// The limits of a search with this budget.
    pub fn limits(self) -> SearchLimits {
        let mut limits = SearchLimits::default();
        match self {
            Budget::Time(time) => limits.time = TimeBudget::fixed(time, Duration::ZERO),
            Budget::Nodes(nodes) => limits.nodes = Some(nodes),
            Budget::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }

    /// A share of the budget, rounded up.
    #[must_use]
    pub fn percent(self, percent: u32) -> Budget {
        let share = |whole: u128| (whole * u128::from(percent)).div_ceil(100);
        match self {
            Budget::Time(time) => {
                Budget::Time(Duration::from_millis(share(time.as_millis()) as u64))
            }
            Budget::Nodes(nodes) => Budget::Nodes(share(u128::from(nodes)) as u64),
            Budget::Depth(depth) => Budget::Depth(Depth(share(depth.0.max(0) as u128) as i16)),
        }
    }

    /// Whether this budget would have been enough to find a move.
    pub fn covers(self, found: &Found) -> bool {
        match self {
            Budget::Time(time) => found.time <= time,
            Budget::Nodes(nodes) => found.nodes <= nodes,
            Budget::Depth(depth) => found.depth <= depth,
        }
    }
}

/// Where in a search a solution was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    pub depth: Depth,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
}
