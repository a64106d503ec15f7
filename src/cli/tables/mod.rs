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
use crate::exit_status::FaultsFound;
use crate::files::AtPath;
use qirkat_rules::variant::Variant;
use qirkat_rules::{alquerque, chesquerque, masonic};
use qirkat_tablebase::alquerque::MAX_TABLE_MEN;
use qirkat_tablebase::load_tables::LoadTablesError;
use qirkat_tablebase::{SurveyedGame, TabledGame};

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
    qirkat tables build --game masonic --men 4 --output tables KQvKR
  All of Alquerque with up to six men:
    qirkat tables build --game alquerque --men 6 --output tables")]
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
    /// are seen by the side that makes them, and counted. Of Alquerque there is one distance,
    /// `dtm` in JSON: the plies to the end of the game, those on the clock counted, but for a
    /// cursed-win and blessed-loss as if there were no 100-ply rule.
    #[command(after_help = "\
Examples:
  With the tables in the program:
    qirkat tables probe --fen '4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1'
  With those of a folder, for programs:
    qirkat tables probe --path tables --json \\
        --fen '4k4/9/4n4/9/9/9/9/9/R3K4 w - - 0 1'
  Of Alquerque:
    qirkat tables probe --game alquerque --fen '5/2m2/5/2M2/5 w - - 0 1'")]
    Probe(probe::ProbeOptions),
    /// Show what tables come to: results, longest mates, mutual zugzwangs
    #[command(after_help = "\
Examples:
  Those in the program:
    qirkat tables stats
  Two of a folder, a line of JSON for each:
    qirkat tables stats --path tables KQvKR KRvKB --json")]
    Stats(stats::StatsOptions),
    /// Find out what tables come to, and keep none of them: of Chesquerque without pawns, and
    /// of Alquerque
    ///
    /// Tables of Chesquerque with five pieces are solved in a minute each, where files of them
    /// would take hours and gigabytes. Each gets a line in the file, the same as `tables stats --json`
    /// prints. When it was broken off, the same command goes on where it ended.
    #[command(after_help = "\
Examples:
  One table of five pieces:
    qirkat tables survey --output survey.jsonl KRBvKN
  All that have no pawns; the same command goes on:
    qirkat tables survey --output survey.jsonl
  All of Alquerque with seven men:
    qirkat tables survey --game alquerque --men 7 --output men.jsonl")]
    Survey(survey::SurveyArguments),
}

pub(super) const HELP: &str = "\
Examples:
  Tables of four pieces, in a folder:
    qirkat tables build --men 4 --output tables
  What they say of a position:
    qirkat tables probe --path tables \\
        --fen '4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1'
  What the tables in the program come to:
    qirkat tables stats";

pub(super) fn run(options: &TablesOptions) -> anyhow::Result<()> {
    let task = &options.task;
    match task.variant() {
        Variant::Chesquerque => task.run_or_survey::<chesquerque::Position>(),
        Variant::Masonic => task.run::<masonic::Position>(),
        Variant::Alquerque => task.run_or_survey::<alquerque::Position>(),
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
            TablesTask::Survey(options) => options.game.variant,
        }
    }

    fn run_or_survey<G: SurveyedGame>(&self) -> anyhow::Result<()> {
        match self {
            TablesTask::Survey(options) => survey::run::<G>(options),
            other => other.run::<G>(),
        }
    }

    fn run<G: TabledGame>(&self) -> anyhow::Result<()> {
        match self {
            TablesTask::Build(options) => build::run::<G>(options),
            TablesTask::Check(options) => check::run::<G>(options),
            TablesTask::Probe(options) => probe::run::<G>(options),
            TablesTask::Stats(options) => stats::run::<G>(options),
            TablesTask::Survey(_) => bail!("there is no survey of {}", G::VARIANT.title()),
        }
    }
}

/// The tables of these names, with White as the stronger side.
fn materials<G: TabledGame>(names: &[String]) -> anyhow::Result<Vec<G::Material>> {
    let material = |name: &String| Ok(G::canonical(name.parse::<G::Material>()?));
    names.iter().map(material).collect()
}

/// A number of pieces, kings included, as far as it does not depend on the game.
fn parse_pieces() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(2..=MAX_TABLE_MEN as u64)
}

/// Fails where a game has no tables with so many pieces.
fn check_pieces<G: TabledGame>(pieces: usize) -> anyhow::Result<()> {
    let (least, most) = (G::PIECES.start(), G::PIECES.end());
    if !G::PIECES.contains(&pieces) {
        bail!("--men: {least} to {most} in tables of {}, not {pieces}", G::VARIANT.title());
    }
    Ok(())
}

/// Which of two tables of the same material counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// That in the program, whose tables were checked.
    Carried,
    /// That of the folder, which is what is asked for.
    Folder,
}

/// Files of a folder that are left out, each with a line that says why.
#[derive(Default)]
struct LeftOut(Vec<PathBuf>);

impl LeftOut {
    /// Whether it was told already why there is no such table.
    fn has<G: TabledGame>(&self, material: G::Material) -> bool {
        let name = format!("{material}.");
        let name_of = |path: &PathBuf| path.file_name()?.to_str().map(str::to_owned);
        self.0.iter().filter_map(name_of).any(|file| file.starts_with(&name))
    }
}

/// The tables that the program carries and those of a folder, and which files of it are damaged:
/// they are named and left out.
fn open<G: TabledGame>(
    folder: Option<&Path>,
    first: First,
) -> anyhow::Result<(G::Tables, LeftOut)> {
    let mut tables = G::Tables::default();
    if first == First::Carried {
        G::add_embedded(&mut tables);
    }
    let mut left_out = LeftOut::default();
    if let Some(folder) = folder {
        let found = G::add_folder(&mut tables, folder).at_path(folder)?;
        if found.added == 0 && found.faulty.is_empty() {
            return Err(LoadTablesError::NoTables(folder.display().to_string()).into());
        }
        for table in found.faulty {
            print_message(format_args!("{}: {}", table.path.display(), table.error));
            left_out.0.push(table.path);
        }
    }
    G::add_embedded(&mut tables);
    Ok((tables, left_out))
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
    /// Only these tables, such as KRvKB or 3v2
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
}

impl Selection {
    /// The tables that are meant, few pieces first.
    fn choose<G: TabledGame>(
        &self,
        tables: &G::Tables,
        left_out: &LeftOut,
    ) -> anyhow::Result<Vec<G::Material>> {
        let wanted = materials::<G>(&self.tables)?;
        for material in &wanted {
            if G::statistics(tables, *material).is_none() {
                FaultsFound::fail_if(left_out.has::<G>(*material))?;
                bail!("there is no table {material}");
            }
        }
        if let Some(men) = self.men {
            check_pieces::<G>(men)?;
        }
        let most = self.men.unwrap_or(usize::MAX);
        let mut chosen = G::materials(tables);
        chosen.retain(|it| G::pieces(*it) <= most && (wanted.is_empty() || wanted.contains(it)));
        Ok(chosen)
    }
}
