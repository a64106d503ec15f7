//! `qirkat datagen`: generates training data by self-play.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::data::{conditions_file, contents};
use crate::shared::exit_status::interrupt_flag;
use crate::shared::files::AtPath;
use crate::shared::options::GameChoice;
use crate::shared::own_games::{SelfPlayOptions, report_truncation, stopped_before};
use crate::shared::run_settings::RunSettings;
use crate::shared::terminal;
use qirkat_evaluation::AnyEvaluation;
use qirkat_tablebase::AllTables;
use qirkat_training::dataset::{DatasetWriter, Form, SelfPlay};

#[derive(Args)]
pub(super) struct DatagenOptions {
    #[command(flatten)]
    game: GameChoice,
    /// Where the games go; an existing file is continued with --resume
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Positions wanted, including those in the file already
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Nodes for each move, exceeded to finish an iteration
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Fewest random plies at the beginning of a game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    min_plies: u16,
    /// Most random plies at the beginning of a game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=100))]
    max_plies: u16,
    /// The largest score, in centipawns, that a side may have after them
    #[arg(long, value_name = "CP", default_value_t = 200, value_parser = clap::value_parser!(i32).range(0..))]
    balance: i32,
    /// Seed of all games; give each machine its own
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    games: SelfPlayOptions,
}

pub(super) const HELP: &str = "\
Examples:
  A million positions, on all cores:
    qirkat datagen --output games.data
  Go on after Ctrl-C, and to two millions:
    qirkat datagen --output games.data --positions 2000000 --resume";

pub(super) fn run(options: &DatagenOptions) -> anyhow::Result<()> {
    if options.min_plies > options.max_plies {
        bail!("--min-plies is more than --max-plies");
    }
    let path = &options.output;
    options.games.is_continued(path)?;
    let variant = options.game.variant;
    let evaluation = options.games.eval_file.evaluation(variant)?;
    RunSettings::expect_place(&conditions_file(path))?;
    let mut writer = DatasetWriter::open(path, variant, Form::Games).at_path(path)?;
    let (conditions, beside) = (conditions(options, &evaluation), conditions_file(path));
    if writer.cut_off > 0 {
        report_truncation(path, writer.cut_off, "block");
    }
    if writer.blocks.positions > 0 {
        conditions.check_resumable(path, &beside)?;
    }
    conditions.write(&beside, HEAD)?;
    let games = SelfPlay {
        nodes: options.nodes,
        plies: (options.min_plies.into(), options.max_plies.into()),
        balance: options.balance,
        positions: options.positions,
        seed: options.seed,
        evaluation,
        tablebases: Some(AllTables::with_embedded()),
        threads: options.games.threads(),
    };
    let stop = interrupt_flag();
    let template = "{bar:30} {pos}/{len} positions, {per_sec}, {eta} left, {msg}";
    let bar = terminal::bar_from(template, writer.positions(), options.positions);
    if writer.positions() < options.positions {
        games
            .run(&mut writer, &stop, &|positions, games| {
                bar.set_position(positions);
                bar.set_message(format!("{games} games"));
            })
            .at_path(path)?;
    }
    bar.finish_and_clear();
    let positions = writer.positions();
    terminal::report(contents(path, positions, writer.games()));
    if positions < options.positions {
        return Err(stopped_before(options.positions).into());
    }
    Ok(())
}

const HEAD: &str = "# How the positions beside were generated. `qirkat datagen --resume` reads it.";

/// The settings that determine the positions. Their number and the speed may change on resuming.
fn conditions(options: &DatagenOptions, evaluation: &AnyEvaluation) -> RunSettings {
    let mut conditions = RunSettings::default();
    conditions.set("--nodes", options.nodes);
    conditions.set("--min-plies", options.min_plies);
    conditions.set("--max-plies", options.max_plies);
    conditions.set("--balance", options.balance);
    conditions.set("--seed", options.seed);
    conditions.set_network(evaluation);
    conditions
}
