//! `qirkat train`: trains a network.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;

use super::data::variant_of;
use crate::shared::exit_status::{Interrupted, interrupt_flag};
use crate::shared::files::{AtPath, Overwrite, check_regular_file};
use crate::shared::terminal::{self, report};
use qirkat_evaluation::load_network::load_network;
use qirkat_evaluation::network::{HasEmbeddedNetwork, NetworkInput};
use qirkat_rules::match_variant;
use qirkat_rules::variant::VariantGame;
use qirkat_system::machine::{cores, thread_pool};
use qirkat_system::output_file::AtomicFile;
use qirkat_training::optimiser::{LearningRate, Losses};
use qirkat_training::{MAX_TRAINING_THREADS, Trainer, TrainingData, TrainingOptions, plot_losses};

#[derive(Args)]
pub(super) struct TrainOptions {
    /// Training data: games of `qirkat datagen`, or positions of `qirkat data positions`
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
    /// Output file, written after every epoch; an existing file is replaced only
    /// with --resume or --overwrite
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Fine-tune: begin with the weights of this network or checkpoint, not with
    /// random ones; `<embedded>` is the program's own network
    #[arg(long, value_name = "FILE")]
    init: Option<String>,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions in each batch
    #[arg(long, alias = "batch", value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch_size: u32,
    /// Initial learning rate of AdamW; it follows a cosine schedule
    #[arg(long, visible_alias = "learning-rate", alias = "rate", value_name = "R", default_value_t = 0.001, value_parser = share)]
    lr: f64,
    /// Final learning rate
    #[arg(long, alias = "last-rate", value_name = "R", default_value_t = 0.000_01, value_parser = share)]
    final_lr: f64,
    /// Weight decay of AdamW: the share of the learning rate by which each step
    /// shrinks the weights, or with --init their distance from the initial ones
    #[arg(long, visible_alias = "weight-decay", alias = "decay", value_name = "SHARE", default_value_t = 0.01, value_parser = |text: &str| number_up_to(text, MAX_WEIGHT_DECAY))]
    wd: f64,
    /// Weight of the game's result in the target (WDL lambda): 0 is only the
    /// score, 1 is only the result
    #[arg(long, alias = "result-share", value_name = "LAMBDA", default_value_t = 0.3, value_parser = share)]
    wdl: f64,
    /// Weight of what comes later in the game in the target (TD lambda): 0 is only
    /// the score of the position's own search, 1 is only the result
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = share)]
    td: f64,
    /// Share of games in the validation set, which is not trained on
    #[arg(long, alias = "held-back", value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    validation: f64,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads; as many as there are cores, but at most 8, when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_TRAINING_THREADS as i64))]
    threads: Option<u16>,
    /// Write a checkpoint to this file after every epoch, for --resume
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint, or begin if it is not there
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Plot the losses to this file, as SVG
    #[arg(long, alias = "picture", value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl TrainOptions {
    fn hyperparameters(&self) -> TrainingOptions {
        TrainingOptions {
            epochs: self.epochs,
            batch_size: self.batch_size as usize,
            learning_rate: LearningRate { first: self.lr, last: self.final_lr },
            weight_decay: self.wd,
            wdl_lambda: self.wdl,
            seed: self.seed,
        }
    }
}

pub(super) const HELP: &str = "\
Examples:
  A network, with the losses drawn:
    qirkat train --data games.qd --output new.net --plot losses.svg
  Fine-tune the program's own network on more positions:
    qirkat train --data more.qd --init '<embedded>' --output new.net";

pub(super) fn run(options: &TrainOptions) -> anyhow::Result<()> {
    if options.lr * options.wd > 1.0 {
        bail!("--lr times --wd is more than 1: each step would change the sign of the weights");
    }
    let outputs = Outputs::begin(options)?;
    let variant = variant_of(&options.data).context("--data")?;
    match_variant!(variant, Own => train::<Own>(options, outputs))
}

fn train<G: HasEmbeddedNetwork + VariantGame>(
    options: &TrainOptions,
    mut outputs: Outputs,
) -> anyhow::Result<()> {
    let (initial, checksum) = initial::<G>(options).context("--init")?;
    let threads = options.threads.map_or_else(|| cores().min(MAX_TRAINING_THREADS), usize::from);
    let pool = thread_pool(threads)?;
    let data = TrainingData::read::<G>(&options.data, options.validation, options.td, options.seed)
        .context("--data")?;
    let positions = data.training.len();
    report(format_args!(
        "{}: {positions} training positions, {} validation positions",
        G::VARIANT.title(),
        data.validation.len()
    ));
    let fingerprint = Trainer::<G>::fingerprint(&data, &options.hyperparameters(), checksum);
    let mut trainer = match &options.checkpoint {
        Some(path) if outputs.is_resumed => {
            initial.resumed(path, fingerprint).at_path(path).context("--resume")?
        }
        _ => initial,
    };
    if options.init.is_some() && trainer.losses.is_empty() {
        let loss = pool.install(|| trainer.validation_loss(&data, &options.hyperparameters()));
        if let Some(loss) = loss {
            report(format_args!("--init: validation loss {loss:.6}"));
        }
    }
    let stop = interrupt_flag();
    let [done, all] = [trainer.losses.len() as u64, options.epochs.into()]
        .map(|epochs| positions as u64 * epochs);
    let template = "{bar:30} epoch {msg}, {per_sec} positions, {eta} left";
    let bar = terminal::bar_from(template, done, all);
    while trainer.losses.len() < options.epochs as usize {
        pool.install(|| run_epoch(options, &data, &mut trainer, &bar, &stop))?;
        outputs.write(&trainer, fingerprint)?;
    }
    bar.finish_and_clear();
    // Needed again if a resumed training had nothing left to do.
    let checksum = outputs.write_network(&trainer)?;
    report(format_args!("{}: network {checksum:08x}", options.output.display()));
    Ok(())
}

