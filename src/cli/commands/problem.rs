//! `qirkat problem`: solves compositions with proof, and searches for new ones.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::shared::exit_status::{FaultsFound, Interrupted, interrupt_flag, stop_condition};
use crate::shared::files::{EpdLine, epd_lines, epd_text, operation};
use crate::shared::options::{self, GameChoice, Threads, megabytes, positive_time};
use crate::shared::terminal::{self, check_written, print_message, print_part, print_text};
use qirkat_game::Rules;
use qirkat_game::text::Excerpt;
use qirkat_problem::{
    Composed, Continuation, MAX_MOVES, ProofControl, ProofStep, ProofTable, Solution, SolveRequest,
    Stipulation, Try, Variation, WrittenMove, solution_lines, solve, twin, verdict_sentence,
};
use qirkat_rules::epd::Operation;
use qirkat_rules::variant::{AnyMove, AnyPosition};

pub(crate) const HELP: &str = "\
Stipulations:
  #3        mate in 3
  s#2       selfmate in 2: the side to move forces the other to mate it
  r#2       reflex mate in 2: a selfmate, where a side that can mate at once
            must; in semi-r#2 only the other side must
  h#2       helpmate in 2: the side to move begins and is mated; in h#2.5 it
            begins, and mates with its third move
  ser-h#3   series helpmate: the side to move makes 3 moves in a row, of which
            only the last may give check, and is mated by the next move
  ser-#3    series mate: it makes 3 moves in a row and mates with the last
With = in place of # the goal is stalemate: =2, s=2, r=2, h=2.5, ser-h=3.

In EPD, `dm 3`, `sm 2`, `hm 2.5` or, for all, `stip r#2` says the same, and `bm`
the intended keys where the side to move forces the goal. `dm3` needs no
quotation marks in a shell.

In EPD, `twin` has twins, each a text such as `b) move a1 b2, remove c3`, which
are solved one after the other. As in Popeye they change a), or with `+c)` the
twin before: move, exchange, remove, add Qe5, mirror a1 i1, rotate 180, stip #3.

Draws by repetition and by 100 plies are ignored, as is usual in composition.

Examples:
  The problems of a file, with tries and set play:
    qirkat problem problems.epd --tries --set-play
  A mate in two:
    qirkat problem --fen '4k4/9/p1R6/8p/6B2/6P1P/P6P1/9/5K3 w - - 0 1' \\
        --stipulation dm2";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, mut_arg("variant", |arg| arg.help("The game: chesquerque (the default) or masonic")))]
pub(crate) struct ProblemOptions {
    #[command(subcommand)]
    task: Option<ProblemTask>,
    #[command(flatten)]
    game: GameChoice,
    /// Problems in EPD with `dm`, `hm`, `sm` or `stip`, and keys in `bm`; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "fen")]
    file: Option<PathBuf>,
    /// The position
    #[arg(long, value_name = "FEN", conflicts_with = "file", requires = "stipulation")]
    fen: Option<String>,
    /// The stipulation, such as `#2`, `s#3`, `h#2.5` or `ser-h#3`; overrides EPD
    #[arg(long, value_name = "AIM")]
    stipulation: Option<Stipulation>,
    /// Show tries: first moves with one refutation, or with up to N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    tries: Option<usize>,
    /// Show set play: what follows if the other side begins
    #[arg(long)]
    set_play: bool,
    /// Show all variations for this many moves after the key; when not given, all of problems
    /// of up to 3 moves, one of longer ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=i64::from(MAX_MOVES)))]
    variations: Option<u8>,
    /// Expected number of solutions, if no keys are stated
    #[arg(long, value_name = "N", default_value_t = 1)]
    solutions: usize,
    #[command(flatten)]
    resources: ProofResources,
    /// Print a JSON object for each problem
    #[arg(long, conflicts_with = "epd")]
    json: bool,
    /// Print each problem in EPD, with its keys in `bm` and the verdict in `c9`
    #[arg(long)]
    epd: bool,
}

#[derive(Subcommand)]
enum ProblemTask {
    /// Look through the neighbours of a position for problems with one solution
    ///
    /// A neighbour has one piece moved, removed or added. Only those are printed that have
    /// exactly one key (in help and series play: one line) in this number of moves, and none in fewer.
    #[command(after_help = COMPOSE_HELP)]
    Compose(ComposeOptions),
}

#[derive(Args)]
struct ProofResources {
    #[command(flatten)]
    threads: Threads,
    /// Size of the table of proofs in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = megabytes)]
    hash: u32,
    /// Give up after this time, in seconds or as minutes:seconds
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    time: Option<Duration>,
}

