//! `qirkat suite`: solves a suite of test positions.

use std::io::{Read, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::shared::exit_status::{Interrupted, interrupt_flag};
use crate::shared::files::{MAX_TEXT, open_input};
use crate::shared::options::{GameChoice, SearchResources};
use crate::shared::terminal;
use qirkat_analysis::review::ScoreData;
use qirkat_analysis::suite::{
    Attempt, Budget, ClassTally, Solver, TACTICS, Tally, TestPosition, read_suite,
};
use qirkat_game::distance::Depth;
use qirkat_rules::variant::{AnyMove, Variant};

#[derive(Args)]
pub(crate) struct SuiteOptions {
    #[command(flatten)]
    game: GameChoice,
    /// Positions in EPD with `bm`, `am` or both; the suite in the program when not given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Milliseconds for each position; 1000 if there is no other limit
    #[arg(long, value_name = "MS", group = "budget", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Positions to visit for each position of the suite
    #[arg(long, value_name = "N", group = "budget", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to search each position
    #[arg(long, value_name = "PLIES", group = "budget", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    depth: Option<i16>,
    #[command(flatten)]
    resources: SearchResources,
    /// Print a JSON object for each position and one for the count
    #[arg(long)]
    json: bool,
}

const DEFAULT_TIME: Duration = Duration::from_secs(1);

pub(crate) const HELP: &str = "\
Examples:
  The suite in the program, the same count every time:
    qirkat suite --nodes 100000
  Positions of your own, two seconds each:
    qirkat suite positions.epd --movetime 2000";

pub(crate) fn run(options: &SuiteOptions) -> anyhow::Result<()> {
    let variant = options.game.variant;
    let positions = read_positions(options.file.as_deref(), variant)?;
    let budget = match (options.nodes, options.depth) {
        (Some(nodes), _) => Budget::Nodes(nodes),
        (None, Some(depth)) => Budget::Depth(Depth(depth)),
        (None, None) => Budget::Time(options.movetime.map_or(DEFAULT_TIME, Duration::from_millis)),
    };
    let mut solver = Solver::new(options.resources.searcher(variant)?)?;
    let mut tally = Tally::new(budget);
    let template = "{bar:30} {pos}/{len} positions, {msg}, {eta} left";
    let bar = terminal::bar_from(template, 0, positions.len() as u64);
    bar.set_message("0 solved");
    let names = positions.iter().flat_map(|test| [test.id.as_str(), test.class()]);
    let name_width = names.chain(["Position"]).map(|name| name.chars().count()).max().unwrap_or(0);
    let print = |text: String| bar.suspend(|| writeln!(stdout(), "{text}"));
    let stop = interrupt_flag();
    if !options.json {
        print(format!(
            "{:<name_width$}  Solved {:>6} {:>10} {:>8}  {:<8}  Best",
            "Position", "Depth", "Nodes", "Time", "Move"
        ))?;
    }
    for test in &positions {
        let attempt = solver.attempt(test, budget, &stop)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        tally.count(test, &attempt);
        print(match options.json {
            true => json_of(test, &attempt)?,
            false => row(test, &attempt, name_width),
        })?;
        bar.set_message(format!("{} solved", tally.all.solved.last().unwrap_or(&0)));
        bar.inc(1);
    }
    bar.finish_and_clear();
    print(tally_text(&tally, name_width, options.json)?)?;
    if stop.load(Ordering::Relaxed) {
        let (done, all) = (tally.all.problems, positions.len());
        return Err(Interrupted(format!("stopped after {done} of {all} positions")).into());
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonAttempt<'a> {
    id: &'a str,
    class: &'a str,
    bm: Vec<String>,
    am: Vec<String>,
    #[serde(rename = "move")]
    played: Option<String>,
    #[serde(flatten)]
    score: ScoreData,
    solved: bool,
    /// The depth at which the solution was found and kept, or at which the search ended.
    depth: i16,
    nodes: u64,
    time_ms: u128,
}

#[derive(Serialize)]
struct JsonTally<'a> {
    budgets: Vec<String>,
    classes: &'a [ClassTally],
    all: &'a ClassTally,
}

fn row(test: &TestPosition, attempt: &Attempt, name_width: usize) -> String {
    let san = |moves: &[AnyMove]| -> String {
        let texts: Vec<String> = moves.iter().map(|&mv| test.position.san(mv)).collect();
        texts.join(" ")
    };
    let at = attempt.found.unwrap_or(attempt.end);
    let mut wanted = san(&test.best);
    if !test.avoid.is_empty() {
        wanted = format!("{wanted} not {}", san(&test.avoid)).trim_start().to_owned();
    }
    format!(
        "{:<name_width$}  {:<6} {:>6} {:>10} {:>7.3}s  {:<8}  {}",
        test.id,
        if attempt.found.is_some() { "yes" } else { "no" },
        at.depth.0,
        at.nodes,
        at.time.as_secs_f64(),
        san(attempt.played.as_slice()),
        wanted
    )
}

fn tally_text(tally: &Tally, name_width: usize, json: bool) -> serde_json::Result<String> {
    let budgets: Vec<String> = tally.budgets.iter().map(Budget::to_string).collect();
    if json {
        let (classes, all) = (&tally.classes, &tally.all);
        return serde_json::to_string(&JsonTally { budgets, classes, all });
    }
    let width = name_width.max("Solved within".len());
    let columns: String = budgets.iter().map(|budget| format!("  {budget:>8}")).collect();
    let mut text = format!("\n{:<width$}{columns}        of", "Solved within");
    for row in tally.classes.iter().chain([&tally.all]) {
        text.push_str(&format!("\n{:<width$}", row.class));
        for (solved, column) in row.solved.iter().zip(&budgets) {
            text.push_str(&format!("  {solved:>width$}", width = column.len().max(8)));
        }
        text.push_str(&format!("  {:>8}", row.problems));
    }
    Ok(text)
}

fn json_of(test: &TestPosition, attempt: &Attempt) -> serde_json::Result<String> {
    let at = attempt.found.unwrap_or(attempt.end);
    serde_json::to_string(&JsonAttempt {
        id: &test.id,
        class: test.class(),
        bm: test.best.iter().map(AnyMove::to_string).collect(),
        am: test.avoid.iter().map(AnyMove::to_string).collect(),
        played: attempt.played.map(|mv| mv.to_string()),
        score: attempt.score.into(),
        solved: attempt.found.is_some(),
        depth: at.depth.0,
        nodes: at.nodes,
        time_ms: at.time.as_millis(),
    })
}

const BUILT_IN: &str = "the built-in suite";

fn read_positions(file: Option<&Path>, variant: Variant) -> anyhow::Result<Vec<TestPosition>> {
    match file {
        Some(path) => read_file(path, variant),
        None if variant == Variant::Chesquerque => {
            Ok(read_suite(TACTICS.as_bytes(), BUILT_IN, variant)?)
        }
        None => bail!(
            "the suite in the program is for Chesquerque: give a file with positions of {}",
            variant.title()
        ),
    }
}

pub(crate) fn read_file(path: &Path, variant: Variant) -> anyhow::Result<Vec<TestPosition>> {
    let name = path.display().to_string();
    let mut input = open_input(path, &ProgressBar::hidden())?.take(MAX_TEXT);
    log::info!("{name}: opened to read a suite");
    let positions = read_suite(&mut input, &name, variant)?;
    if input.limit() == 0 {
        bail!("{name}: more than {} MB", MAX_TEXT >> 20);
    }
    Ok(positions)
}
