//! Sentences about a puzzle.

use crate::terminal;
use qirkat_analysis::suite::Problem;
use qirkat_game::Rules;
use qirkat_game::text::{Excerpt, one_line};
use qirkat_rules::variant::{AnyMove, AnyPosition};

/// Characters of a comment or a name that are shown at most.
pub(super) const MAX_SHOWN: usize = 60;

/// The task, as in `White to move mates in 3.`
pub(super) fn task(problem: &Problem) -> String {
    let side = problem.position.side_to_move();
    let check = if problem.position.in_check() { ", in check," } else { "" };
    match problem.mate {
        Some(moves) => format!("{side:?} to move{check} mates in {moves}."),
        None => format!("{side:?} is to move{check} and has one best idea. What is it?"),
    }
}

/// The goal that the solution reaches, as the end of a sentence; none if it is not known.
fn goal_text(problem: &Problem) -> Option<String> {
    match problem.mate {
        Some(1) => Some("is mate".to_owned()),
        Some(moves) => Some(format!("mates in {moves}")),
        None => {
            let comment = problem.comment.as_deref()?.trim_end_matches('.');
            Some(one_line(comment, MAX_SHOWN))
        }
    }
}

/// A sentence about the solution, as in `Qd4 wins a rook.`
pub(super) fn solution_sentence(solution: &str, problem: &Problem) -> String {
    match goal_text(problem) {
        Some(goal) => wrapped(&format!("{solution} {goal}.")),
        None => format!("{solution}.\n"),
    }
}

/// Hints at the solution, each a bit more than the one before.
pub(super) fn hints(problem: &Problem) -> Vec<String> {
    let Some(&mv) = problem.best.first() else { return Vec::new() };
    let text = mv.to_string();
    let from = text.get(..2).unwrap_or_default();
    let goal = goal_text(problem).filter(|_| problem.mate.is_none());
    let goal = goal.map(|goal| format!("The solution {goal}."));
    let piece = format!("The {} on {from} moves.", piece_name(&problem.position, mv));
    let to = text.get(2..4).map(|to| format!("It goes to {to}."));
    goal.into_iter().chain([piece]).chain(to).collect()
}

fn piece_name(position: &AnyPosition, mv: AnyMove) -> &'static str {
    let name = match (position, mv) {
        (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => {
            position.kind_on(mv.from).map(|kind| kind.name())
        }
        (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => {
            position.kind_on(mv.from).map(|kind| kind.name())
        }
        _ => Some("man"),
    };
    name.unwrap_or("piece")
}

/// Why an answer is no move; some reasons begin with what was typed.
pub(super) fn not_a_move(text: &str, why: &str) -> String {
    if why.starts_with('`') {
        return wrapped(&format!("{why}."));
    }
    wrapped(&format!("`{}` is no legal move: {why}.", Excerpt::of(text)))
}

/// Sentences in lines that fit a terminal.
pub(super) fn wrapped(text: &str) -> String {
    format!("{}\n", terminal::wrapped("", &terminal::words(text), terminal::width(), 0))
}

/// A line of moves behind some words, as far as it fits into a line of a terminal.
pub(super) fn line(lead: &str, position: &AnyPosition, moves: &[AnyMove]) -> String {
    let moves = position.san_line(moves);
    let room = terminal::width().saturating_sub(lead.chars().count() + 1);
    if moves.is_empty() {
        String::new()
    } else {
        format!("{lead}{}\n", terminal::fitting(&moves, room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_analysis::suite::read_suite;
    use qirkat_rules::variant::Variant;

    fn problem(variant: Variant, line: &str) -> Problem {
        let mut problems = read_suite(line.as_bytes(), "test", variant).expect(line);
        problems.remove(0)
    }

    #[test]
    fn puzzles_are_described() {
        for (variant, line, asked, helped) in [
            (
                Variant::Chesquerque,
                "4k4/9/9/9/9/9/R8/1R7/4K4 w - - bm Ra8; dm 2;",
                "White to move mates in 2.",
                vec!["The rook on a3 moves.", "It goes to a8."],
            ),
            (
                Variant::Chesquerque,
                "4k4/9/9/9/4R4/9/9/r8/4K4 b - - bm Kd9; c0 \"loses less.\";",
                "Black is to move, in check, and has one best idea. What is it?",
                vec!["The solution loses less.", "The king on e9 moves.", "It goes to d9."],
            ),
            (
                Variant::Alquerque,
                "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - bm d3c3;",
                "White is to move and has one best idea. What is it?",
                vec!["The man on d3 moves.", "It goes to c3."],
            ),
        ] {
            let problem = problem(variant, line);
            assert_eq!(task(&problem), asked, "{line}");
            assert_eq!(hints(&problem), helped, "{line}");
        }
    }
}
