//! A series of puzzles: reads the user's answers and replies to them.

use std::fmt;
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::commands::rules;
use crate::shared::files::input_lines;
use crate::shared::options::SearchResources;
use crate::shared::terminal;
use qirkat_analysis::review::{EngineAnalyst, line_of, refute};
use qirkat_analysis::suite::TestPosition;
use qirkat_engine::protocol::Input;
use qirkat_game::Rules;
use qirkat_game::text::{Excerpt, one_line};
use qirkat_rules::variant::{AnyMove, AnyPosition};

enum Verdict {
    Right,
    Wrong,
    NotAMove,
    /// The engine was stopped before it had an answer.
    Stopped,
}

pub(crate) struct Session<'a> {
    pub answers: Answers,
    pub analyst: EngineAnalyst,
    pub resources: &'a SearchResources,
    pub tally: Tally,
    /// Whether the user has quit, or the input has ended.
    pub has_left: bool,
}

impl Session<'_> {
    pub fn run(mut self, puzzles: &[TestPosition]) -> anyhow::Result<()> {
        writeln!(stdout(), "{HELP}")?;
        for (number, puzzle) in (1..).zip(puzzles) {
            let id = one_line(&puzzle.id, MAX_SHOWN);
            writeln!(stdout(), "\nPuzzle {number} of {}: {id}", puzzles.len())?;
            let Some(ending) = self.pose(puzzle)? else { break };
            self.tally.count(ending);
            if self.has_left || (number < puzzles.len() && !self.wants_next()?) {
                break;
            }
        }
        writeln!(stdout(), "\n{}", self.tally)?;
        Ok(())
    }

    /// Waits so that the user can read before the next board scrolls the text away.
    fn wants_next(&self) -> anyhow::Result<bool> {
        if !self.answers.is_terminal {
            return Ok(true);
        }
        let answer = self.answers.next("Enter: next, quit: end. ")?;
        Ok(answer.is_some_and(|line| !QUIT.contains(&line.trim().to_ascii_lowercase().as_str())))
    }

    /// Shows a puzzle until it is solved or given up. `None` if the user quits without trying.
    fn pose(&mut self, puzzle: &TestPosition) -> anyhow::Result<Option<Ending>> {
        // Each puzzle starts with an empty hash table.
        let (variant, resources) = (puzzle.position.variant(), self.resources);
        self.analyst.begin(variant, || resources.searcher(variant))?;
        show(puzzle)?;
        let mut hints = hints(puzzle).into_iter();
        let mut is_clean = true;
        loop {
            let Some(line) = self.answers.next("Your move: ")? else {
                return Ok(self.leave(is_clean));
            };
            let line = line.trim();
            match line.to_ascii_lowercase().as_str() {
                "" => {}
                "help" | "?" => writeln!(stdout(), "{HELP}")?,
                "board" | "d" => show(puzzle)?,
                "hint" | "h" => {
                    is_clean = false;
                    let hint = hints.next();
                    let hint = hint.as_deref().unwrap_or("That was all: solution shows the move.");
                    writeln!(stdout(), "{hint}")?;
                }
                "solution" | "s" => {
                    let sans = puzzle.best.iter().map(|&mv| puzzle.position.san(mv));
                    let solution = sans.collect::<Vec<_>>().join(" or ");
                    write!(stdout(), "{}", solution_sentence(&solution, puzzle))?;
                    puzzle.best.first().map_or(Ok(()), |&mv| self.show_line(puzzle, mv))?;
                    return Ok(Some(Ending::Unsolved));
                }
                "skip" | "next" => return Ok(Some(Ending::Unsolved)),
                word if QUIT.contains(&word) => return Ok(self.leave(is_clean)),
                _ => match self.judge(puzzle, line)? {
                    Verdict::Right if is_clean => return Ok(Some(Ending::Clean)),
                    Verdict::Right => return Ok(Some(Ending::Solved)),
                    Verdict::Wrong => is_clean = false,
                    Verdict::NotAMove => {}
                    Verdict::Stopped => return Ok(self.leave(is_clean)),
                },
            }
        }
    }

    /// The result of a puzzle that the user leaves; it counts if tried.
    fn leave(&mut self, is_clean: bool) -> Option<Ending> {
        self.has_left = true;
        (!is_clean).then_some(Ending::Unsolved)
    }

    fn judge(&mut self, puzzle: &TestPosition, text: &str) -> anyhow::Result<Verdict> {
        let mv = match puzzle.position.read_move(text) {
            Ok(mv) => mv,
            Err(error) => {
                let mut why = error.to_string();
                // Some reasons begin with the typed text.
                if !why.starts_with('`') {
                    why = format!("`{}` is not a legal move: {why}", Excerpt::of(text));
                }
                write!(stdout(), "{}", wrapped(&format!("{why}.")))?;
                return Ok(Verdict::NotAMove);
            }
        };
        if puzzle.best.contains(&mv) {
            let right = format!("Right: {}", puzzle.position.san(mv));
            write!(stdout(), "{}", solution_sentence(&right, puzzle))?;
            self.show_line(puzzle, mv)?;
            return Ok(Verdict::Right);
        }
        let san = puzzle.position.san(mv);
        let Some(&wanted) = puzzle.best.first() else { return Ok(Verdict::Wrong) };
        let Some(refutation) = refute(&puzzle.game(), mv, wanted, &mut self.analyst) else {
            return Ok(Verdict::Stopped);
        };
        let mates = refutation.line.score.moves_to_mate().unwrap_or_default();
        let shortest = puzzle.mate.map_or(1, i32::from);
        if (1..=shortest).contains(&i32::from(mates)) {
            // A file need not list every solution.
            writeln!(stdout(), "Right too: {san} mates in {mates}.")?;
            return Ok(Verdict::Right);
        }
        let after = puzzle.position.after(mv);
        let replies = refutation.line.moves.get(1..).unwrap_or_default();
        let line = moves_text(&format!("After {san}: "), &after, replies);
        let wrong = wrapped(&format!("Wrong. {}", refutation.reason));
        write!(stdout(), "{wrong}{line}")?;
        Ok(Verdict::Wrong)
    }

    fn show_line(&mut self, puzzle: &TestPosition, mv: AnyMove) -> anyhow::Result<()> {
        if let Some(line) = line_of(&puzzle.game(), mv, &mut self.analyst) {
            write!(stdout(), "{}", moves_text("Best play: ", &puzzle.position, &line.moves))?;
        }
        Ok(())
    }
}

