//! Difficulty: the lowest level of the engine that finds the solution.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::suite::Problem;
use qirkat_engine::{AnySearcher, FULL_SKILL, SearchLimits, handicap_of_level};
use qirkat_search::{SearchControl, TableMemoryError};

/// Players of a level that all have to find it, each blind to other moves.
const PLAYERS: u64 = 2;
/// The levels that are tried are so far apart: neighbours hardly differ.
const LEVELS_APART: usize = 2;

/// The level of a problem, from 0 to [`FULL_SKILL`]: the lowest at which it is solved, and the
/// highest if none solves it. Nothing when `stop` is raised.
///
/// # Errors
/// When there is no memory for a clean table.
pub fn level_of(
    problem: &Problem,
    searcher: &mut AnySearcher,
    stop: &Arc<AtomicBool>,
) -> Result<Option<u8>, TableMemoryError> {
    let game = problem.game();
    for level in (0..FULL_SKILL as u8).step_by(LEVELS_APART) {
        let mut is_solved = true;
        for seed in 0..PLAYERS {
            searcher.clear()?;
            let mut limits = SearchLimits::default();
            limits.handicap = handicap_of_level(level.into(), seed);
            let control = SearchControl::with_stop_flag(Arc::clone(stop));
            let result = searcher.search_under(&control, &game, &[], &limits, &mut |_| {});
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            is_solved = result.best.is_some_and(|mv| problem.best.contains(&mv));
            if !is_solved {
                break;
            }
        }
        if is_solved {
            return Ok(Some(level));
        }
    }
    Ok(Some(FULL_SKILL as u8))
}
