//! Test suites: positions with known best moves or moves to avoid, how many of them a search solves,
//! and how soon.

use std::collections::HashSet;
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use derive_more::Display;
use serde::Serialize;
use thiserror::Error;

use qirkat_engine::{AnySearcher, FULL_SKILL, SearchLimits, SearchLine, SearchResult};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::text::Excerpt;
use qirkat_rules::epd::{EpdRecord, Operation, read_epd};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{Reporter, SearchControl, TableMemoryError, TimeBudget};

/// The suite that comes with Qirkat: forced mates, each of them proved, and wins of material.
pub const TACTICS: &str = include_str!("tactics.epd");

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestPosition {
    pub id: String,
    pub position: AnyPosition,
    /// The best moves, from `bm`; empty if it only has moves to avoid.
    pub best: Vec<AnyMove>,
    /// Moves to avoid, from `am`.
    pub avoid: Vec<AnyMove>,
    /// Moves to mate, if the best move mates.
    pub mate: Option<u16>,
    pub comment: Option<String>,
    /// Its themes, such as `mate-2` and `fork`, from `c1`; otherwise its class.
    pub themes: Vec<String>,
    /// Its difficulty for a person, from 0 to 20, from `c2`.
    pub level: Option<u8>,
}

#[derive(Debug, Error)]
#[error("{0}")]
pub struct SuiteError(String);

/// No search looks for a longer mate.
const MAX_MATE: u16 = 64;

impl TestPosition {
    /// Its class: the id without the number.
    pub fn class(&self) -> &str {
        class_of(&self.id)
    }

