//! `qirkat tune search`, in a tuning build.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::Args;

use super::{interrupt, progress};
use crate::arena::{
    AdjudicationRules, DrawRule, OpeningBook, OpeningFormat, ResignRule, TimeControl,
};
use crate::search::SEARCH_PARAMS;
use crate::tuning::{Spsa, SpsaNumber, TuningGames};
use crate::whole_file::write_whole;

#[derive(Args)]
pub(super) struct SearchTuningOptions {
    /// Names of the numbers to tune; all when none is given
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    numbers: Vec<String>,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 5000)]
    trials: usize,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,
    /// How much of its last step a number moves by for a won game
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    rate: f64,
    /// Openings, one FEN a line
    #[arg(long, value_name = "FILE", default_value = "engine-config/openings.epd")]
    openings: PathBuf,
    /// Pairs at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Table size of each player in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4)]
    hash: usize,
    /// What trials and openings are drawn from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Where the run is kept, and taken up again
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// Trials after which the state is written.
const TRIALS_BETWEEN_WRITES: usize = 20;

/// Tunes, and prints where the numbers have come to.
pub(super) fn run(options: &SearchTuningOptions) -> anyhow::Result<()> {
    let mut spsa = match &options.state {
        Some(path) if path.exists() => read_state(path)?,
        _ => begin(options)?,
    };
    let mut openings = OpeningBook::read(&options.openings, OpeningFormat::Epd, None)?;
    openings.shuffle(options.seed);
    let games = TuningGames {
        openings,
        control: TimeControl { nodes: Some(options.nodes), ..TimeControl::default() },
        adjudication: AdjudicationRules {
            draw: Some(DrawRule { after_moves: 60, moves_in_a_row: 8, score: 15 }),
            resign: Some(ResignRule { moves_in_a_row: 4, score: 700, two_sided: true }),
            ..AdjudicationRules::default()
        },
        hash: options.hash,
        concurrency: options.concurrency,
        seed: options.seed,
    };
    let stop = interrupt::flag()?;
    let bar = progress::bar("{bar:30} {pos}/{len} pairs, {per_sec}, {eta} left");
    bar.set_length(spsa.trials as u64);
    let write_failure = std::sync::Mutex::new(None);
    games.run(&mut spsa, &stop, &|spsa| {
        bar.set_position(spsa.done as u64);
        if let Some(path) = &options.state
            && spsa.done.is_multiple_of(TRIALS_BETWEEN_WRITES)
            && let Err(error) = write_state(path, spsa)
        {
            stop.store(true, Ordering::Relaxed);
            if let Ok(mut failure) = write_failure.lock() {
                *failure = Some(error);
            }
        }
    })?;
    bar.finish_and_clear();
    if let Some(error) = write_failure.into_inner().ok().flatten() {
        return Err(error);
    }
    if let Some(path) = &options.state {
        write_state(path, &spsa)?;
    }
    print(&spsa)
}

fn begin(options: &SearchTuningOptions) -> anyhow::Result<Spsa> {
    if let Some(name) =
        options.numbers.iter().find(|name| SEARCH_PARAMS.iter().all(|param| param.name != **name))
    {
        bail!("--numbers: there is no `{name}`");
    }
    let wanted = |name: &str| {
        options.numbers.is_empty() || options.numbers.iter().any(|number| number == name)
    };
    let numbers = SEARCH_PARAMS.iter().filter(|param| wanted(param.name)).map(|param| SpsaNumber {
        name: param.name.to_owned(),
        value: f64::from(param.default),
        min: f64::from(param.min),
        max: f64::from(param.max),
        step: param.step,
    });
    Ok(Spsa { numbers: numbers.collect(), trials: options.trials, rate: options.rate, done: 0 })
}

fn read_state(path: &Path) -> anyhow::Result<Spsa> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

fn write_state(path: &Path, spsa: &Spsa) -> anyhow::Result<()> {
    write_whole(path, serde_json::to_string_pretty(spsa)?.as_bytes())
        .with_context(|| path.display().to_string())
}

fn print(spsa: &Spsa) -> anyhow::Result<()> {
    writeln!(stdout(), "{} of {} pairs", spsa.done, spsa.trials)?;
    for number in &spsa.numbers {
        let default = SEARCH_PARAMS
            .iter()
            .find(|param| param.name == number.name)
            .map_or(0, |param| param.default);
        writeln!(stdout(), "{:<32} {:>6} -> {:>8.1}", number.name, default, number.value)?;
    }
    Ok(())
}
