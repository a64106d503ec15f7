//! A fixed piece of work: its node count tells whether the search behaves as
//! before, its time how fast it is.

use std::fmt;
use std::time::Duration;

use crate::chesquerque::{Game, Position};
use crate::distance::Depth;
use crate::evaluation::Evaluation;
use crate::search::{
    DEFAULT_HASH_MEGABYTES, ResourceError, SearchControl, SearchLimits, SearchLine, Searcher,
    nodes_per_second,
};

/// The positions, one FEN a line.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// The depth when none is given.
pub const BENCH_DEPTH: Depth = Depth(10);

/// How far a bench has come.
#[derive(Clone, Copy, Debug)]
pub struct BenchProgress<'a> {
    /// Positions done.
    pub done: usize,
    /// Positions in all.
    pub total: usize,
    /// The position just done.
    pub position: &'a Position,
    /// Its nodes.
    pub nodes: u64,
}

/// What a bench came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Positions visited.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl BenchResult {
    /// Positions visited each second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Searches each bench position to a depth on one thread, each with an empty
/// table, so that the count does not depend on options or on order. Returns
/// nothing when the control stops it.
///
/// # Errors
/// When thread or table cannot be had.
pub fn bench(
    depth: Depth,
    evaluation: &Evaluation,
    control: &SearchControl,
    progress: &mut dyn FnMut(BenchProgress<'_>),
) -> Result<Option<BenchResult>, ResourceError> {
    let mut searcher = Searcher::with_resources(evaluation.clone(), 1, DEFAULT_HASH_MEGABYTES)?;
    let limits = SearchLimits::depth(depth);
    let mut nodes = 0;
    let games = bench_games();
    for (index, game) in games.iter().enumerate() {
        searcher.clear()?;
        let result = searcher.search_under(control, game, &limits, &mut |_: &SearchLine<_>| {});
        if control.stopped() {
            return Ok(None);
        }
        nodes += result.nodes;
        progress(BenchProgress {
            done: index + 1,
            total: games.len(),
            position: game.position(),
            nodes: result.nodes,
        });
    }
    Ok(Some(BenchResult { nodes, time: control.elapsed() }))
}

/// The line that bench scripts look for.
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

fn bench_games() -> Vec<Game> {
    POSITIONS
        .lines()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .map(|parsed| Game::from_position(parsed.position))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bench_positions_are_good() {
        let lines = POSITIONS.lines().count();
        assert!(lines >= 40);
        let games = bench_games();
        assert_eq!(games.len(), lines, "a bench position is not a valid FEN");
        for game in games {
            assert_eq!(game.outcome(), None, "{}", game.position());
        }
    }
}