    /// Whether it has a theme, or one that begins with it, as `mate-3` does with `mate`.
    pub fn has_theme(&self, theme: &str) -> bool {
        self.themes.iter().any(|own| {
            own.strip_prefix(theme).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    }

    /// Whether this move solves it.
    pub fn is_solution(&self, mv: AnyMove) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    pub fn epd(&self) -> String {
        let listed = |opcode: &str, moves: &[AnyMove]| -> String {
            let moves: String = moves.iter().map(|mv| format!(" {mv}")).collect();
            if moves.is_empty() { moves } else { format!(" {opcode}{moves};") }
        };
        let moves = listed("bm", &self.best) + &listed("am", &self.avoid);
        let [id, themes] = [&self.id, &self.themes.join(" ")];
        let mate = self.mate.map_or_else(String::new, |moves| format!(" dm {moves};"));
        let comment = self.comment.as_ref().map_or_else(String::new, |it| format!(" c0 \"{it}\";"));
        let level = self.level.map_or_else(String::new, |level| format!(" c2 {level};"));
        let fen = self.position.fen();
        format!("{fen}{moves}{mate} id \"{id}\";{comment} c1 \"{themes}\";{level}")
    }

    pub fn game(&self) -> AnyGame {
        AnyGame::from_position(self.position)
    }

    fn from_record(record: &EpdRecord) -> Result<TestPosition, String> {
        let operations = record.operations().map_err(|error| error.to_string())?;
        let operands = |opcode: &str| {
            let named = |operation: &&Operation| operation.opcode == opcode;
            operations.iter().find(named).map_or(&[][..], |found| &found.operands)
        };
        let number = |opcode: &str, what: &str, bounds: RangeInclusive<u16>| {
            let Some(text) = operands(opcode).first() else { return Ok(None) };
            let number = text.parse().ok().filter(|number| bounds.contains(number));
            let (text, least, most) = (Excerpt::of(text), bounds.start(), bounds.end());
            let fault = || format!("{opcode}: `{text}` is not a {what} from {least} to {most}");
            number.map(Some).ok_or_else(fault)
        };
        let position = record.position;
        let moves = |opcode: &str| {
            if operations.iter().filter(|operation| operation.opcode == opcode).count() > 1 {
                return Err(format!("there are two `{opcode}`: give all moves in one"));
            }
            let read = operands(opcode).iter().map(|text| {
                let read = position.read_move(text);
                read.map_err(|error| format!("{opcode} {}: {error}", Excerpt::of(text)))
            });
            read.collect::<Result<Vec<AnyMove>, String>>()
        };
        let (best, avoid) = (moves("bm")?, moves("am")?);
        if best.is_empty() && avoid.is_empty() {
            return Err("no `bm` with the best moves, nor `am` with moves to avoid".to_owned());
        }
        if !best.is_empty() && best.iter().all(|mv| avoid.contains(mv)) {
            return Err("each move in `bm` is in `am` too".to_owned());
        }
        let mate = number("dm", "number of moves", 1..=MAX_MATE)?;
        let comment = operands("c0").first().cloned();
        let id = operands("id").join(" ");
        let id = if id.is_empty() { record.line.to_string() } else { id };
        let themes = operands("c1").iter().flat_map(|text| text.split_whitespace());
        let mut themes: Vec<String> = themes.map(str::to_owned).collect();
        if themes.is_empty() {
            themes.push(class_of(&id).to_owned());
        }
        let level = number("c2", "level", 0..=FULL_SKILL as u16)?.map(|level| level as u8);
        Ok(TestPosition { id, position, best, avoid, mate, comment, themes, level })
    }
}

fn class_of(id: &str) -> &str {
    let class = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let class = class.trim_end_matches(['-', '_', '.', ' ']);
    if class.is_empty() { "unnamed" } else { class }
}

/// Reads a suite; `path` is its name in errors. Each line has its best moves in `bm`, moves to avoid
/// in `am`, or both, in SAN or by points; `id`, `dm`, `c0` (a comment), `c1` (themes) and `c2` (a
/// level) are optional.
pub fn read_suite(
    input: impl BufRead,
    path: &str,
    variant: Variant,
) -> Result<Vec<TestPosition>, SuiteError> {
    let mut tests: Vec<TestPosition> = Vec::new();
    let mut names = HashSet::new();
    let records = read_epd(input, path, variant);
    for record in records.map_err(|error| SuiteError(error.to_string()))? {
        let read = TestPosition::from_record(&record).and_then(|test| {
            let is_new = names.insert(test.id.clone());
            let fault = || format!("the id `{}` was there before", Excerpt::of(&test.id));
            if is_new { Ok(test) } else { Err(fault()) }
        });
        let in_line = |fault| SuiteError(format!("{path}, line {}: {fault}", record.line));
        tests.push(read.map_err(in_line)?);
    }
    let none = || SuiteError(format!("{path}: no position in it"));
    if tests.is_empty() { Err(none()) } else { Ok(tests) }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Display)]
pub enum Budget {
    #[display("{} ms", _0.as_millis())]
    Time(Duration),
    #[display("{_0} nodes")]
    Nodes(u64),
    /// The last iteration.
    #[display("depth {_0}")]
    Depth(Depth),
}

impl Budget {
    pub fn limits(self) -> SearchLimits {
        let mut limits = SearchLimits::default();
        match self {
            Budget::Time(time) => limits.time = TimeBudget::fixed(time, Duration::ZERO),
            Budget::Nodes(nodes) => limits.nodes = Some(nodes),
            Budget::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }

    /// A share of the budget, rounded up.
    #[must_use]
    pub fn percent(self, percent: u32) -> Budget {
        let share = |whole: u128| (whole * u128::from(percent)).div_ceil(100);
        match self {
            Budget::Time(time) => {
                Budget::Time(Duration::from_millis(share(time.as_millis()) as u64))
            }
            Budget::Nodes(nodes) => Budget::Nodes(share(u128::from(nodes)) as u64),
            Budget::Depth(depth) => Budget::Depth(Depth(share(depth.0.max(0) as u128) as i16)),
        }
    }

    /// Whether this budget would have sufficed to find a move.
    pub fn covers(self, found: &SearchPoint) -> bool {
        match self {
            Budget::Time(time) => found.time <= time,
            Budget::Nodes(nodes) => found.nodes <= nodes,
            Budget::Depth(depth) => found.depth <= depth,
        }
    }
}

/// How far a search had come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchPoint {
    pub depth: Depth,
    pub nodes: u64,
    pub time: Duration,
}

#[derive(Clone, Debug)]
pub struct Attempt {
    pub played: Option<AnyMove>,
    pub score: Score,
    /// When the search settled on a solution for good.
    pub found: Option<SearchPoint>,
    pub end: SearchPoint,
}

pub struct Solver {
    searcher: AnySearcher,
}

const WARM_UP_NODES: u64 = 1_000;

impl Solver {
    pub fn new(searcher: AnySearcher) -> Result<Solver, TableMemoryError> {
        let start = searcher.variant().new_game();
        let mut solver = Solver { searcher };
        // The first search of a process fills the caches; no test should pay for that.
        let control = SearchControl::new(false, false);
        let budget = Budget::Nodes(WARM_UP_NODES);
        solver.search(&start, budget, control, &mut |_: &SearchLine| {})?;
        Ok(solver)
    }