pub(crate) fn run(options: &ProblemOptions) -> anyhow::Result<()> {
    match &options.task {
        Some(ProblemTask::Compose(options)) => compose(options),
        None => run_solver(options),
    }
}

fn run_solver(options: &ProblemOptions) -> anyhow::Result<()> {
    let variant = options.game.variant;
    if !variant.has_mates() {
        bail!("--game {variant}: there is no mate in it, so there are no problems to solve");
    }
    let table = ProofTable::new(options.resources.hash as usize)?;
    let interrupted = interrupt_flag();
    let (mut done, mut faults) = (0, 0);
    let mut take = |problems: anyhow::Result<Vec<StatedProblem>>| {
        let problems = match problems {
            Ok(problems) => problems,
            Err(error) => {
                faults += 1;
                print_message(format_args!("{error:#}, left out"));
                return Ok(());
            }
        };
        let mut all = Vec::new();
        for stated in &problems {
            let stop = stop_condition(&interrupted, options.resources.time);
            let shown = solved(stated, options, &table, &stop)?;
            if options.epd {
                all.push(shown);
            } else {
                print_text(if options.json { shown.json()? } else { shown.text() })?;
            }
        }
        if options.epd {
            print_text(epd(&all))?;
        }
        done += 1;
        if interrupted.load(Ordering::Relaxed) {
            return Err(Interrupted(format!("stopped at problem {done}")).into());
        }
        anyhow::Ok(())
    };
    match (&options.file, options.stipulation) {
        (Some(path), given) => {
            for line in epd_lines(path, variant)? {
                take(line?.and_then(|line| stated(line, given)))?;
            }
            if done == 0 && faults == 0 {
                bail!("{}: no position in it", path.display());
            }
        }
        (None, Some(stipulation)) => {
            let position = *options::start(variant, options.fen.as_deref())?.position();
            let (keys, operations) = (Vec::new(), Vec::new());
            let (id, twin) = (None, None);
            take(Ok(vec![StatedProblem { id, twin, position, stipulation, keys, operations }]))?;
        }
        (None, None) => bail!("--stipulation is missing"),
    }
    FaultsFound::fail_if(faults > 0)
}

fn solved<'a>(
    stated: &'a StatedProblem,
    options: &ProblemOptions,
    table: &ProofTable,
    stop: &(dyn Fn() -> bool + Sync),
) -> anyhow::Result<SolvedProblem<'a>> {
    let defaults = SolveRequest::new(stated.stipulation);
    let request = SolveRequest {
        threads: options.resources.threads.count(),
        tries: options.tries.unwrap_or_default(),
        set_play: options.set_play,
        variations: options.variations.unwrap_or(defaults.variations),
        solutions: options.solutions,
        stated_keys: stated.keys.clone(),
        ..defaults
    };
    let bar = terminal::bar("{bar:30} {msg}: {pos}/{len}, {elapsed}");
    let start = Instant::now();
    let report = |step| match step {
        ProofStep::Length { plies, parts } => {
            bar.set_position(0);
            bar.set_length(parts);
            bar.set_message(format!("depth {plies}"));
        }
        ProofStep::Part => bar.inc(1),
    };
    let control = ProofControl { stop, report: &report };
    let solution = solve(&stated.position, &request, table, &control).context("--game")?;
    bar.finish_and_clear();
    Ok(SolvedProblem { stated, request, solution, time: start.elapsed() })
}

const DEFAULT_TIME: Duration = Duration::from_secs(60);

#[derive(Args)]
#[command(mut_arg("variant", |arg| arg.help("The game: chesquerque (the default) or masonic")))]
struct ComposeOptions {
    #[command(flatten)]
    game: GameChoice,
    /// The position
    #[arg(long, value_name = "FEN")]
    fen: String,
    /// The stipulation, such as `#2`, `s#3`, `h#2.5` or `ser-h#3`
    #[arg(long, value_name = "AIM")]
    stipulation: Stipulation,
    // The time is 60 seconds when not given.
    #[command(flatten)]
    resources: ProofResources,
    /// Print a JSON object for each problem
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonComposed<'a> {
    change: String,
    fen: String,
    stipulation: String,
    solution: &'a [WrittenMove],
}

const COMPOSE_HELP: &str = "\
Examples:
  Sound mates in two next to a position:
    qirkat problem compose --fen '8k/9/6KR1/9/9/9/9/9/R8 w - - 0 1' \\
        --stipulation '#2' --time 30
  Selfmates, in half an hour, for programs:
    qirkat problem compose --fen '8k/9/6KR1/9/9/9/9/9/R8 w - - 0 1' \\
        --stipulation s#2 --time 30:00 --json";

