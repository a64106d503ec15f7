//! `qirkat problem`: compositions are solved with proof.

mod compose;
mod means;
mod options;
mod read;
mod shown;

use std::io::{Write, stdout};
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Context;
use indicatif::ProgressBar;

use self::means::Bounds;
use self::options::ProblemTask;
pub(super) use self::options::{PROBLEM_HELP, ProblemOptions};
use self::read::{Given, Stated};
use self::shown::Shown;
use super::complaint::complain;
use super::interrupt::{self, Interrupted};
use super::pgn::FaultyGames;
use super::progress;
use qirkat_problem::{ProofStep, ProofTable, SolveOptions, Watch, solve};

/// Solves a position or a file of them; or looks for problems among neighbours.
pub(super) fn run(options: &ProblemOptions) -> anyhow::Result<()> {
    match &options.task {
        Some(ProblemTask::Compose(options)) => compose::run(options),
        None => run_solver(options),
    }
}

fn run_solver(options: &ProblemOptions) -> anyhow::Result<()> {
    let given = Given::open(options)?;
    let table = ProofTable::new(options.means.hash as usize)?;
    let interrupted = interrupt::flag()?;
    let bar = progress::bar("{bar:30} {pos}/{len} {msg}, {elapsed}");
    let (mut done, mut faults) = (0, 0);
    for stated in given {
        let stated = match stated {
            Ok(stated) => stated,
            Err(fault) if fault.is_last => return Err(fault.error),
            Err(fault) => {
                faults += 1;
                bar.suspend(|| complain(format_args!("{:#}, left out", fault.error)));
                continue;
            }
        };
        let bounds = Bounds::new(&interrupted, options.means.time);
        let text = solved(&stated, options, &table, &bounds, &bar)?;
        bar.suspend(|| writeln!(stdout(), "{text}"))?;
        stdout().flush()?;
        done += 1;
        if interrupted.load(Ordering::Relaxed) {
            let text = format!("stopped at problem {done}");
            return Err(Interrupted(text).into());
        }
    }
    if done == 0 && faults == 0 {
        anyhow::bail!("{}: no position in it", read::name_of(options));
    }
    if faults > 0 { Err(FaultyGames.into()) } else { Ok(()) }
}

/// Solves one problem and writes down what it has come to.
fn solved(
    stated: &Stated,
    options: &ProblemOptions,
    table: &ProofTable,
    bounds: &Bounds<'_>,
    bar: &ProgressBar,
) -> anyhow::Result<String> {
    let asked = asked(stated, options);
    let start = Instant::now();
    let report = |step| match step {
        ProofStep::Length { plies, parts } => {
            bar.set_length(parts);
            bar.set_position(0);
            bar.set_message(format!("of {plies} plies"));
        }
        ProofStep::Part => bar.inc(1),
    };
    let watch = Watch { stop: &|| bounds.is_over(), report: &report };
    let solution = solve(&stated.position, &asked, table, &watch).context("--game")?;
    bar.set_length(0);
    let shown = Shown { stated, asked: &asked, solution: &solution, time: start.elapsed() };
    if options.json {
        Ok(shown.json()?)
    } else if options.epd {
        Ok(shown.epd())
    } else {
        Ok(shown.text())
    }
}

/// What is asked of a problem.
fn asked(stated: &Stated, options: &ProblemOptions) -> SolveOptions {
    let usual = SolveOptions::new(stated.stipulation);
    SolveOptions {
        threads: options.means.threads(),
        tries: options.tries.unwrap_or_default(),
        set_play: options.set_play,
        variations: options.variations.unwrap_or(usual.variations),
        solutions: options.solutions,
        stated_keys: stated.keys.clone(),
        ..usual
    }
}
