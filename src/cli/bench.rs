//! `qirkat bench`.

use super::resources::EvalFile;
use super::setup::GameChoice;
use clap::Args;
use std::io::{Write, stdout};

use anyhow::bail;
use indicatif::ProgressBar;

use super::progress;
use qirkat_engine::{BENCH_DEPTH, bench};
use qirkat_evaluation::network::Kernel;
use qirkat_game::distance::Depth;
use qirkat_search::SearchControl;

#[derive(Args)]
pub(super) struct BenchOptions {
    #[command(flatten)]
    game: GameChoice,
    /// How deep to search each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    depth: Option<i16>,
    #[command(flatten)]
    eval_file: EvalFile,
    /// Reckon the network without the wide instructions that this machine may
    /// have beyond those that the program was built for
    #[arg(long)]
    portable: bool,
}

pub(super) const HELP: &str = "\
Examples:
  The count by which builds are told apart:
    qirkat bench
  A shorter one of Masonic chess:
    qirkat bench --game masonic --depth 5";

/// Searches the bench positions; the last line tells nodes and speed.
pub(super) fn run(options: &BenchOptions) -> anyhow::Result<()> {
    let depth = options.depth.map_or(BENCH_DEPTH, Depth);
    let control = SearchControl::new(false, false);
    let bar: ProgressBar = progress::bar("{bar:30} {pos}/{len} positions, {eta} left");
    let mut broken = None;
    let mut evaluation = options.eval_file.evaluation(options.game.variant)?;
    if options.portable {
        evaluation = evaluation.with_kernel(Kernel::Portable);
    }
    let result = bench(depth, &evaluation, &control, &mut |progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        let written = bar.suspend(|| {
            writeln!(stdout(), "{:>2} {:>10} {}", progress.done, progress.nodes, progress.position)
        });
        if let Err(error) = written {
            broken = Some(error);
            control.stop();
        }
    })?;
    bar.finish_and_clear();
    if let Some(error) = broken {
        return Err(error.into());
    }
    let Some(result) = result else { bail!("bench was stopped") };
    writeln!(stdout(), "\n{result}")?;
    Ok(())
}