fn compose(options: &ComposeOptions) -> anyhow::Result<()> {
    let variant = options.game.variant;
    if !variant.has_mates() {
        bail!("--game {variant}: there is no mate in it, so there are no problems to compose");
    }
    let position = *options::start(variant, Some(&options.fen))?.position();
    let table = ProofTable::new(options.resources.hash as usize)?;
    let interrupted = interrupt_flag();
    let stop = stop_condition(&interrupted, Some(options.resources.time.unwrap_or(DEFAULT_TIME)));
    let bar = terminal::bar("{bar:30} {pos}/{len} neighbours, {msg}, {eta} left");
    bar.set_message("0 found");
    let report = |step| match step {
        ProofStep::Length { parts, .. } => bar.set_length(parts),
        ProofStep::Part => bar.inc(1),
    };
    let (found, is_closed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let print = |composed: Composed| {
        let count = found.fetch_add(1, Ordering::Relaxed) + 1;
        bar.set_message(format!("{count} found"));
        let line = options.line(&composed);
        if !line.is_ok_and(|line| bar.suspend(|| print_part(line))) {
            is_closed.store(true, Ordering::Relaxed);
        }
    };
    let control =
        ProofControl { stop: &|| stop() || is_closed.load(Ordering::Relaxed), report: &report };
    let request = qirkat_problem::ComposeRequest {
        stipulation: options.stipulation,
        threads: options.resources.threads.count(),
    };
    let (examined, all) = qirkat_problem::compose(&position, &request, &table, &control, &print)?;
    bar.finish_and_clear();
    check_written()?;
    if interrupted.load(Ordering::Relaxed) {
        let text = format!("stopped after {examined} of {all} neighbours");
        return Err(Interrupted(text).into());
    }
    if !options.json {
        let found = found.into_inner();
        let bound = if examined < all { "; time is up" } else { "" };
        let text = format!("{found} problems among {examined} of {all} neighbours{bound}");
        writeln!(stdout(), "{text}")?;
    }
    Ok(())
}

impl ComposeOptions {
    fn line(&self, composed: &Composed) -> serde_json::Result<String> {
        let fen = composed.neighbour.position.fen();
        let change = composed.neighbour.change.to_string();
        let Composed { solution, .. } = composed;
        if self.json {
            let stipulation = self.stipulation.to_string();
            return serde_json::to_string(&JsonComposed { change, fen, stipulation, solution });
        }
        let moves: Vec<&str> = solution.iter().map(|mv| mv.san.as_str()).collect();
        Ok(format!("{change:8} {:10} {fen}", moves.join(" ")))
    }
}

struct StatedProblem {
    pub id: Option<String>,
    /// Its letter, such as `b)`, if the problem has twins.
    pub twin: Option<String>,
    pub position: AnyPosition,
    pub stipulation: Stipulation,
    pub keys: Vec<AnyMove>,
    pub operations: Vec<Operation>,
}

/// The problem of an EPD line, whose operations fill in what the command line leaves open, and its
/// twins.
fn stated(line: EpdLine, given: Option<Stipulation>) -> anyhow::Result<Vec<StatedProblem>> {
    let id = line.id().map(|it| it.operands.join(" "));
    let EpdLine { location, position, operations } = line;
    let stipulation = given.map_or_else(|| stated_stipulation(&operations), Ok);
    let stipulation = stipulation.with_context(|| location.clone())?;
    let keys = match stipulation.aim().is_forced() {
        true => stated_keys(&position, &operations).with_context(|| location.clone())?,
        false => Vec::new(),
    };
    let twins: Vec<String> = operations
        .iter()
        .filter(|it| it.opcode == "twin")
        .flat_map(|it| it.operands.clone())
        .collect();
    let letter = (!twins.is_empty()).then(|| "a)".to_owned());
    let first =
        StatedProblem { id: id.clone(), twin: letter, position, stipulation, keys, operations };
    let mut problems = vec![first];
    // What `+` continues.
    let mut last = (position, stipulation);
    for text in twins {
        let context = |named| format!("{location}: twin {}", Excerpt::of(named));
        let parts = text.split_once(')').context("no `b)`");
        let (letter, changes) = parts.with_context(|| context(&text))?;
        let (position, stipulation) =
            if letter.starts_with('+') { last } else { (position, stipulation) };
        last = twin(&position, stipulation, changes).with_context(|| context(letter))?;
        let (position, stipulation) = (last.0, given.unwrap_or(last.1));
        let (twin, keys, operations) = (Some(format!("{letter})")), Vec::new(), Vec::new());
        let id = id.clone();
        problems.push(StatedProblem { id, twin, position, stipulation, keys, operations });
    }
    Ok(problems)
}

/// The opcodes that state a stipulation.
const STIPULATIONS: [&str; 4] = ["dm", "sm", "hm", "stip"];

/// The stipulation by `dm`, `sm`, `hm` or `stip`; exactly one of them.
fn stated_stipulation(operations: &[Operation]) -> anyhow::Result<Stipulation> {
    let mut stated = operations.iter().filter(|it| STIPULATIONS.contains(&it.opcode.as_str()));
    let Operation { opcode, operands } =
        stated.next().context("no `dm`, `hm` or `sm` with the number of moves, and no `stip`")?;
    if let Some(other) = stated.next() {
        bail!("both `{opcode}` and `{}`", other.opcode);
    }
    let text = operands.first();
    let text = text.with_context(|| match opcode.as_str() {
        "stip" => "stip: no stipulation".to_owned(),
        _ => format!("{opcode}: no number of moves"),
    })?;
    let text = if opcode == "stip" { text } else { &format!("{opcode} {text}") };
    text.parse().with_context(|| opcode.clone())
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

struct SolvedProblem<'a> {
    pub stated: &'a StatedProblem,
    pub request: SolveRequest,
    pub solution: Solution,
    pub time: Duration,
}

#[derive(Serialize)]
struct JsonProblem<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    twin: Option<&'a str>,
    fen: String,
    stipulation: String,
    verdict: &'static str,
    proved: bool,
    /// The stipulation of the solutions, with fewer moves if they are short.
    solved: Option<String>,
    keys: Vec<&'a WrittenMove>,
    cooks: &'a [WrittenMove],
    /// Stated keys that do not solve.
    failing: &'a [String],
    /// Undecided first moves.
    open: &'a [WrittenMove],
    tries: &'a [Try],
    #[serde(skip_serializing_if = "Option::is_none")]
    set_play: Option<&'a [Variation]>,
    /// Of help and series play.
    solutions: &'a [Vec<WrittenMove>],
    #[serde(skip_serializing_if = "Option::is_none")]
    set_solutions: Option<&'a [Vec<WrittenMove>]>,
    /// The keys with the play after them.
    tree: &'a [Continuation],
    /// Whether the tree is complete to the requested depth.
    tree_is_whole: bool,
    main_line: &'a [WrittenMove],
    nodes: u64,
    time_ms: u128,
}

