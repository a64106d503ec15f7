//! Puzzles: positions with one solution, for people.
//!
//! [`built_in`] returns those that come with Qirkat. A [`Miner`] finds more in self-play games: a
//! mate is proved to be the shortest and unique, a winning or saving move is searched twice against
//! the best alternative. Themes are read off the board; a puzzle's level is the lowest engine level
//! that solves it.

mod miner;

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use lzma_rust2::XzReader;

pub use self::miner::Miner;
use super::suite::{Problem, TACTICS, read_suite};
use qirkat_engine::{AnySearcher, FULL_SKILL, SearchLimits, handicap_of_level};
use qirkat_rules::variant::Variant;
use qirkat_search::{SearchControl, TableMemoryError};

/// The mined puzzles of a game, as packed by `build.rs`.
macro_rules! packed {
    ($game:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $game, ".epd.xz"))
    };
}

/// A game's puzzles that come with Qirkat, from easy to hard: the suite, if it is for that game,
/// and the mined ones. They are read at the first call.
pub fn built_in(variant: Variant) -> &'static [Problem] {
    static SETS: [LazyLock<Vec<Problem>>; 3] = [
        LazyLock::new(|| {
            let mut puzzles = read(Variant::Chesquerque, TACTICS.as_bytes());
            puzzles.extend(mined(Variant::Chesquerque, packed!("chesquerque")));
            by_level(puzzles)
        }),
        LazyLock::new(|| by_level(mined(Variant::Masonic, packed!("masonic")))),
        LazyLock::new(|| by_level(mined(Variant::Alquerque, packed!("alquerque")))),
    ];
    &SETS[variant as usize]
}

fn by_level(mut puzzles: Vec<Problem>) -> Vec<Problem> {
    puzzles.sort_by_key(|puzzle| puzzle.level);
    puzzles
}

fn mined(variant: Variant, packed: &[u8]) -> Vec<Problem> {
    read(variant, BufReader::new(XzReader::new(packed, false)))
}

fn read(variant: Variant, epd: impl BufRead) -> Vec<Problem> {
    let read = read_suite(epd, "the built-in puzzles", variant);
    read.inspect_err(|error| log::error!("{error}")).unwrap_or_default()
}

/// How many players of a level, each blind to other moves, must all solve it.
const PLAYERS: u64 = 2;
/// The step between the levels tried: neighbouring levels hardly differ.
const LEVELS_APART: usize = 2;

/// The level of a problem, from 0 to [`FULL_SKILL`]: the lowest that solves it, or the highest if
/// none does. None when `stop` is raised.
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

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
    use std::collections::HashSet;

    #[test]
    fn every_built_in_puzzle_has_a_choice_themes_and_a_level() {
        for (variant, least) in
            [(Variant::Chesquerque, 3_000), (Variant::Masonic, 1_000), (Variant::Alquerque, 1_000)]
        {
            let puzzles = built_in(variant);
            assert!(puzzles.len() >= least, "{variant}: {}", puzzles.len());
            let mut boards = HashSet::new();
            for puzzle in puzzles {
                let id = &puzzle.id;
                assert!(puzzle.position.count_legal_moves() > 1, "{id}");
                assert!(!puzzle.themes.is_empty() && puzzle.level.is_some(), "{id}");
                assert_eq!(puzzle.mate.is_some(), puzzle.has_theme("mate"), "{id}");
                assert!(boards.insert(puzzle.position.key()), "{id} is there twice");
            }
        }
    }
}
