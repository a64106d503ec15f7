//! `qirkat bench` and `qirkat perft`: node counts and speed.

use std::io::{Write, stdout};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use crate::shared::options::{self, EvalFile, GameChoice, PositionOptions, Threads};
use crate::shared::terminal::{self, check_written, print_part};
use qirkat_engine::{BENCH_DEPTH, bench, perft_divide};
use qirkat_evaluation::network::Kernel;
use qirkat_game::distance::Depth;
use qirkat_search::{SearchControl, nodes_per_second};
use qirkat_system::machine::{cores, thread_pool};

#[derive(Args)]
pub(crate) struct BenchOptions {
    #[command(flatten)]
    game: GameChoice,
    /// How deep to search each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    depth: Option<i16>,
    #[command(flatten)]
    eval_file: EvalFile,
    /// Evaluate the network without the wide instructions that this machine may
    /// have beyond those that the program was built for
    #[arg(long)]
    portable: bool,
}

pub(crate) const HELP: &str = "\
Examples:
  The node count, which identifies a build:
    qirkat bench
  A shorter one of Masonic chess:
    qirkat bench --game masonic --depth 5";

pub(crate) fn run(options: &BenchOptions) -> anyhow::Result<()> {
    let depth = options.depth.map_or(BENCH_DEPTH, Depth);
    let control = SearchControl::new(false, false);
    let bar = terminal::bar("{bar:30} {pos}/{len} positions, {eta} left");
    let mut evaluation = options.eval_file.evaluation(options.game.variant)?;
    if options.portable {
        evaluation = evaluation.with_kernel(Kernel::Portable);
    }
    let result = bench(depth, &evaluation, &control, &mut |progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        let (done, nodes) = (progress.done, progress.nodes);
        let line = format!("{done:>2} {nodes:>10} {}", progress.position);
        if !bar.suspend(|| print_part(line)) {
            control.stop();
        }
    })?;
    bar.finish_and_clear();
    check_written()?;
    let Some(result) = result else { bail!("bench was stopped") };
    writeln!(stdout(), "\n{result}")?;
    Ok(())
}

#[derive(Args)]
pub(crate) struct PerftOptions {
    /// Depth in plies
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=i64::from(Depth::MAX.0)))]
    depth: u32,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    threads: Threads,
    /// Show the count after each move
    #[arg(long)]
    divide: bool,
}

pub(crate) const PERFT_HELP: &str = "\
Examples:
  Four plies from the start, the count after each move:
    qirkat perft 4 --divide
  Three plies after two moves, on one thread:
    qirkat perft 3 --moves e4 e6 --threads 1";

pub(crate) fn run_perft(options: &PerftOptions) -> anyhow::Result<()> {
    let game = options::game(&options.position)?;
    // More threads than cores would only wait for each other.
    let threads = options.threads.count().min(cores());
    let pool = thread_pool(threads)?;
    let bar = terminal::spinner("{spinner} {human_pos} nodes, {per_sec}, {elapsed}");

    let start = Instant::now();
    let never = AtomicBool::new(false);
    let count = |nodes| bar.inc(nodes);
    let divided = pool.install(|| perft_divide(game.position(), options.depth, &never, &count));
    let time = start.elapsed();
    bar.finish_and_clear();

    let counts = divided.unwrap_or_default();
    let total = if options.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    let mut out = stdout().lock();
    if options.divide && options.depth > 0 {
        for (mv, count) in &counts {
            writeln!(out, "{mv}: {count}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {total}")?;
    let rate = nodes_per_second(total, time);
    writeln!(out, "Time: {:.3} s, {:.1} M nodes/s", time.as_secs_f64(), rate as f64 / 1e6)?;
    Ok(())
}
