//! `qirkat tables`: endgame tables are made, checked and asked.

mod build;
mod check;
mod probe;
mod stats;
mod survey;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};

pub(super) use check::FaultyTables;

use super::complaint::complain;
use crate::tables::{MAX_TABLE_PIECES, Material, Tables};

#[derive(Args)]
pub(super) struct TablesOptions {
    #[command(subcommand)]
    task: TablesTask,
}

#[derive(Subcommand)]
enum TablesTask {
    /// Make all tables up to a number of pieces
    ///
    /// A table gets its name when it is whole, so a build that was broken off goes on
    /// where it ended when the same command is given again.
    Build(build::BuildOptions),
    /// Derive every entry of tables anew from its successors
    Check(check::CheckOptions),
    /// Look a position up: its result, distances in plies, and all its moves, best first
    ///
    /// DTM is the distance to mate as if there were no 100-ply rule, DTZ the distance to
    /// the next capture, pawn move or mate. Results count the plies on the clock: win,
    /// cursed-win (the 100-ply rule saves the other side), draw, blessed-loss, loss. Moves
    /// are seen by the side that makes them, and counted.
    Probe(probe::ProbeOptions),
    /// Show what tables come to: results, longest mates, mutual zugzwangs
    Stats(stats::StatsOptions),
    /// Find out what tables without pawns come to, and keep none of them
    ///
    /// Tables with five pieces are solved in a minute each, where files of them would take
    /// hours and gigabytes. Each gets a line in the file, the same as `tables stats --json`
    /// prints. When it was broken off, the same command goes on where it ended.
    Survey(survey::SurveyArguments),
}

/// Runs the command.
pub(super) fn run(options: &TablesOptions) -> anyhow::Result<()> {
    match &options.task {
        TablesTask::Build(options) => build::run(options),
        TablesTask::Check(options) => check::run(options),
        TablesTask::Probe(options) => probe::run(options),
        TablesTask::Stats(options) => stats::run(options),
        TablesTask::Survey(options) => survey::run(options),
    }
}

/// A number of pieces, kings included.
fn parse_pieces() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(3..=MAX_TABLE_PIECES as u64)
}

/// The tables that the program carries and those of a folder. Damaged ones are named and
/// left out.
fn open(folder: Option<&Path>) -> anyhow::Result<Tables> {
    let mut tables = Tables::with_embedded();
    if let Some(folder) = folder {
        add_folder(&mut tables, folder)?;
    }
    Ok(tables)
}

/// Adds the tables of a folder. Damaged ones are named and left out.
fn add_folder(tables: &mut Tables, folder: &Path) -> anyhow::Result<()> {
    let found = tables.add_folder(folder).with_context(|| folder.display().to_string())?;
    for table in found.faulty {
        complain(format_args!("{}: {}", table.path.display(), table.error));
    }
    Ok(())
}

/// Which of the tables at hand are meant.
#[derive(Args)]
struct Selection {
    /// Only tables with up to so many pieces
    #[arg(long, value_name = "N", value_parser = parse_pieces())]
    men: Option<usize>,
    /// A folder of tables, as `qirkat tables build` has made it
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Only these tables, such as KRvKB
    #[arg(value_name = "TABLE")]
    tables: Vec<Material>,
}

impl Selection {
    /// The tables that are meant, few pieces first.
    fn choose(&self, tables: &Tables) -> anyhow::Result<Vec<Material>> {
        let wanted: Vec<Material> = self.tables.iter().map(|it| it.canonical()).collect();
        for material in &wanted {
            if tables.statistics(*material).is_none() {
                anyhow::bail!("there is no table {material}");
            }
        }
        let most = self.men.unwrap_or(MAX_TABLE_PIECES);
        let mut chosen: Vec<Material> = tables
            .materials()
            .filter(|it| it.pieces() <= most && (wanted.is_empty() || wanted.contains(it)))
            .collect();
        chosen.sort_by_key(|it| (it.pieces(), it.pawns(), std::cmp::Reverse(*it)));
        Ok(chosen)
    }
}
