//! Problems: positions with their best moves, from an EPD file.

use std::collections::HashSet;
use std::io::BufRead;

use thiserror::Error;

use qirkat_engine::FULL_SKILL;
use qirkat_game::text::Excerpt;
use qirkat_rules::epd::{EpdError, EpdRecord, Operation, OperationError, read_epd};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyMoveTextError, AnyPosition, Variant};

/// A position and its solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub id: String,
    pub position: AnyPosition,
    /// The moves that solve it, one or more.
    pub best: Vec<AnyMove>,
    /// Moves to mate, if it is a mate problem.
    pub mate: Option<u16>,
    /// The comment `c0`.
    pub comment: Option<String>,
    /// Its themes, such as `mate-2` and `fork`, as `c1` has them; without it, its class.
    pub themes: Vec<String>,
    /// How hard it is, by `c2`: the lowest level of the engine, from 0 to 20, that solves it.
    pub level: Option<u8>,
}

/// Why a suite cannot be read.
#[derive(Debug, Error)]
pub enum SuiteError {
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A line is not a valid problem.
    #[error("{path}, line {line}: {fault}")]
    Problem {
        path: String,
        /// Counted from 1.
        line: usize,
        fault: ProblemFault,
    },
    /// There is nothing in the file.
    #[error("{0}: no position in it")]
    Empty(String),
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProblemFault {
    /// The operations cannot be read.
    #[error(transparent)]
    Operations(#[from] OperationError),
    #[error("no `bm` with the best moves")]
    NoBestMove,
    /// A solution that is not a legal move.
    #[error("bm {text}: {error}")]
    BestMove { text: Excerpt, error: AnyMoveTextError },
    /// Not a number of moves.
    #[error("dm: `{0}` is not a number of moves from 1 to {MOST_MOVES}")]
    Mate(Excerpt),
    /// Not a level of the engine.
    #[error("c2: `{0}` is not a level from 0 to {FULL_SKILL}")]
    Level(Excerpt),
    /// Two problems with one name.
    #[error("the id `{0}` was there before")]
    SameId(Excerpt),
}

/// No search looks further for a mate.
const MOST_MOVES: u16 = 64;

impl Problem {
    /// The class that the name puts it in: the name without its number.
    pub fn class(&self) -> &str {
        class_of(&self.id)
    }

    /// Whether it has a theme: one of its own, or the beginning of one, as `mate` is of `mate-3`.
    pub fn has_theme(&self, theme: &str) -> bool {
        self.themes.iter().any(|own| {
            own.strip_prefix(theme).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    }

    /// The problem as a line of EPD, which [`read_suite`] reads.
    pub fn epd(&self) -> String {
        let best: Vec<String> = self.best.iter().map(AnyMove::to_string).collect();
        let mut line = format!("{} bm {};", self.position.fen(), best.join(" "));
        if let Some(moves) = self.mate {
            line.push_str(&format!(" dm {moves};"));
        }
        line.push_str(&format!(" id \"{}\";", self.id));
        if let Some(comment) = &self.comment {
            line.push_str(&format!(" c0 \"{comment}\";"));
        }
        line.push_str(&format!(" c1 \"{}\";", self.themes.join(" ")));
        if let Some(level) = self.level {
            line.push_str(&format!(" c2 {level};"));
        }
        line
    }

    /// The game that begins with the position.
    pub fn game(&self) -> AnyGame {
        AnyGame::from_position(self.position)
    }

    fn from_record(record: &EpdRecord) -> Result<Problem, ProblemFault> {
        let operations = record.operations()?;
        let operands = |opcode: &str| {
            let named = |operation: &&Operation| operation.opcode == opcode;
            operations.iter().find(named).map_or(&[][..], |found| &found.operands)
        };
        let position = record.position;
        let best = operands("bm").iter().map(|text| {
            let fault = |error| ProblemFault::BestMove { text: Excerpt::of(text), error };
            position.read_move(text).map_err(fault)
        });
        let best = best.collect::<Result<Vec<AnyMove>, _>>()?;
        if best.is_empty() {
            return Err(ProblemFault::NoBestMove);
        }
        let mate = operands("dm").first().map(|text| read_mate(text)).transpose()?;
        let comment = operands("c0").first().cloned();
        let id = operands("id").join(" ");
        let id = if id.is_empty() { record.line.to_string() } else { id };
        let themes = operands("c1").iter().flat_map(|text| text.split_whitespace());
        let mut themes: Vec<String> = themes.map(str::to_owned).collect();
        if themes.is_empty() {
            themes.push(class_of(&id).to_owned());
        }
        let level = operands("c2").first().map(|text| read_level(text)).transpose()?;
        Ok(Problem { id, position, best, mate, comment, themes, level })
    }
}

fn class_of(id: &str) -> &str {
    let class = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let class = class.trim_end_matches(['-', '_', '.', ' ']);
    if class.is_empty() { "unnamed" } else { class }
}

/// Reads a suite; `path` is its name in errors. Each line names its
/// best moves, written either way, with `bm`; `id`, `dm`, `c0` (a
/// comment), `c1` (themes) and `c2` (a level) may say more.
///
/// # Errors
/// When the file cannot be read, is empty, or a line is not a valid problem.
pub fn read_suite(
    input: impl BufRead,
    path: &str,
    variant: Variant,
) -> Result<Vec<Problem>, SuiteError> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut names = HashSet::new();
    for record in read_epd(input, path, variant)? {
        let problem = Problem::from_record(&record).and_then(|problem| {
            let is_new = names.insert(problem.id.clone());
            if is_new { Ok(problem) } else { Err(ProblemFault::SameId(Excerpt::of(&problem.id))) }
        });
        problems.push(problem.map_err(|fault| SuiteError::Problem {
            path: path.to_owned(),
            line: record.line,
            fault,
        })?);
    }
    if problems.is_empty() { Err(SuiteError::Empty(path.to_owned())) } else { Ok(problems) }
}

fn read_mate(text: &str) -> Result<u16, ProblemFault> {
    let moves = text.parse().ok().filter(|moves| (1..=MOST_MOVES).contains(moves));
    moves.ok_or_else(|| ProblemFault::Mate(Excerpt::of(text)))
}

fn read_level(text: &str) -> Result<u8, ProblemFault> {
    let level = text.parse().ok().filter(|&level| u32::from(level) <= FULL_SKILL);
    level.ok_or_else(|| ProblemFault::Level(Excerpt::of(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "4k4/9/9/9/9/9/9/9/R3K4 w Q -";

    #[test]
    fn a_suite_is_read() {
        let text = format!(
            "{BOARD} bm a1a9 Rc1 O-O-O; dm 2; id \"first.01\"; c0 \"a check\";\n\
             {BOARD} bm Ra2; c1 \"mate-2 fork\"; c2 7;\n"
        );
        let problems =
            read_suite(text.as_bytes(), "suite", Variant::Chesquerque).expect("a good suite");
        let [first, second] = &problems[..] else { panic!("{problems:?}") };
        let moves: Vec<String> = first.best.iter().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["a1a9", "a1c1", "e1b1"]);
        assert_eq!((first.id.as_str(), first.class(), first.mate), ("first.01", "first", Some(2)));
        assert_eq!(first.comment.as_deref(), Some("a check"));
        assert_eq!((second.id.as_str(), second.class(), second.mate), ("2", "unnamed", None));
        assert_eq!((&first.themes[..], first.level), (&["first".to_owned()][..], None));
        assert_eq!((second.themes.len(), second.level), (2, Some(7)));
        let themes =
            ["mate", "mate-2", "fork", "mat", "mate-20", ""].map(|it| second.has_theme(it));
        assert_eq!(themes, [true, true, true, false, false, false]);
    }

    #[test]
    fn bad_suites_are_named() {
        for (text, complaint) in [
            ("", "suite: no position in it"),
            ("# nothing\n\n", "suite: no position in it"),
            ("BOARD id \"x\";", "suite, line 1: no `bm` with the best moves"),
            ("BOARD bm;", "suite, line 1: no `bm` with the best moves"),
            ("\nBOARD bm a1b3;", "suite, line 2: bm a1b3: "),
            ("BOARD bm Qd4;", "suite, line 1: bm Qd4: "),
            ("BOARD bm a1a9", "suite, line 2: bm Kxe9: "),
            ("BOARD bm a1a9; dm 0;", "suite, line 1: dm: `0` is not a number of moves"),
            ("BOARD bm a1a9; c2 21;", "suite, line 1: c2: `21` is not a level from 0 to 20"),
            ("BOARD bm a1a9; dm soon;", "suite, line 1: dm: `soon` is not a number of moves"),
            ("BOARD bm a1a9; id \"x;", "suite, line 1: no closing quotation mark"),
            ("BOARD bm a1a9; id x;\nBOARD bm a1a9; id x;", "line 2: the id `x` was there before"),
            ("4k4 w - - bm a1a9;", "suite, line 1: board: 1 rank instead of 9"),
        ] {
            let text = format!("{}\n{BOARD} bm Kxe9; id \"bad\";", text.replace("BOARD", BOARD));
            let text = if complaint.contains("no position") {
                text.lines().filter(|line| !line.contains("bad")).collect()
            } else {
                text
            };
            let error = read_suite(text.as_bytes(), "suite", Variant::Chesquerque)
                .expect_err("a bad suite");
            assert!(error.to_string().contains(complaint), "{text}\n{error}");
        }
    }
}