fn show(puzzle: &TestPosition) -> anyhow::Result<()> {
    writeln!(stdout(), "{}\n{}", puzzle.position.picture(), task(puzzle))?;
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// Solved at the first try without a hint.
    Clean,
    Solved,
    /// Skipped, or the solution was requested.
    Unsolved,
}

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    posed: usize,
    solved: usize,
    clean: usize,
}

impl Tally {
    fn count(&mut self, ending: Ending) {
        self.posed += 1;
        self.solved += usize::from(ending != Ending::Unsolved);
        self.clean += usize::from(ending == Ending::Clean);
    }
}

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

const QUIT: [&str; 3] = ["quit", "exit", "q"];

const HELP: &str = "Type a move such as Nc3 or b1c3, or hint, solution, skip, board, quit.";

/// Polling interval for Ctrl-C while waiting for input.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The user's answers on standard input.
pub(crate) struct Answers {
    lines: Receiver<Input>,
    stop: Arc<AtomicBool>,
    pub is_terminal: bool,
}

impl Answers {
    pub fn read(stop: Arc<AtomicBool>) -> anyhow::Result<Answers> {
        Ok(Answers { lines: input_lines()?, stop, is_terminal: stdin().is_terminal() })
    }

    /// The next line, with a prompt on a terminal; `None` at the end.
    pub fn next(&self, prompt: &str) -> io::Result<Option<String>> {
        let mut out = stdout().lock();
        if self.is_terminal {
            write!(out, "{prompt}")?;
        }
        out.flush()?;
        while !self.stop.load(Ordering::Relaxed) {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(Input::Line(line)) => return Ok(Some(line)),
                // Refused like any text that is no move.
                Ok(Input::TooLong) => return Ok(Some("...".to_owned())),
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        if self.is_terminal {
            writeln!(out)?;
        }
        Ok(None)
    }
}

const MAX_SHOWN: usize = 60;

/// The task, as in `White to move mates in 3.`
fn task(puzzle: &TestPosition) -> String {
    let side = puzzle.position.side_to_move();
    let check = if puzzle.position.in_check() { ", in check," } else { "" };
    match puzzle.mate {
        Some(moves) => format!("{side:?} to move{check} mates in {moves}."),
        None => format!("{side:?}{check} is to move. Find the best move."),
    }
}

/// The goal that the solution reaches, as the end of a sentence; `None` if unknown.
fn goal_text(puzzle: &TestPosition) -> Option<String> {
    match puzzle.mate {
        Some(1) => Some("is mate".to_owned()),
        Some(moves) => Some(format!("mates in {moves}")),
        None => {
            let comment = puzzle.comment.as_deref()?.trim_end_matches('.');
            Some(one_line(comment, MAX_SHOWN))
        }
    }
}

fn solution_sentence(solution: &str, puzzle: &TestPosition) -> String {
    match goal_text(puzzle) {
        Some(goal) => wrapped(&format!("{solution} {goal}.")),
        None => format!("{solution}.\n"),
    }
}

/// Hints, each giving away a bit more.
fn hints(puzzle: &TestPosition) -> Vec<String> {
    let Some(&mv) = puzzle.best.first() else { return Vec::new() };
    let text = mv.to_string();
    let from = text.get(..2).unwrap_or_default();
    let goal = goal_text(puzzle).filter(|_| puzzle.mate.is_none());
    let goal = goal.map(|goal| format!("The solution {goal}."));
    let letter = puzzle.position.piece_on(mv.ends().0).unwrap_or_default();
    let mut kinds = rules::pieces(puzzle.position.variant()).iter();
    let kind = kinds.find(|kind| letter.eq_ignore_ascii_case(&kind.letter));
    let piece = format!("The {} on {from} moves.", kind.map_or("piece", |kind| kind.name));
    let to = text.get(2..4).map(|to| format!("It goes to {to}."));
    goal.into_iter().chain([piece]).chain(to).collect()
}

fn wrapped(text: &str) -> String {
    format!("{}\n", terminal::wrapped_text(text, terminal::width(), 0))
}

/// A line of moves after a lead, cut to the width of a terminal.
fn moves_text(lead: &str, position: &AnyPosition, moves: &[AnyMove]) -> String {
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

    fn puzzle(variant: Variant, line: &str) -> TestPosition {
        let mut puzzles = read_suite(line.as_bytes(), "test", variant).expect(line);
        puzzles.remove(0)
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
                "Black, in check, is to move. Find the best move.",
                vec!["The solution loses less.", "The king on e9 moves.", "It goes to d9."],
            ),
            (
                Variant::Alquerque,
                "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - bm d3c3;",
                "White is to move. Find the best move.",
                vec!["The man on d3 moves.", "It goes to c3."],
            ),
        ] {
            let puzzle = puzzle(variant, line);
            assert_eq!(task(&puzzle), asked, "{line}");
            assert_eq!(hints(&puzzle), helped, "{line}");
        }
    }
}
