//! Puzzles posed one after the other.

use qirkat_game::Rules;
use std::fmt;
use std::io::{Write, stdout};

use super::input::{Answers, Command, HELP};
use super::words;
use crate::resources::SearchResources;
use qirkat_analysis::review::{EngineAnalyst, line_of, refute};
use qirkat_analysis::suite::Problem;
use qirkat_game::text::one_line;
use qirkat_rules::variant::AnyMove;

enum Verdict {
    Right,
    Wrong,
    /// It was no legal move.
    Unread,
    /// The engine was stopped before it could tell.
    Stopped,
}

/// Poses puzzles, and counts.
pub(super) struct Session<'a> {
    pub answers: Answers,
    pub analyst: EngineAnalyst,
    pub resources: &'a SearchResources,
    /// The count of the puzzles so far.
    pub tally: Tally,
    /// Whether the person has enough, or the input has ended.
    pub has_left: bool,
}

impl Session<'_> {
    /// Poses all puzzles, or until the person has enough, and tells the score.
    pub fn run(mut self, problems: &[Problem]) -> anyhow::Result<()> {
        writeln!(stdout(), "{HELP}")?;
        for (number, problem) in (1..).zip(problems) {
            let id = one_line(&problem.id, words::MAX_SHOWN);
            writeln!(stdout(), "\nPuzzle {number} of {}: {id}", problems.len())?;
            let Some(ending) = self.pose(problem)? else { break };
            self.tally.count(ending);
            if self.has_left || (number < problems.len() && !self.wants_next()?) {
                break;
            }
        }
        writeln!(stdout(), "\n{}", self.tally)?;
        Ok(())
    }

    /// Lets a person read what was said, before the next board pushes it off the screen.
    fn wants_next(&self) -> anyhow::Result<bool> {
        if !self.answers.is_terminal {
            return Ok(true);
        }
        let answer = self.answers.next("Enter goes on, quit ends: ")?;
        Ok(answer.is_some_and(|line| Command::read(&line) != Command::Quit))
    }

    /// Poses a puzzle until it is solved or given up. None if the person leaves without
    /// having tried it.
    fn pose(&mut self, problem: &Problem) -> anyhow::Result<Option<Ending>> {
        // Nothing is left over from the puzzle before.
        let (variant, resources) = (problem.position.variant(), self.resources);
        self.analyst.begin(variant, || resources.searcher(variant))?;
        show(problem)?;
        let mut hints = words::hints(problem).into_iter();
        let mut is_clean = true;
        loop {
            let Some(line) = self.answers.next("Your move: ")? else {
                return Ok(self.leave(is_clean));
            };
            match Command::read(&line) {
                Command::Nothing => {}
                Command::Help => writeln!(stdout(), "{HELP}")?,
                Command::Board => show(problem)?,
                Command::Hint => {
                    is_clean = false;
                    let hint = hints.next();
                    let hint = hint.as_deref().unwrap_or("That was all: solution shows the move.");
                    writeln!(stdout(), "{hint}")?;
                }
                Command::Solution => {
                    self.show_solution(problem)?;
                    return Ok(Some(Ending::Unsolved));
                }
                Command::Skip => return Ok(Some(Ending::Unsolved)),
                Command::Quit => return Ok(self.leave(is_clean)),
                Command::Move(text) => match self.judge(problem, &text)? {
                    Verdict::Right if is_clean => return Ok(Some(Ending::Clean)),
                    Verdict::Right => return Ok(Some(Ending::Solved)),
                    Verdict::Wrong => is_clean = false,
                    Verdict::Unread => {}
                    Verdict::Stopped => return Ok(self.leave(is_clean)),
                },
            }
        }
    }

    /// The end of a puzzle that the person leaves; it counts when they have tried it.
    fn leave(&mut self, is_clean: bool) -> Option<Ending> {
        self.has_left = true;
        (!is_clean).then_some(Ending::Unsolved)
    }

    /// Says whether a move is right, and if not, why.
    fn judge(&mut self, problem: &Problem, text: &str) -> anyhow::Result<Verdict> {
        let mv = match problem.position.read_move(text) {
            Ok(mv) => mv,
            Err(error) => {
                write!(stdout(), "{}", words::not_a_move(text, &error.to_string()))?;
                return Ok(Verdict::Unread);
            }
        };
        if problem.best.contains(&mv) {
            self.show_right(problem, mv)?;
            return Ok(Verdict::Right);
        }
        let san = problem.position.san(mv);
        let Some(&wanted) = problem.best.first() else { return Ok(Verdict::Wrong) };
        let Some(refutation) = refute(&problem.game(), mv, wanted, &mut self.analyst) else {
            return Ok(Verdict::Stopped);
        };
        let mates = refutation.line.score.moves_to_mate().unwrap_or_default();
        let shortest = problem.mate.map_or(1, i32::from);
        if (1..=shortest).contains(&i32::from(mates)) {
            // A file need not list every solution.
            writeln!(stdout(), "Right too: {san} mates in {mates}.")?;
            return Ok(Verdict::Right);
        }
        let after = problem.position.after(mv);
        let replies = refutation.line.moves.get(1..).unwrap_or_default();
        let line = words::line(&format!("After {san}: "), &after, replies);
        let wrong = words::wrapped(&format!("Wrong. {}", refutation.reason));
        write!(stdout(), "{wrong}{line}")?;
        Ok(Verdict::Wrong)
    }

    fn show_right(&mut self, problem: &Problem, mv: AnyMove) -> anyhow::Result<()> {
        let right = format!("Right: {}", problem.position.san(mv));
        write!(stdout(), "{}", words::solution_sentence(&right, problem))?;
        self.show_line(problem, mv)
    }

    fn show_solution(&mut self, problem: &Problem) -> anyhow::Result<()> {
        let sans: Vec<String> = problem.best.iter().map(|&mv| problem.position.san(mv)).collect();
        write!(stdout(), "{}", words::solution_sentence(&sans.join(" or "), problem))?;
        problem.best.first().map_or(Ok(()), |&mv| self.show_line(problem, mv))
    }

    /// Shows the best play after a move, by the engine.
    fn show_line(&mut self, problem: &Problem, mv: AnyMove) -> anyhow::Result<()> {
        if let Some(line) = line_of(&problem.game(), mv, &mut self.analyst) {
            write!(stdout(), "{}", words::line("Best play: ", &problem.position, &line.moves))?;
        }
        Ok(())
    }
}

