//! `qirkat tables`: endgame tables are made, checked and asked.

mod build;
mod check;
mod probe;
mod stats;
mod survey;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, Subcommand};

use super::setup::GameChoice;
use super::terminal::print_message;
use crate::files::AtPath;
use qirkat_rules::chess::Kind;
use qirkat_rules::variant::Variant;
use qirkat_rules::{chesquerque, masonic};
use qirkat_tablebase::{
    HasEmbeddedTables, MAX_TABLE_PIECES, Material, SolvableGame, TableGame, Tables,
};

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
    #[command(after_help = "\
Examples:
  All of four pieces:
    qirkat tables build --men 4 --output tables
  One of Masonic chess, with those that it needs:
    qirkat tables build --game masonic --men 4 --output tables KQvKR")]
    Build(build::BuildOptions),
    /// Derive every entry of tables anew from its successors
    #[command(after_help = "\
Examples:
  Those in the program:
    qirkat tables check
  One of a folder:
    qirkat tables check --path tables KQvKR")]
    Check(check::CheckOptions),
    /// Look a position up: its result, distances in plies, and all its moves, best first
    ///
    /// DTM is the distance to mate as if there were no 100-ply rule, DTZ the distance to
    /// the next capture, pawn move or mate. Results count the plies on the clock: win,
    /// cursed-win (the 100-ply rule saves the other side), draw, blessed-loss, loss. Moves
    /// are seen by the side that makes them, and counted.
    #[command(after_help = "\
Examples:
  With the tables in the program:
    qirkat tables probe --fen '4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1'
  With those of a folder, for programs:
    qirkat tables probe --path tables --json \\
        --fen '4k4/9/4n4/9/9/9/9/9/R3K4 w - - 0 1'")]
    Probe(probe::ProbeOptions),
    /// Show what tables come to: results, longest mates, mutual zugzwangs
    #[command(after_help = "\
Examples:
  Those in the program:
    qirkat tables stats
  Two of a folder, a line of JSON for each:
    qirkat tables stats --path tables KQvKR KRvKB --json")]
    Stats(stats::StatsOptions),
    /// Find out what tables of Chesquerque without pawns come to, and keep none of them
    ///
    /// Tables with five pieces are solved in a minute each, where files of them would take
    /// hours and gigabytes. Each gets a line in the file, the same as `tables stats --json`
    /// prints. When it was broken off, the same command goes on where it ended.
    #[command(after_help = "\
Examples:
  One table of five pieces:
    qirkat tables survey --output survey.jsonl KRBvKN
  All that have no pawns; the same command goes on:
    qirkat tables survey --output survey.jsonl")]
    Survey(survey::SurveyArguments),
}

/// The end of the help.
pub(super) const HELP: &str = "\
Examples:
  Tables of four pieces, in a folder:
    qirkat tables build --men 4 --output tables
  What they say of a position:
    qirkat tables probe --path tables \\
        --fen '4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1'
  What the tables in the program come to:
    qirkat tables stats";

/// Runs the command.
pub(super) fn run(options: &TablesOptions) -> anyhow::Result<()> {
    let task = &options.task;
    match task.variant() {
        Variant::Chesquerque => task.run::<chesquerque::Position>(),
        Variant::Masonic => task.run::<masonic::Position>(),
        Variant::Alquerque => bail!("there are no endgame tables of Alquerque"),
    }
}

impl TablesTask {
    /// The game that it is about.
    const fn variant(&self) -> Variant {
        match self {
            TablesTask::Build(options) => options.game.variant,
            TablesTask::Check(options) => options.selection.game.variant,
            TablesTask::Probe(options) => options.game.variant,
            TablesTask::Stats(options) => options.selection.game.variant,
            TablesTask::Survey(_) => Variant::Chesquerque,
        }
    }

    fn run<G: SolvableGame + HasEmbeddedTables>(&self) -> anyhow::Result<()> {
        match self {
            TablesTask::Build(options) => build::run::<G>(options),
            TablesTask::Check(options) => check::run::<G>(options),
            TablesTask::Probe(options) => probe::run::<G>(options),
            TablesTask::Stats(options) => stats::run::<G>(options),
            TablesTask::Survey(options) => survey::run(options),
        }
    }
}

/// The tables of these names, with White as the stronger side.
fn materials<K: Kind>(names: &[String]) -> anyhow::Result<Vec<Material<K>>> {
    let material = |name: &String| Ok(name.parse::<Material<K>>()?.canonical());
    names.iter().map(material).collect()
}

/// A number of pieces, kings included.
fn parse_pieces() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(3..=MAX_TABLE_PIECES as u64)
}

/// The tables that the program carries and those of a folder. Damaged ones are named and
/// left out.
fn open<G: HasEmbeddedTables>(folder: Option<&Path>) -> anyhow::Result<Tables<G>> {
    let mut tables = Tables::with_embedded();
    if let Some(folder) = folder {
        add_folder(&mut tables, folder)?;
    }
    Ok(tables)
}

/// Adds the tables of a folder. Damaged ones are named and left out.
fn add_folder<G: TableGame>(tables: &mut Tables<G>, folder: &Path) -> anyhow::Result<()> {
    let found = tables.add_folder(folder).at_path(folder)?;
    for table in found.faulty {
        print_message(format_args!("{}: {}", table.path.display(), table.error));
    }
    Ok(())
}

/// Which of the tables at hand are meant.
#[derive(Args)]
struct Selection {
    #[command(flatten)]
    game: GameChoice,
    /// Only tables with up to so many pieces
    #[arg(long, value_name = "N", value_parser = parse_pieces())]
    men: Option<usize>,
    /// A folder of tables, as `qirkat tables build` has made it
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    path: Option<PathBuf>,
    /// Only these tables, such as KRvKB
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
}

impl Selection {
    /// The tables that are meant, few pieces first.
    fn choose<G: TableGame>(&self, tables: &Tables<G>) -> anyhow::Result<Vec<Material<G::Kind>>> {
        let wanted = materials::<G::Kind>(&self.tables)?;
        for material in &wanted {
            if tables.statistics(*material).is_none() {
                bail!("there is no table {material}");
            }
        }
        let most = self.men.unwrap_or(MAX_TABLE_PIECES);
        let mut chosen: Vec<Material<G::Kind>> = tables
            .materials()
            .filter(|it| it.pieces() <= most && (wanted.is_empty() || wanted.contains(it)))
            .collect();
        Material::sort_for_solving(&mut chosen);
        Ok(chosen)
    }
}
