//! A solved problem as it is shown: as text, JSON or EPD.

use std::time::Duration;

use serde::Serialize;

use super::read::StatedProblem;
use crate::epd::epd_text;
use qirkat_game::Rules;
use qirkat_problem::{
    Continuation, Solution, SolveOptions, Try, Variation, WrittenMove, solution_lines,
    verdict_sentence,
};
use qirkat_rules::epd::Operation;

/// Operations that are written anew.
const REPLACED: [&str; 2] = ["acn", "c9"];

/// A solved problem.
pub(super) struct Shown<'a> {
    pub stated: &'a StatedProblem,
    pub asked: &'a SolveOptions,
    pub solution: &'a Solution,
    pub time: Duration,
}

/// A solved problem for programs.
#[derive(Serialize)]
struct JsonProblem<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    fen: String,
    stipulation: String,
    verdict: &'static str,
    proved: bool,
    /// The stipulation that the solutions fulfil, with fewer moves where they are short.
    solved: Option<String>,
    keys: Vec<&'a WrittenMove>,
    cooks: &'a [WrittenMove],
    /// StatedProblem keys that do not solve.
    failing: &'a [String],
    /// First moves that are not decided.
    open: &'a [WrittenMove],
    tries: &'a [Try],
    #[serde(skip_serializing_if = "Option::is_none")]
    set_play: Option<&'a [Variation]>,
    /// The lines of a helpmate.
    solutions: &'a [Vec<WrittenMove>],
    #[serde(skip_serializing_if = "Option::is_none")]
    set_solutions: Option<&'a [Vec<WrittenMove>]>,
    /// The keys with the play after them.
    tree: &'a [Continuation],
    /// Whether the tree is whole as far as it was asked for.
    tree_is_whole: bool,
    main_line: &'a [WrittenMove],
    nodes: u64,
    time_ms: u128,
}

impl Shown<'_> {
    /// An object in one line.
    pub fn json(&self) -> serde_json::Result<String> {
        let solution = self.solution;
        let verdict = solution.verdict(self.asked);
        serde_json::to_string(&JsonProblem {
            id: self.stated.id.as_deref(),
            fen: solution.position.fen(),
            stipulation: solution.stipulation.to_string(),
            verdict: verdict.kind.name(),
            proved: solution.is_proved(),
            solved: solution.solved.map(|solved| solved.to_string()),
            keys: solution.keys.iter().map(|key| &key.mv).collect(),
            cooks: &verdict.cooks,
            failing: &verdict.failing,
            open: &solution.open,
            tries: &solution.tries,
            set_play: solution.set_play.as_deref(),
            solutions: &solution.lines,
            set_solutions: solution.set_lines.as_deref(),
            tree: &solution.keys,
            tree_is_whole: solution.has_all_variations,
            main_line: &solution.main_line,
            nodes: solution.nodes,
            time_ms: self.time.as_millis(),
        })
    }

    /// The position with its operations, the keys and the verdict among them.
    pub fn epd(&self) -> String {
        let solution = self.solution;
        let mut operations = self.stated.operations.clone();
        operations.retain(|it| !REPLACED.contains(&it.opcode.as_str()));
        let has = |operations: &[Operation], opcode: &str| {
            operations.iter().any(|it| it.opcode == opcode)
        };
        let new =
            |opcode: &str, operands: Vec<String>| Operation { opcode: opcode.to_owned(), operands };
        let (stipulation, opcode) = (solution.stipulation, solution.stipulation.aim().opcode());
        if !has(&operations, opcode) {
            operations.push(new(opcode, vec![stipulation.number()]));
        }
        if !has(&operations, "bm") && !solution.keys.is_empty() {
            let keys = solution.keys.iter().map(|key| key.mv.san.clone());
            operations.push(new("bm", keys.collect()));
        }
        operations.push(new("acn", vec![solution.nodes.to_string()]));
        operations.push(new("c9", vec![verdict_sentence(solution, self.asked)]));
        epd_text(&solution.position, &operations)
    }

    /// The problem, its solution in the notation of composers, and the verdict.
    pub fn text(&self) -> String {
        let solution = self.solution;
        let side = solution.position.side_to_move();
        let name = self.stated.id.as_ref().map_or_else(String::new, |id| format!("{id}: "));
        let mut lines = vec![
            format!("{name}{}, {side:?} to move", solution.stipulation),
            solution.position.fen(),
            String::new(),
        ];
        lines.extend(solution_lines(solution));
        if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(String::new());
        }
        lines.push(verdict_sentence(solution, self.asked));
        let time = self.time.as_secs_f64();
        lines.push(format!("{} positions in {time:.2} s\n", solution.nodes));
        lines.join("\n")
    }
}
