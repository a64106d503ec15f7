//! Solves problems by search, and records when the solution was found.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::budget::Budget;
use super::budget::Found;
use super::problem::Problem;
use qirkat_engine::{AnySearcher, SearchLine, SearchResult};
use qirkat_game::score::Score;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_search::{Reporter, SearchControl, TableMemoryError};

/// The attempt of a search to solve a problem.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub played: Option<AnyMove>,
    pub score: Score,
    /// The moment from which its best move was a solution until the end.
    pub found: Option<Found>,
    pub end: Found,
}

/// Solves problems by search.
pub struct Solver {
    searcher: AnySearcher,
}

/// Nodes of the search that warms a solver up.
const WARM_UP_NODES: u64 = 1_000;

impl Solver {
    /// A solver that searches with this searcher.
    ///
    /// # Errors
    /// When memory is not available.
    pub fn new(searcher: AnySearcher) -> Result<Solver, TableMemoryError> {
        let start = searcher.variant().new_game();
        let mut solver = Solver { searcher };
        // The first search of a process sets up and fetches into memory what
        // all others find there; no problem should pay for it.
        let control = SearchControl::new(false, false);
        let budget = Budget::Nodes(WARM_UP_NODES);
        solver.search(&start, budget, control, &mut |_: &SearchLine| {})?;
        Ok(solver)
    }

    /// Searches a position with an empty transposition table and empty histories, so that
    /// one problem does not help with the next. Raising `stop` ends it early.
    ///
    /// # Errors
    /// When the memory for the table is not available.
    pub fn attempt(
        &mut self,
        problem: &Problem,
        budget: Budget,
        stop: &Arc<AtomicBool>,
    ) -> Result<Attempt, TableMemoryError> {
        let mut watch = Watch { best: &problem.best, found: None };
        let control = SearchControl::with_stop_flag(Arc::clone(stop));
        let (result, time) =
            self.search(&problem.game(), budget, control, &mut |line: &SearchLine| {
                watch.on_line(line);
            })?;
        let end = Found { depth: result.depth, nodes: result.nodes, time };
        let solved = result.best.is_some_and(|mv| problem.best.contains(&mv));
        // What several threads agree on need not be what the first one said
        // last.
        let found = solved.then_some(watch.found.unwrap_or(end));
        Ok(Attempt { played: result.best, score: result.score, found, end })
    }

    fn search(
        &mut self,
        game: &AnyGame,
        budget: Budget,
        control: SearchControl,
        reporter: &mut Reporter<'_, AnyPosition>,
    ) -> Result<(SearchResult, Duration), TableMemoryError> {
        self.searcher.clear()?;
        let result = self.searcher.search_under(&control, game, &[], &budget.limits(), reporter);
        Ok((result, control.elapsed()))
    }
}

/// Remembers since when the search has stayed with a solution.
struct Watch<'a> {
    best: &'a [AnyMove],
    found: Option<Found>,
}

impl Watch<'_> {
    fn on_line(&mut self, line: &SearchLine) {
        let right = line.moves.first().is_some_and(|mv| self.best.contains(mv));
        self.found = if right {
            let here = Found { depth: line.depth, nodes: line.nodes, time: line.time };
            self.found.or(Some(here))
        } else {
            None
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::distance::Depth;
    use qirkat_rules::variant::Variant;

    #[test]
    fn a_solution_counts_from_when_it_stays() {
        let [right, other, wrong] = ["a1a9", "a1c1", "a1a2"]
            .map(|text| AnyMove::parse(Variant::Chesquerque, text).expect("a move"));
        let best = [right, other];
        let found_at = |moves: &[AnyMove]| {
            let mut watch = Watch { best: &best, found: None };
            for (depth, &mv) in (1..).zip(moves) {
                let mut line = SearchLine::new(Depth(depth), Score::DRAW, vec![mv]);
                line.nodes = 10 * depth as u64;
                line.time = Duration::from_millis(depth as u64);
                watch.on_line(&line);
            }
            watch.found.map(|found| (found.depth.0, found.nodes))
        };
        assert_eq!(found_at(&[]), None);
        assert_eq!(found_at(&[wrong, right, right]), Some((2, 20)));
        assert_eq!(found_at(&[right, wrong, other, right]), Some((3, 30)));
        assert_eq!(found_at(&[right, right, wrong]), None);
    }
}