impl SolvedProblem<'_> {
    pub fn json(&self) -> serde_json::Result<String> {
        let solution = &self.solution;
        let verdict = solution.verdict(&self.request);
        serde_json::to_string(&JsonProblem {
            id: self.stated.id.as_deref(),
            twin: self.stated.twin.as_deref(),
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

    pub fn text(&self) -> String {
        let solution = &self.solution;
        let side = solution.position.side_to_move();
        let names: Vec<&str> = [&self.stated.id, &self.stated.twin]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let name = names.join(" ");
        let name = if name.is_empty() { name } else { name + ": " };
        let mut lines = vec![
            format!("{name}{}, {side:?} to move", solution.stipulation),
            solution.position.fen(),
            String::new(),
        ];
        lines.extend(solution_lines(solution));
        if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(String::new());
        }
        lines.push(verdict_sentence(solution, &self.request));
        let time = self.time.as_secs_f64();
        lines.push(format!("{} positions in {time:.2} s\n", solution.nodes));
        lines.join("\n")
    }
}

/// The line of a problem, with the verdicts of all its twins.
fn epd(all: &[SolvedProblem<'_>]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let solution = &first.solution;
    let mut operations = first.stated.operations.clone();
    operations.retain(|it| !REPLACED.contains(&it.opcode.as_str()));
    let stipulation = solution.stipulation;
    // The line may state none, or one that the command line overrides.
    if stated_stipulation(&operations).ok() != Some(stipulation) {
        operations.retain(|it| !STIPULATIONS.contains(&it.opcode.as_str()));
        operations.push(operation(stipulation.aim().opcode(), vec![stipulation.operand()]));
    }
    if !operations.iter().any(|it| it.opcode == "bm") && !solution.keys.is_empty() {
        let keys = solution.keys.iter().map(|key| key.mv.san.clone());
        operations.push(operation("bm", keys.collect()));
    }
    let nodes: u64 = all.iter().map(|it| it.solution.nodes).sum();
    operations.push(operation("acn", vec![nodes.to_string()]));
    let verdicts = all.iter().map(|it| {
        let letter = it.stated.twin.as_ref().map_or_else(String::new, |it| format!("{it} "));
        letter + &verdict_sentence(&it.solution, &it.request)
    });
    operations.push(operation("c9", vec![verdicts.collect::<Vec<_>>().join(" ")]));
    epd_text(&solution.position, &operations)
}
