//! `qirkat tune search`, in builds with the feature `tuning`: tunes the search parameters by SPSA.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use clap::Args;

use crate::shared::exit_status::{fail_if_interrupted, interrupt_flag};
use crate::shared::files::{AtPath, MAX_TEXT, from_json, read_plain_text};
use crate::shared::terminal;
use qirkat_arena::{
    AdjudicationRules, DrawRule, OpeningBook, OpeningFormat, ResignRule, TimeControl,
};
use qirkat_rules::variant::Variant;
use qirkat_search::SEARCH_PARAMS;
use qirkat_system::format_version::FormatVersion;
use qirkat_system::output_file::AtomicFile;
use qirkat_training::tuning::{Spsa, SpsaGames, SpsaParam};

#[derive(Args)]
pub(super) struct SearchTuningOptions {
    /// Names of the parameters to tune; all when none is given
    #[arg(long, alias = "numbers", value_name = "NAME", value_delimiter = ',')]
    params: Vec<String>,
    /// Iterations of SPSA, each a pair of games
    #[arg(long, alias = "trials", value_name = "N", default_value_t = 5000)]
    iterations: usize,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,
    /// Final learning rate: the share of its perturbation by which a won game
    /// moves a parameter (r_end of Fishtest)
    #[arg(long, alias = "rate", value_name = "SHARE", default_value_t = 0.01)]
    r_end: f64,
    /// Openings, one FEN a line
    #[arg(long, value_name = "FILE", default_value = "engine-config/openings.epd")]
    openings: PathBuf,
    /// Pairs at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Table size of each player in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4)]
    hash: usize,
    /// Seed of perturbations and openings
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// File for the state of the run, which is resumed from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

pub(super) const HELP: &str = "\
Examples:
  All parameters, with a state file, from which a later run continues:
    qirkat tune search --state spsa.json
  One of them, in fewer games:
    qirkat tune search --params aspiration_window --iterations 500";

const ITERATIONS_BETWEEN_WRITES: usize = 20;

pub(super) fn run(options: &SearchTuningOptions) -> anyhow::Result<()> {
    let mut spsa = begin(options)?;
    let mut state = None;
    if let Some(path) = &options.state {
        // Lock before reading: another run may be about to write it.
        state = Some(AtomicFile::create(path).at_path(path)?);
        if path.exists() {
            spsa = resumed(path, spsa)?;
        }
    }
    let (mut openings, _) =
        OpeningBook::read(&options.openings, OpeningFormat::Epd, None, Variant::Chesquerque)?;
    openings.shuffle(options.seed);
    let games = SpsaGames {
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
    let stop = interrupt_flag();
    let bar = terminal::bar("{bar:30} {pos}/{len} pairs, {per_sec}, {eta} left");
    bar.set_length(spsa.iterations as u64);
    let (state, write_failure) = (Mutex::new(state), Mutex::new(None));
    games.run(&mut spsa, &stop, &|spsa| {
        bar.set_position(spsa.done as u64);
        if spsa.done.is_multiple_of(ITERATIONS_BETWEEN_WRITES)
            && let Ok(mut state) = state.lock()
            && let Err(error) = write_state(&mut state, spsa)
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
    write_state(&mut state.into_inner().unwrap_or_else(PoisonError::into_inner), &spsa)?;
    print(&spsa)?;
    if spsa.done < spsa.iterations { fail_if_interrupted() } else { Ok(()) }
}

fn begin(options: &SearchTuningOptions) -> anyhow::Result<Spsa> {
    if let Some(name) =
        options.params.iter().find(|name| SEARCH_PARAMS.iter().all(|known| known.name != **name))
    {
        bail!("--params: there is no `{name}`");
    }
    let wanted =
        |name: &str| options.params.is_empty() || options.params.iter().any(|param| param == name);
    let params = SEARCH_PARAMS.iter().filter(|known| wanted(known.name)).map(|known| SpsaParam {
        name: known.name.to_owned(),
        value: f64::from(known.default),
        min: f64::from(known.min),
        max: f64::from(known.max),
        c_end: known.step,
    });
    Ok(Spsa {
        version: FormatVersion,
        params: params.collect(),
        iterations: options.iterations,
        r_end: options.r_end,
        done: 0,
    })
}

/// The saved run. It fails if --params, --iterations or --r-end was another; others may change.
fn resumed(path: &Path, begun: Spsa) -> anyhow::Result<Spsa> {
    let saved: Spsa = from_json(&read_plain_text(path, MAX_TEXT)?).at_path(path)?;
    let names =
        |spsa: &Spsa| spsa.params.iter().map(|param| param.name.clone()).collect::<Vec<_>>();
    if names(&saved) != names(&begun) {
        bail!(
            "{}: --params was {}, is now {}",
            path.display(),
            names(&saved).join(","),
            names(&begun).join(",")
        );
    }
    for (option, was, is) in [
        ("--iterations", saved.iterations as f64, begun.iterations as f64),
        ("--r-end", saved.r_end, begun.r_end),
    ] {
        if was != is {
            bail!("{}: {option} was {was}, is now {is}", path.display());
        }
    }
    Ok(saved)
}

fn write_state(file: &mut Option<AtomicFile>, spsa: &Spsa) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let text = serde_json::to_string_pretty(spsa)?;
    file.write_version(text.as_bytes()).context("--state")
}

fn print(spsa: &Spsa) -> anyhow::Result<()> {
    writeln!(stdout(), "{} of {} pairs", spsa.done, spsa.iterations)?;
    for param in &spsa.params {
        let default = SEARCH_PARAMS
            .iter()
            .find(|known| known.name == param.name)
            .map_or(0, |known| known.default);
        writeln!(stdout(), "{:<32} {:>6} -> {:>8.1}", param.name, default, param.value)?;
    }
    Ok(())
}