fn run_epoch<G: NetworkInput>(
    options: &TrainOptions,
    data: &TrainingData,
    trainer: &mut Trainer<G>,
    bar: &ProgressBar,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let epoch = trainer.losses.len() + 1;
    bar.set_message(format!("{epoch} of {}", options.epochs));
    let started = Instant::now();
    let mut on_batch = |positions: usize| {
        bar.inc(positions as u64);
        !stop.load(Ordering::Relaxed)
    };
    if !trainer.train_epoch(data, &options.hyperparameters(), &mut on_batch) {
        bar.finish_and_clear();
        return Err(Interrupted(format!("stopped in epoch {epoch}")).into());
    }
    let speed = data.training.len() as f64 / started.elapsed().as_secs_f64();
    if let Some(&Losses { training, validation }) = trainer.losses.last() {
        let validation =
            validation.map_or(String::new(), |loss| format!(", validation loss {loss:.6}"));
        let line = format!("epoch {epoch}: loss {training:.6}{validation}, {speed:.0} positions/s");
        bar.suspend(|| report(line));
        if !training.is_finite() {
            bail!("the loss is no longer finite: --lr is too high");
        }
    }
    Ok(())
}

const MAX_WEIGHT_DECAY: f64 = 100.0;

fn share(text: &str) -> Result<f64, String> {
    number_up_to(text, 1.0)
}

fn number_up_to(text: &str, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("not a number from 0 to {most}"))
}

/// The output files, locked for the whole run.
struct Outputs {
    is_resumed: bool,
    network: AtomicFile,
    checkpoint: Option<AtomicFile>,
    plot: Option<AtomicFile>,
}

impl Outputs {
    /// Checks before the work begins that all results can be written.
    fn begin(options: &TrainOptions) -> anyhow::Result<Outputs> {
        let resumed = options.checkpoint.as_ref().filter(|_| options.resume);
        resumed.map_or(Ok(()), |path| check_regular_file(path)).context("--resume")?;
        let is_resumed = resumed.is_some_and(|path| path.exists());
        let overwrite = Overwrite { overwrite: options.overwrite.overwrite || is_resumed };
        // An existing file was made by another training, or by one whose checkpoint is lost.
        let instead = resumed.map_or_else(
            || "resume from a checkpoint with --resume, ".to_owned(),
            |path| format!("there is no checkpoint {} to resume from; ", path.display()),
        );
        let begin = |path: &PathBuf, option| overwrite.begin(path, &instead).context(option);
        let begin_optional = |path: &Option<PathBuf>, option| {
            path.as_ref().map(|path| begin(path, option)).transpose()
        };
        Ok(Outputs {
            is_resumed,
            network: begin(&options.output, "--output")?,
            checkpoint: begin_optional(&options.checkpoint, "--checkpoint")?,
            plot: begin_optional(&options.plot, "--plot")?,
        })
    }

    /// Writes the results of an epoch: checkpoint, network and plot.
    fn write<G: NetworkInput>(
        &mut self,
        trainer: &Trainer<G>,
        fingerprint: u32,
    ) -> anyhow::Result<()> {
        // The checkpoint first, since a network without one cannot be resumed.
        if let Some(file) = &mut self.checkpoint {
            file.write_version(&trainer.checkpoint(fingerprint)).context("--checkpoint")?;
        }
        self.write_network(trainer)?;
        if let Some(file) = &mut self.plot {
            let svg = plot_losses(&trainer.losses)?;
            file.write_version(svg.as_bytes()).context("--plot")?;
        }
        Ok(())
    }

    fn write_network<G: NetworkInput>(&mut self, trainer: &Trainer<G>) -> anyhow::Result<u32> {
        let (bytes, checksum) = trainer.network_file().context("--output")?;
        self.network.write_version(&bytes).context("--output")?;
        Ok(checksum)
    }
}

/// The trainer that starts from the file of `--init`, and its checksum; without the option, random
/// weights and zero.
fn initial<G: HasEmbeddedNetwork + VariantGame>(
    options: &TrainOptions,
) -> anyhow::Result<(Trainer<G>, u32)> {
    let random = || (Trainer::new(options.seed), 0);
    let Some(name) = options.init.as_deref() else { return Ok(random()) };
    let path = Path::new(name);
    if Trainer::<G>::is_checkpoint(path) {
        return Trainer::from_checkpoint(path).at_path(path);
    }
    let network = load_network::<G>(name)?;
    Ok(network.map_or_else(random, |it| (Trainer::from_network(&it), it.checksum())))
}
