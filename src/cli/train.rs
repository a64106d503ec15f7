//! `qirkat train`.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;

use super::interrupt::{self, Interrupted};
use super::{output_path, progress};
use crate::search::cores;
use crate::training::{EpochLosses, Trainer, TrainingOptions, TrainingSet, draw_losses};
use crate::whole_file::write_whole;

#[derive(Args)]
pub(super) struct TrainOptions {
    /// Files of positions, as `qirkat datagen` has written them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
    /// Where the network goes, after every epoch; an existing file is replaced
    /// only with --resume
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// How often every position is looked at
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions of each step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// How far a number moves with a step, at first
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = share)]
    rate: f64,
    /// The same, at last
    #[arg(long, value_name = "R", default_value_t = 0.000_01, value_parser = share)]
    last_rate: f64,
    /// Which part of itself a weight loses with a step, times the rate
    #[arg(long, value_name = "PART", default_value_t = 0.01, value_parser = share)]
    decay: f64,
    /// How much the game's result counts beside the score, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    result_share: f64,
    /// The share of games held back to see how well others are judged
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    held_back: f64,
    /// What everything random comes from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads; as many as there are cores, but at most 8, when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=Trainer::MOST_THREADS as i64))]
    threads: Option<u16>,
    /// Write down there, after every epoch, what is needed to go on
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Draw the losses there, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Learns a network from positions.
pub(super) fn run(options: &TrainOptions) -> anyhow::Result<()> {
    let training = TrainingOptions {
        epochs: options.epochs,
        batch: options.batch as usize,
        rates: [options.rate, options.last_rate],
        decay: options.decay,
        result_share: options.result_share,
        seed: options.seed,
    };
    check_outputs(options)?;
    let threads = options.threads.map_or_else(|| cores().min(Trainer::MOST_THREADS), usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let set = TrainingSet::read(&options.data, options.held_back, options.seed)?;
    let [learned, held_back] = set.len();
    writeln!(stdout(), "{learned} positions to learn from, {held_back} held back")?;
    let fingerprint = Trainer::fingerprint(&set, &training);
    let mut trainer = begin(options, fingerprint)?;
    let stop = interrupt::flag()?;
    let bar = progress::bar("{bar:30} epoch {msg}, {per_sec} positions, {eta} left");
    bar.set_length(learned as u64 * u64::from(options.epochs));
    bar.set_position(learned as u64 * trainer.losses().len() as u64);
    bar.reset_eta();
    for epoch in trainer.losses().len() as u32..options.epochs {
        bar.set_message(format!("{} of {}", epoch + 1, options.epochs));
        let started = Instant::now();
        let mut heard = |positions: usize| {
            bar.inc(positions as u64);
            !stop.load(Ordering::Relaxed)
        };
        if !pool.install(|| trainer.learn_epoch(&set, &training, &mut heard)) {
            bar.finish_and_clear();
            return Err(Interrupted(format!("stopped in epoch {}", epoch + 1)).into());
        }
        let rate = learned as f64 / started.elapsed().as_secs_f64();
        if let Some(&losses) = trainer.losses().last() {
            bar.suspend(|| writeln!(stdout(), "{}", line(epoch + 1, losses, rate)))?;
            if !losses.learned.is_finite() {
                bail!("the loss has no end: --rate is too high");
            }
        }
        keep(options, &trainer, fingerprint)?;
    }
    bar.finish_and_clear();
    // Once more for a training that had nothing left to do.
    let checksum = write_network(options, &trainer)?;
    writeln!(stdout(), "{}: network {checksum:08x}", options.output.display())?;
    Ok(())
}

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

/// Sees before the work begins that nothing stands where its results go.
fn check_outputs(options: &TrainOptions) -> anyhow::Result<()> {
    let outputs = [Some(&options.output), options.checkpoint.as_ref(), options.picture.as_ref()];
    let outputs: Vec<_> = outputs.into_iter().flatten().collect();
    for (number, path) in outputs.iter().enumerate() {
        if outputs[..number].contains(path) {
            bail!("{} is to hold two things", path.display());
        }
        let same = |data: &PathBuf| {
            data.canonicalize().is_ok_and(|data| path.canonicalize().is_ok_and(|path| path == data))
        };
        if options.data.iter().any(same) {
            bail!("{} holds positions to learn from", path.display());
        }
        output_path::check(path)?;
        if path.exists() && !options.resume {
            bail!("{} is there already; go on with a checkpoint by --resume", path.display());
        }
    }
    if let Some(checkpoint) = options.checkpoint.as_ref().filter(|_| options.resume)
        && !checkpoint.exists()
    {
        bail!("{}: there is no such checkpoint to go on from", checkpoint.display());
    }
    Ok(())
}

fn begin(options: &TrainOptions, fingerprint: u32) -> anyhow::Result<Trainer> {
    match &options.checkpoint {
        Some(path) if options.resume => {
            Trainer::load(path, fingerprint).with_context(|| path.display().to_string())
        }
        _ => Ok(Trainer::new(options.seed)),
    }
}

/// Writes the network as it is now; its checksum.
fn write_network(options: &TrainOptions, trainer: &Trainer) -> anyhow::Result<u32> {
    let named = || options.output.display().to_string();
    let network = trainer.network().with_context(named)?;
    write_whole(&options.output, &network.to_bytes()).with_context(named)?;
    Ok(network.checksum())
}

fn keep(options: &TrainOptions, trainer: &Trainer, fingerprint: u32) -> anyhow::Result<()> {
    // The checkpoint first, since a network without one cannot be gone on with.
    if let Some(path) = &options.checkpoint {
        trainer.save(path, fingerprint).with_context(|| path.display().to_string())?;
    }
    write_network(options, trainer)?;
    if let Some(path) = &options.picture {
        draw_losses(path, trainer.losses()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn line(epoch: u32, losses: EpochLosses, rate: f64) -> String {
    let held_back = losses.held_back.map_or(String::new(), |loss| format!(", held back {loss:.6}"));
    format!("epoch {epoch}: loss {:.6}{held_back}, {rate:.0} positions/s", losses.learned)
}
