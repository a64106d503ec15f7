//! `qirkat openings`: distinct positions after balanced random moves.

use anyhow::bail;
use clap::Args;

use crate::shared::options::{EvalFile, GameChoice};
use crate::shared::terminal::{self, check_written, print_part};
use qirkat_arena::{OpeningCache, OpeningTally, RandomOpenings};

#[derive(Args)]
pub(super) struct OpeningsOptions {
    #[command(flatten)]
    game: GameChoice,
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Random plies of each
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: u16,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The largest score, in centipawns, that a search may find for a side
    #[arg(long, value_name = "CP", default_value_t = RandomOpenings::BALANCE, value_parser = clap::value_parser!(i32).range(0..))]
    balance: i32,
    /// Positions that each search visits
    #[arg(long, value_name = "N", default_value_t = RandomOpenings::NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    eval_file: EvalFile,
}

pub(super) const HELP: &str = "\
Examples:
  200 openings for a match:
    qirkat openings --count 200 --seed 7 > openings.epd
  Masonic chess, six plies, closer to even:
    qirkat openings --game masonic --plies 6 --balance 40";

pub(super) fn run(options: &OpeningsOptions) -> anyhow::Result<()> {
    let random = RandomOpenings {
        plies: usize::from(options.plies),
        balance: options.balance,
        nodes: options.nodes,
        evaluation: options.eval_file.evaluation(options.game.variant)?,
        seed: options.seed,
        cache: OpeningCache::default(),
    };
    let wanted = options.count as usize;
    let template = "{bar:30} {pos}/{len} openings, {msg}";
    let bar = terminal::bar_from(template, 0, wanted as u64);
    let tally = random.make(wanted, &mut |new, tally| {
        let OpeningTally { found, repeated, unbalanced, ended, .. } = tally;
        bar.set_position(*found as u64);
        bar.set_message(format!(
            "rejected: {unbalanced} unbalanced, {repeated} repeated, {ended} over"
        ));
        bar.suspend(|| new.iter().all(|opening| print_part(opening.position())))
    })?;
    bar.finish_and_clear();
    check_written()?;
    if tally.found < wanted {
        bail!("fewer openings than the {wanted} requested: {tally}");
    }
    Ok(())
}
