//! `qirkat tune`.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::files::Overwrite;
use super::pgn::game_input::for_each_sound_game;
use super::progress;
use qirkat_evaluation::WdlModel;
use qirkat_rules::variant::Variant;
use qirkat_training::optimiser::Losses;
use qirkat_training::tuning::{BANDS, FitOptions, SampleSet, ScoreSet, fit, with_values};

#[derive(Args)]
pub(super) struct TuneOptions {
    #[command(subcommand)]
    task: TuneTask,
}

#[derive(Subcommand)]
enum TuneTask {
    /// Fit the hand-crafted evaluation, `src/evaluation/values.rs`, to the results
    /// of games (Texel tuning), and print it
    #[command(after_help = "\
Examples:
  Into the source file:
    qirkat tune evaluation --games games.pgn \\
        --output src/evaluation/values.rs --overwrite
  A quick look, printed:
    qirkat tune evaluation --games games.pgn --epochs 5")]
    Evaluation(EvaluationOptions),
    /// Fit the win-draw-loss models of `UCI_ShowWDL` and of reviews to games, one for each
    /// game that is played there, and print them
    #[command(
        alias = "chances",
        after_help = "\
Examples:
  From the games of a match:
    qirkat tune wdl --games match.pgn
  From several, without their first twenty plies:
    qirkat tune wdl --games one.pgn two.pgn --skip 20"
    )]
    Wdl(WdlOptions),
    /// Tune the search's parameters by games (SPSA)
    #[cfg(feature = "tuning")]
    #[command(after_help = super::tune_search::HELP)]
    Search(super::tune_search::SearchTuningOptions),
}

#[derive(Args)]
struct EvaluationOptions {
    /// PGN files of games; `-` is standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// Write the source file there instead of printing it
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions in each batch
    #[arg(long, alias = "batch", value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch_size: u32,
    /// Learning rate of Adam at first, in centipawns
    #[arg(long, visible_alias = "learning-rate", alias = "rate", value_name = "CP", default_value_t = 2.0, value_parser = above_zero)]
    lr: f64,
    /// Standard deviation of the prior around the present values (L2
    /// regularisation)
    #[arg(long, alias = "spread", value_name = "CP", default_value_t = 20.0, value_parser = above_zero)]
    prior_sd: f64,
    /// Plies left out at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 10)]
    skip: usize,
    /// Share of games in the validation set, which is not fitted
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    validation: f64,
    /// Seed of the validation set and of the order of positions
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

/// The end of the help.
pub(super) const HELP: &str = "\
Examples:
  Fit the hand-crafted evaluation to games:
    qirkat tune evaluation --games games.pgn --output values.rs
  Fit what scores mean in chances to win:
    qirkat tune wdl --games games.pgn";

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
    let begin = |path: &PathBuf| options.overwrite.begin(path, &options.games, "");
    let output = options.output.as_ref().map(begin).transpose()?;
    let mut rng = StdRng::seed_from_u64(options.seed);
    let (mut training, mut validation) = (SampleSet::default(), SampleSet::default());
    for_each_sound_game(&options.games, |game| {
        let is_validation = rng.random_bool(options.validation);
        let set = if is_validation { &mut validation } else { &mut training };
        set.add_game(&game, options.skip);
        Ok(())
    })?;
    if training.is_empty() {
        bail!("no quiet position in these games");
    }
    let bar = progress::bar("{bar:30} {pos}/{len} epochs, {msg}, {eta} left");
    bar.set_length(options.epochs.into());
    let fitting = FitOptions {
        epochs: options.epochs as usize,
        batch_size: options.batch_size as usize,
        learning_rate: options.lr,
        prior_sd: options.prior_sd,
        seed: options.seed,
    };
    let result = fit(&training, &validation, &fitting, &mut |losses| {
        bar.inc(1);
        bar.set_message(loss_text(losses));
    });
    bar.finish_and_clear();
    eprintln!(
        "{} training positions of {} games, {} validation positions; \
         {:.0} centipawns make the odds of a win e to one\n\
         before: {}\nafter: {}",
        training.len(),
        training.games(),
        validation.len(),
        result.scale,
        loss_text(&result.before),
        loss_text(&result.after),
    );
    let text = with_values(&result.weights);
    match output {
        Some(mut file) => {
            file.content.write_all(text.as_bytes())?;
            file.finish().context("--output")
        }
        None => Ok(stdout().write_all(text.as_bytes())?),
    }
}

fn loss_text(losses: &Losses) -> String {
    let validation =
        losses.validation.map_or(String::new(), |loss| format!(", validation loss {loss:.6}"));
    format!("loss {:.6}{validation}", losses.training)
}

/// Reads a number that something can be divided by.
fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "not a number above zero".to_owned())
}

fn tune_wdl(options: &WdlOptions) -> anyhow::Result<()> {
    let mut sets = BTreeMap::<Variant, ScoreSet>::new();
    for_each_sound_game(&options.games, |game| {
        sets.entry(game.start.variant()).or_default().add_game(&game, options.skip);
        Ok(())
    })?;
    sets.retain(|_, set| !set.is_empty());
    if sets.is_empty() {
        bail!("no scores in these games");
    }
    for (&variant, set) in &sets {
        stdout().write_all(fitted_text(variant, set).as_bytes())?;
    }
    Ok(())
}

/// The model that fits a game's scores best, and how well it does.
fn fitted_text(variant: Variant, set: &ScoreSet) -> String {
    let old = WdlModel::fitted(variant);
    let new = set.fit(old);
    let mut text = format!(
        "{}: {} scores of {} games; cross-entropy {:.5} -> {:.5}\na: {:.1}, b: {:.1}\n",
        variant.title(),
        set.len(),
        set.games(),
        set.cross_entropy(&old),
        set.cross_entropy(&new),
        new.a,
        new.b
    );
    text.push_str("  band       scores  expected  scored\n");
    for (band, found) in set.calibration(&new).iter().enumerate() {
        let [from, to] = [band, band + 1].map(|edge| 100 * edge / BANDS);
        let (expected, scored) = (100.0 * found.expected, 100.0 * found.scored);
        text.push_str(&format!(
            "{from:>3}-{to:<3} %{:>10}{expected:>8.1} %{scored:>6.1} %\n",
            found.scores
        ));
    }
    text
}
