//! A problem as it is stated, on the command line or in EPD, and its solution as text, JSON or EPD.

use std::iter;
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Serialize;

use super::ProblemOptions;
use crate::shared::files::{EpdLine, epd_lines, epd_text};
use crate::shared::options;
use qirkat_game::Rules;
use qirkat_game::text::Excerpt;
use qirkat_problem::{
    Aim, Continuation, Solution, SolveOptions, Stipulation, Try, Variation, WrittenMove,
    solution_lines, verdict_sentence,
};
use qirkat_rules::epd::Operation;
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};

pub(crate) struct StatedProblem {
    pub id: Option<String>,
    pub position: AnyPosition,
    pub stipulation: Stipulation,
    /// The keys that it is said to have.
    pub keys: Vec<AnyMove>,
    pub operations: Vec<Operation>,
}

/// Problems, one after the other. The inner error is that of a problem that can be left out;
/// after the outer one nothing can be read any more.
type Problems<'a> = Box<dyn Iterator<Item = anyhow::Result<anyhow::Result<StatedProblem>>> + 'a>;

pub(crate) fn problems(options: &ProblemOptions) -> anyhow::Result<Problems<'_>> {
    let variant = options.game.variant;
    if variant == Variant::Alquerque {
        bail!("--game {variant}: there is no mate in it, so there are no problems to solve");
    }
    match (&options.file, options.stipulation) {
        (Some(path), _) if path.is_dir() => bail!("{} is a folder", path.display()),
        (Some(path), given) => {
            let lines = epd_lines(path, variant)?;
            let stated = move |line: EpdLine| stated(line, given);
            Ok(Box::new(lines.map(move |line| line.map(|line| line.and_then(stated)))))
        }
        (None, Some(stipulation)) => {
            let position = *options::start(variant, options.fen.as_deref())?.position();
            let (keys, operations) = (Vec::new(), Vec::new());
            let stated = StatedProblem { id: None, position, stipulation, keys, operations };
            Ok(Box::new(iter::once(Ok(Ok(stated)))))
        }
        (None, None) => bail!("--stipulation is missing"),
    }
}

/// The problem of a line, whose operations say what the command line leaves open.
fn stated(line: EpdLine, given: Option<Stipulation>) -> anyhow::Result<StatedProblem> {
    let id = line.id().map(|it| it.operands.join(" "));
    let EpdLine { place, position, operations } = line;
    let stipulation = given.map_or_else(|| stated_stipulation(&operations), Ok);
    let stipulation = stipulation.with_context(|| place.clone())?;
    let keys = match stipulation.aim() {
        Aim::HelpMate => Vec::new(),
        _ => stated_keys(&position, &operations).context(place)?,
    };
    Ok(StatedProblem { id, position, stipulation, keys, operations })
}

/// The stipulation by `dm`, `sm` or `hm`; just one of them.
fn stated_stipulation(operations: &[Operation]) -> anyhow::Result<Stipulation> {
    let aims = [Aim::DirectMate, Aim::SelfMate, Aim::HelpMate];
    let aim_of = |it: &Operation| aims.into_iter().find(|aim| aim.opcode() == it.opcode);
    let mut stated = operations.iter().filter_map(|it| Some((aim_of(it)?, it)));
    let (aim, operation) =
        stated.next().context("no `dm`, `hm` or `sm` with the number of moves")?;
    if let Some((_, other)) = stated.next() {
        bail!("both `{}` and `{}`", operation.opcode, other.opcode);
    }
    let number = operation.operands.first();
    let number = number.with_context(|| format!("{}: no number of moves", aim.opcode()))?;
    Stipulation::from_number(aim, number).with_context(|| aim.opcode().to_owned())
}

fn stated_keys(position: &AnyPosition, operations: &[Operation]) -> anyhow::Result<Vec<AnyMove>> {
    let named = operations.iter().filter(|it| it.opcode == "bm");
    named
        .flat_map(|it| &it.operands)
        .map(|text| {
            let context = || format!("bm {}", Excerpt::of(text));
            position.read_move(text).with_context(context)
        })
        .collect()
}

const REPLACED: [&str; 2] = ["acn", "c9"];

pub(crate) struct Shown<'a> {
    pub stated: &'a StatedProblem,
    pub asked: &'a SolveOptions,
    pub solution: &'a Solution,
    pub time: Duration,
}

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
    /// Stated keys that do not solve.
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
