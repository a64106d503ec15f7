//! Exercises: positions that ask for a move, and what a try is worth.

use serde::{Deserialize, Serialize};

use super::shown::{boards_after, replay};
use super::training::puzzle;
use qirkat_analysis::casual::points_of;
use qirkat_analysis::review::MoveReview;
use qirkat_analysis::suite::TestPosition;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};

/// What an exercise asks: a position, and how a move in it is judged.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Task {
    Position { game: Variant, fen: String },
    // A puzzle, and the moves so far, the defender's included.
    Puzzle { game: Variant, id: String, moves: Vec<String> },
    // An ending to be won against the tables.
    Ending { game: Variant, fen: String, moves: Vec<String> },
    // A mistake in a reviewed game, by its ply in the main line, from 1.
    Mistake { id: String, ply: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    Legal,
    /// The ending must stay won, by the tables.
    Win,
    /// Must solve this puzzle, after this many moves by the solver.
    Solution(&'static TestPosition, u16),
    /// A review must not mark the move.
    NoLoss,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Judgement {
    /// Illegal, or cannot be judged.
    Refused,
    Legal,
    /// Correct so far: the exercise goes on.
    Right,
    Solved,
    /// Loses nothing, but is not the solution.
    NotEnough,
    /// Loses something.
    Wrong,
}

/// The most moves of a puzzle; those that come with the program take fewer.
const MAX_MOVES: usize = 40;

impl Goal {
    pub fn judge(self, found: &MoveReview) -> Judgement {
        let loses = found.mark.is_some();
        match self {
            Goal::Legal | Goal::Win => Judgement::Legal,
            Goal::NoLoss if loses => Judgement::Wrong,
            Goal::NoLoss => Judgement::Solved,
            Goal::Solution(problem, done) => {
                let left = problem.mate.map(|moves| i32::from(moves) - i32::from(done));
                let mate = found.line.score.moves_to_mate().map(i32::from);
                let in_time =
                    mate.zip(left).is_some_and(|(moves, left)| moves > 0 && moves <= left);
                let right = if done == 0 { problem.best.contains(&found.played) } else { in_time };
                // A mate is played out as long as a defence is known.
                let goes_on = problem.mate.is_some() && found.line.moves.len() > 1;
                match (right, goes_on, loses) {
                    (true, true, _) => Judgement::Right,
                    (true, false, _) => Judgement::Solved,
                    (false, _, false) => Judgement::NotEnough,
                    (false, _, true) => Judgement::Wrong,
                }
            }
        }
    }
}

/// A puzzle after some moves, and how to judge the next.
pub(crate) fn puzzle_after(
    variant: Variant,
    id: &str,
    moves: &[String],
) -> Result<(AnyGame, Goal), String> {
    let problem = puzzle(variant, id).ok_or("there is no such puzzle")?;
    if moves.len() > MAX_MOVES || !moves.len().is_multiple_of(2) {
        return Err("this is not how the puzzle goes".to_owned());
    }
    let done = u16::try_from(moves.len() / 2).unwrap_or(u16::MAX);
    Ok((replay(problem.position, moves)?, Goal::Solution(problem, done)))
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Continuation {
    texts: Vec<String>,
    san: Vec<String>,
    points: Vec<Vec<String>>,
    boards: Vec<String>,
}

impl Continuation {
    /// The moves that follow in a position, up to the first illegal one.
    pub fn of(position: &AnyPosition, moves: &[AnyMove]) -> Continuation {
        let san = position.san_line(moves);
        let moves = &moves[..san.len()];
        Continuation {
            boards: boards_after(position, moves),
            san,
            texts: moves.iter().map(|mv| mv.to_string()).collect(),
            points: moves.iter().map(|&mv| points_of(mv).0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;

    const VARIANT: Variant = Variant::Chesquerque;

    fn texts(moves: &[&str]) -> Vec<String> {
        moves.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn puzzles_go_on_from_legal_moves_only() {
        let (game, goal) = puzzle_after(VARIANT, "mate-2-01", &[]).expect("a puzzle");
        let start = *game.position();
        assert!(matches!(goal, Goal::Solution(problem, 0) if problem.position == start));
        let reply = start.after(start.read_move("h8i7").expect("the solution")).legal_moves()[0];
        let moves = texts(&["h8i7", &reply.to_string()]);
        let (game, goal) = puzzle_after(VARIANT, "mate-2-01", &moves).expect("legal");
        assert_eq!(game.moves().last(), Some(&reply));
        assert!(matches!(goal, Goal::Solution(_, 1)));
        assert!(puzzle_after(VARIANT, "mate-2-01", &vec!["e2e4".to_owned(); 100_000]).is_err());
    }

    #[test]
    fn a_continuation_ends_where_a_move_is_not_legal() {
        let start = Variant::Chesquerque.start();
        let read = |text| start.read_move(text).expect("a legal move");
        let found = Continuation::of(&start, &[read("e2e4"), read("e2e4")]);
        assert_eq!((found.san, found.texts), (texts(&["e4"]), texts(&["e2e4"])));
        assert_eq!(found.points, [["e2", "e4"]]);
        assert_eq!(found.boards.len(), 1);
    }
}
