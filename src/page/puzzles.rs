//! Puzzles: the positions of the suite that comes with the program.

use std::sync::LazyLock;

use serde::Serialize;

use qirkat_analysis::casual::points_of;
use qirkat_analysis::suite::{Problem, TACTICS, read_suite};
use qirkat_rules::variant::{AnyMove, Variant};

/// All puzzles, in the order of the suite.
static PUZZLES: LazyLock<Vec<Problem>> = LazyLock::new(|| {
    let read = read_suite(TACTICS.as_bytes(), "the built-in suite", Variant::Chesquerque);
    read.inspect_err(|error| log::error!("{error}")).unwrap_or_default()
});

/// A puzzle as the page lists it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListedPuzzle {
    id: &'static str,
    class: &'static str,
    /// Moves to mate; none where material is to be won.
    mate: Option<u16>,
    /// The point of the solution, where that is known.
    comment: Option<&'static str>,
    /// The moves that solve it, or begin to.
    best: Vec<Solution>,
}

/// A move that solves a puzzle.
#[derive(Clone, Debug, Serialize)]
struct Solution {
    text: String,
    points: Vec<String>,
    san: String,
}

/// The puzzle of a name.
pub(super) fn puzzle(id: &str) -> Option<&'static Problem> {
    PUZZLES.iter().find(|problem| problem.id == id)
}

/// All puzzles.
pub(super) fn listed_puzzles() -> Vec<ListedPuzzle> {
    PUZZLES.iter().map(listed).collect()
}

fn listed(problem: &'static Problem) -> ListedPuzzle {
    let solution = |&mv: &AnyMove| Solution {
        text: mv.to_string(),
        points: points_of(mv).0,
        san: problem.position.san(mv),
    };
    ListedPuzzle {
        id: &problem.id,
        class: problem.class(),
        mate: problem.mate,
        comment: problem.comment.as_deref(),
        best: problem.best.iter().map(solution).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_can_be_found_and_has_a_solution() {
        let listed = listed_puzzles();
        assert!(listed.len() > 100, "{}", listed.len());
        for puzzle in listed {
            assert!(!puzzle.best.is_empty(), "{}", puzzle.id);
            assert!(super::puzzle(puzzle.id).is_some(), "{}", puzzle.id);
            assert_eq!(puzzle.mate.is_some(), puzzle.class.starts_with("mate"), "{}", puzzle.id);
        }
        assert!(puzzle("../mate-2-01").is_none());
    }
}
