//! `qirkat problem compose`.

use std::io::{Write, stdout};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::{ProofResources, StopCondition};
use crate::exit_status::{Interrupted, interrupt_flag};
use crate::setup::GameChoice;
use crate::{progress, setup};
use qirkat_problem::{Composed, ProofStep, ProofTable, Stipulation, Watch, WrittenMove};
use qirkat_rules::variant::Variant;

/// How long it goes on when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

#[derive(Args)]
pub(super) struct ComposeOptions {
    #[command(flatten)]
    game: GameChoice,
    /// The position
    #[arg(long, value_name = "FEN")]
    fen: String,
    /// What is to be done, such as `#2`, `s#3`, `h#2` or `h#2.5`
    #[arg(long, value_name = "AIM")]
    stipulation: Stipulation,
    // The time is 60 seconds when not given.
    #[command(flatten)]
    resources: ProofResources,
    /// Print a JSON object for each problem
    #[arg(long)]
    json: bool,
}

/// A problem for programs.
#[derive(Serialize)]
struct JsonComposed<'a> {
    change: String,
    fen: String,
    stipulation: String,
    solution: &'a [WrittenMove],
}

pub(super) const HELP: &str = "\
Examples:
  Sound mates in two next to a position:
    qirkat problem compose --fen '8k/9/6KR1/9/9/9/9/9/R8 w - - 0 1' \\
        --stipulation '#2' --time 30
  Selfmates, in half an hour, for programs:
    qirkat problem compose --fen '8k/9/6KR1/9/9/9/9/9/R8 w - - 0 1' \\
        --stipulation s#2 --time 30:00 --json";

/// Looks through the neighbours, and shows problems as they are found.
pub(super) fn run(options: &ComposeOptions) -> anyhow::Result<()> {
    let variant = options.game.variant;
    if variant == Variant::Alquerque {
        bail!("--game {variant}: there is no mate in it, so there are no problems to compose");
    }
    let position = *setup::start(variant, Some(&options.fen))?.position();
    let table = ProofTable::new(options.resources.hash as usize)?;
    let interrupted = interrupt_flag();
    let stop =
        StopCondition::new(&interrupted, Some(options.resources.time.unwrap_or(DEFAULT_TIME)));
    let bar = progress::bar("{bar:30} {pos}/{len} neighbours, {msg}, {eta} left");
    bar.set_message("0 found");
    let report = |step| match step {
        ProofStep::Length { parts, .. } => bar.set_length(parts),
        ProofStep::Part => bar.inc(1),
    };
    // Writing fails when nobody reads any more.
    let (found, broken) = (AtomicUsize::new(0), Mutex::new(None));
    let is_broken = || broken.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    let tell = |composed: Composed| {
        let count = found.fetch_add(1, Ordering::Relaxed) + 1;
        bar.set_message(format!("{count} found"));
        let told = options
            .line(&composed)
            .and_then(|line| Ok(bar.suspend(|| writeln!(stdout(), "{line}"))?));
        if let Err(error) = told {
            *broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    };
    let watch = Watch { stop: &|| stop.is_met() || is_broken(), report: &report };
    let asked = qirkat_problem::ComposeOptions {
        stipulation: options.stipulation,
        threads: options.resources.threads(),
    };
    let (looked_at, all) = qirkat_problem::compose(&position, &asked, &table, &watch, &tell)?;
    bar.finish_and_clear();
    if let Some(error) = broken.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    if interrupted.load(Ordering::Relaxed) {
        let text = format!("stopped after {looked_at} of {all} neighbours");
        return Err(Interrupted(text).into());
    }
    if !options.json {
        let found = found.into_inner();
        let bound = if looked_at < all { "; time is up" } else { "" };
        let text = format!("{found} problems among {looked_at} of {all} neighbours{bound}");
        writeln!(stdout(), "{text}")?;
    }
    Ok(())
}

impl ComposeOptions {
    /// A found problem in a line.
    fn line(&self, composed: &Composed) -> anyhow::Result<String> {
        let fen = composed.neighbour.position.fen();
        let change = composed.neighbour.change.to_string();
        if self.json {
            let stipulation = self.stipulation.to_string();
            let solution = &composed.solution;
            return Ok(serde_json::to_string(&JsonComposed {
                change,
                fen,
                stipulation,
                solution,
            })?);
        }
        let moves: Vec<&str> = composed.solution.iter().map(|mv| mv.san.as_str()).collect();
        Ok(format!("{change:8} {:10} {fen}", moves.join(" ")))
    }
}