/// The board and what is to be done.
fn show(problem: &Problem) -> anyhow::Result<()> {
    writeln!(stdout(), "{}\n{}", problem.position.picture(), words::task(problem))?;
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Solved at the first try and without a hint.
    Clean,
    Solved,
    /// Skipped, or the solution was asked for.
    Unsolved,
}

/// The count of all puzzles so far.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    posed: usize,
    solved: usize,
    clean: usize,
}

impl Tally {
    pub fn count(&mut self, ending: Ending) {
        self.posed += 1;
        self.solved += usize::from(ending != Ending::Unsolved);
        self.clean += usize::from(ending == Ending::Clean);
    }
}

/// As in `Solved 3 of 4, 2 of them at the first try and without a hint.`
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { posed, solved, clean } = *self;
        write!(f, "Solved {solved} of {posed}")?;
        match (solved, clean) {
            (0, _) => f.write_str("."),
            (solved, clean) if solved == clean => {
                f.write_str(", at the first try and without a hint.")
            }
            _ => write!(f, ", {clean} of them at the first try and without a hint."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_counted() {
        let text = |endings: &[Ending]| {
            let mut tally = Tally::default();
            endings.iter().for_each(|&ending| tally.count(ending));
            tally.to_string()
        };
        assert_eq!(text(&[]), "Solved 0 of 0.");
        assert_eq!(text(&[Ending::Unsolved]), "Solved 0 of 1.");
        assert_eq!(text(&[Ending::Clean]), "Solved 1 of 1, at the first try and without a hint.");
        let all = [Ending::Clean, Ending::Solved, Ending::Unsolved];
        assert_eq!(text(&all), "Solved 2 of 3, 1 of them at the first try and without a hint.");
    }
}
