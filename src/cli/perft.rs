//! `qirkat perft`.

use super::setup::PositionOptions;
use clap::Args;
use qirkat_engine::perft_divide;
use qirkat_game::distance::Depth;
use qirkat_search::MAX_THREADS;
use std::io::{Write, stdout};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{progress, setup};
use qirkat_search::nodes_per_second;
use qirkat_system::machine::{cores, thread_pool};

#[derive(Args)]
pub(super) struct PerftOptions {
    /// How many plies
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=i64::from(Depth::MAX.0)))]
    depth: u32,
    #[command(flatten)]
    position: PositionOptions,
    /// Threads to count with; all cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Show the count below each move
    #[arg(long)]
    divide: bool,
}

pub(super) const HELP: &str = "\
Examples:
  Four plies from the start, the count below each move:
    qirkat perft 4 --divide
  Three plies behind two moves, on one thread:
    qirkat perft 3 --moves e4 e6 --threads 1";

/// Counts, and tells how fast.
pub(super) fn run(options: &PerftOptions) -> anyhow::Result<()> {
    let game = setup::game(&options.position)?;
    // More threads than cores only wait for each other.
    let threads = options.threads.map_or_else(cores, |threads| cores().min(threads.into()));
    let pool = thread_pool(threads)?;
    let bar = progress::bar("{spinner} {human_pos} nodes, {per_sec}, {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(100));

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
