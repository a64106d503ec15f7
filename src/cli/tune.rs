//! `qirkat tune`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::pgn::input::for_each_sound_game;
use super::progress;
use crate::evaluation::WdlModel;
use crate::tuning::{FitOptions, SampleSet, ScoreSet, fit, with_values};
use crate::whole_file::write_whole;

#[derive(Args)]
pub(super) struct TuneOptions {
    #[command(subcommand)]
    task: TuneTask,
}

#[derive(Subcommand)]
enum TuneTask {
    /// Fit `src/evaluation/values.rs` to the results of games, and print it
    Evaluation(EvaluationOptions),
    /// Fit the win-draw-loss model of `UCI_ShowWDL` to games, and print it
    #[command(alias = "chances")]
    Wdl(WdlOptions),
    /// Tune the search's numbers by games (SPSA)
    #[cfg(feature = "tuning")]
    Search(super::tune_search::SearchTuningOptions),
}

#[derive(Args)]
struct EvaluationOptions {
    /// PGN files of games; `-` is standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// Write the numbers there instead of printing them
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How often every position is looked at
    #[arg(long, value_name = "N", default_value_t = 40)]
    epochs: usize,
    /// Positions of each step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// Centipawns that a number moves by at most with a step, at first
    #[arg(long, value_name = "CP", default_value_t = 2.0, value_parser = above_zero)]
    rate: f64,
    /// How far a number is expected to lie from its present worth
    #[arg(long, value_name = "CP", default_value_t = 20.0, value_parser = above_zero)]
    spread: f64,
    /// Plies left out at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 10)]
    skip: usize,
    /// The share of games held back to see how well others are foretold
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    validation: f64,
    /// What the choice of those games and the order of positions come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

#[derive(Args)]
struct WdlOptions {
    /// PGN files of games with scores in comments; `-` is standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// Plies left out at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 8)]
    skip: usize,
}

/// Tunes.
pub(super) fn run(options: &TuneOptions) -> anyhow::Result<()> {
    match &options.task {
        TuneTask::Evaluation(options) => tune_evaluation(options),
        TuneTask::Wdl(options) => tune_wdl(options),
        #[cfg(feature = "tuning")]
        TuneTask::Search(options) => super::tune_search::run(options),
    }
}

fn tune_evaluation(options: &EvaluationOptions) -> anyhow::Result<()> {
    if !(0.0..1.0).contains(&options.validation) {
        bail!("--validation {}: not a share of the games", options.validation);
    }
    let mut rng = StdRng::seed_from_u64(options.seed);
    let (mut training, mut validation) = (SampleSet::default(), SampleSet::default());
    for_each_sound_game(&options.games, |game| {
        let held_back = rng.random_bool(options.validation);
        let set = if held_back { &mut validation } else { &mut training };
        set.add_game(&game, options.skip);
        Ok(())
    })?;
    if training.is_empty() {
        bail!("no quiet position in these games");
    }
    let bar = progress::bar("{bar:30} {pos}/{len} epochs, {msg}, {eta} left");
    bar.set_length(options.epochs as u64);
    let fitting = FitOptions {
        epochs: options.epochs,
        batch: options.batch,
        rate: options.rate,
        spread: options.spread,
        seed: options.seed,
    };
    let result = fit(&training, &validation, &fitting, &mut |epoch| {
        bar.inc(1);
        bar.set_message(format!("loss {:.6} ({:.6})", epoch.training, epoch.validation));
    });
    bar.finish_and_clear();
    eprintln!(
        "{} positions of {} games fitted, {} held back; {:.0} centipawns make the odds e to one\n\
         loss {:.6} -> {:.6}, held back {:.6} -> {:.6}",
        training.len(),
        training.games(),
        validation.len(),
        result.scale,
        result.before.training,
        result.after.training,
        result.before.validation,
        result.after.validation,
    );
    let text = with_values(&result.weights);
    match &options.output {
        Some(path) => {
            write_whole(path, text.as_bytes()).with_context(|| path.display().to_string())
        }
        None => Ok(stdout().write_all(text.as_bytes())?),
    }
}

/// Reads a number that something can be divided by.
fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "not a number above zero".to_owned())
}

fn tune_wdl(options: &WdlOptions) -> anyhow::Result<()> {
    let mut set = ScoreSet::default();
    for_each_sound_game(&options.games, |game| {
        set.add_game(&game, options.skip);
        Ok(())
    })?;
    if set.is_empty() {
        bail!("no scores in these games");
    }
    let (old, new) = (WdlModel::FITTED, set.fit());
    writeln!(
        stdout(),
        "{} scores; cross-entropy {:.5} -> {:.5}\na: {:.1}, b: {:.1}",
        set.len(),
        set.cross_entropy(&old),
        set.cross_entropy(&new),
        new.a,
        new.b
    )?;
    Ok(())
}