    /// Searches a position with an empty transposition table and empty histories, so that no
    /// test helps the next. Raising `stop` ends it early.
    pub fn attempt(
        &mut self,
        test: &TestPosition,
        budget: Budget,
        stop: &Arc<AtomicBool>,
    ) -> Result<Attempt, TableMemoryError> {
        let mut found = None;
        let control = SearchControl::with_stop_flag(Arc::clone(stop));
        let mut report = |line: &SearchLine| note_line(&mut found, test, line);
        let (result, time) = self.search(&test.game(), budget, control, &mut report)?;
        let end = SearchPoint { depth: result.depth, nodes: result.nodes, time };
        let solved = result.best.is_some_and(|mv| test.is_solution(mv));
        // The result of several threads may differ from the first one's last line.
        let found = solved.then_some(found.unwrap_or(end));
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

/// Records when the search settled on a solution; cleared when it switches to another move.
fn note_line(found: &mut Option<SearchPoint>, test: &TestPosition, line: &SearchLine) {
    let is_right = line.moves.first().is_some_and(|&mv| test.is_solution(mv));
    let here = SearchPoint { depth: line.depth, nodes: line.nodes, time: line.time };
    *found = is_right.then(|| found.unwrap_or(here));
}

/// The shares of the budget for which solutions are counted, in percent.
const PARTS: [u32; 5] = [5, 10, 25, 50, 100];

#[derive(Clone, Debug)]
pub struct Tally {
    /// The budgets for which solutions are counted, the whole one last.
    pub budgets: Vec<Budget>,
    /// The count of each class, in the order of their first tests.
    pub classes: Vec<ClassTally>,
    pub all: ClassTally,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClassTally {
    pub class: String,
    pub problems: usize,
    pub solved: Vec<usize>,
}

impl Tally {
    pub fn new(budget: Budget) -> Tally {
        let mut budgets: Vec<Budget> =
            PARTS.into_iter().map(|percent| budget.percent(percent)).collect();
        budgets.dedup();
        let all = ClassTally::new("all", budgets.len());
        Tally { budgets, classes: Vec::new(), all }
    }

    pub fn count(&mut self, test: &TestPosition, attempt: &Attempt) {
        let class = test.class();
        let index = self.classes.iter().position(|known| known.class == class);
        let index = index.unwrap_or_else(|| {
            self.classes.push(ClassTally::new(class, self.budgets.len()));
            self.classes.len() - 1
        });
        for tally in [&mut self.classes[index], &mut self.all] {
            tally.problems += 1;
            for (solved, budget) in tally.solved.iter_mut().zip(&self.budgets) {
                // The last budget is the whole one, which a search may overrun.
                let whole = Some(budget) == self.budgets.last();
                let in_time = |found| whole || budget.covers(found);
                *solved += usize::from(attempt.found.as_ref().is_some_and(in_time));
            }
        }
    }
}

impl ClassTally {
    fn new(class: &str, budgets: usize) -> ClassTally {
        ClassTally { class: class.to_owned(), problems: 0, solved: vec![0; budgets] }
    }
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
        let tests =
            read_suite(text.as_bytes(), "suite", Variant::Chesquerque).expect("a good suite");
        let [first, second] = &tests[..] else { panic!("{tests:?}") };
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
            ("BOARD bm a1a9; bm a1a2;", "line 1: there are two `bm`"),
            ("BOARD bm a1a9; am a1a2 a1a9;", "line 1: each move in `bm` is in `am` too"),
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

    #[test]
    fn a_solution_counts_from_when_it_stays() {
        let [right, other, wrong] = ["a1a9", "a1c1", "a1a2"]
            .map(|text| AnyMove::parse(Variant::Chesquerque, text).expect("a move"));
        let test = |operations: &str| {
            let text = format!("{BOARD} {operations}");
            let read = read_suite(text.as_bytes(), "suite", Variant::Chesquerque);
            read.expect("a good suite").remove(0)
        };
        let found_at = |operations: &str, moves: &[AnyMove]| {
            let test = test(operations);
            let mut found = None;
            for (depth, &mv) in (1..).zip(moves) {
                let mut line = SearchLine::new(Depth(depth), Score::DRAW, vec![mv]);
                line.nodes = 10 * depth as u64;
                line.time = Duration::from_millis(depth as u64);
                note_line(&mut found, &test, &line);
            }
            found.map(|found| (found.depth.0, found.nodes))
        };
        // Best moves, moves to avoid, and both.
        for operations in ["bm a1a9 a1c1;", "am a1a2;", "bm a1a9 a1c1 a1a2; am Ra2;"] {
            let found_at = |moves: &[AnyMove]| found_at(operations, moves);
            assert_eq!(found_at(&[]), None);
            assert_eq!(found_at(&[wrong, right, right]), Some((2, 20)));
            assert_eq!(found_at(&[right, wrong, other, right]), Some((3, 30)));
            assert_eq!(found_at(&[right, right, wrong]), None);
            let written = test(operations).epd();
            let again = read_suite(written.as_bytes(), "suite", Variant::Chesquerque);
            assert_eq!(again.expect("a good suite"), [test(operations)]);
        }
    }

    fn attempt(found_after: Option<u64>) -> Attempt {
        let at = |ms| SearchPoint { depth: Depth(1), nodes: ms, time: Duration::from_millis(ms) };
        Attempt { played: None, score: Score::DRAW, found: found_after.map(at), end: at(1000) }
    }

    #[test]
    fn solutions_are_counted_by_class_and_budget() {
        let board = "4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id";
        let text = format!("{board} b-1;\n{board} a-1;\n{board} b-2;\n{board} b-3;");
        let tests =
            read_suite(text.as_bytes(), "suite", Variant::Chesquerque).expect("a good suite");
        let mut tally = Tally::new(Budget::Time(Duration::from_millis(1000)));
        for (test, found_after) in tests.iter().zip([Some(50), Some(51), None, Some(1002)]) {
            tally.count(test, &attempt(found_after));
        }
        let row = |tally: &ClassTally| (tally.class.clone(), tally.problems, tally.solved.clone());
        let rows: Vec<_> = tally.classes.iter().chain([&tally.all]).map(row).collect();
        let b = ("b".to_owned(), 3, vec![1, 1, 1, 1, 2]);
        let a = ("a".to_owned(), 1, vec![0, 1, 1, 1, 1]);
        assert_eq!(rows, [b, a, ("all".to_owned(), 4, vec![1, 2, 2, 2, 3])]);
    }

    #[test]
    fn small_budgets_have_fewer_parts() {
        let texts = |budget| -> Vec<String> {
            Tally::new(budget).budgets.iter().map(Budget::to_string).collect()
        };
        assert_eq!(texts(Budget::Depth(Depth(4))), ["depth 1", "depth 2", "depth 4"]);
        let times = texts(Budget::Time(Duration::from_millis(1000)));
        assert_eq!(times, ["50 ms", "100 ms", "250 ms", "500 ms", "1000 ms"]);
        assert_eq!(texts(Budget::Nodes(1)), ["1 nodes"]);
    }
}
