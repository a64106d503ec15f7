//! `qirkat tables`: generates, verifies and probes endgame tables.

mod stats;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::shared::exit_status::{FaultsFound, Interrupted, interrupt_flag, set_interrupt_message};
use crate::shared::files::AtPath;
use crate::shared::options::{self, GameChoice, Threads};
use crate::shared::terminal::{self, print_message, report};
use qirkat_analysis::position_data::TableData;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_rules::{alquerque, chesquerque, masonic};
use qirkat_system::machine::{megabytes_of_memory, thread_pool};
use qirkat_tablebase::alquerque::MAX_TABLE_MEN;
use qirkat_tablebase::load_tables::LoadTablesError;
use qirkat_tablebase::{
    BuildStep, BuildableGame, Checked, Checker, Probe, SurveyedGame, TableForm, TableValue, Tables,
    Unknown,
};

#[derive(Subcommand)]
#[command(defer = true)]
pub(crate) enum TablesTask {
    /// Make all tables up to a number of pieces
    ///
    /// Only complete tables are kept. To resume an interrupted build, give the same
    /// command again.
    #[command(after_help = "\
Examples:
  All of four pieces:
    qirkat tables build --men 4 --output tables
  One of Masonic chess, with those that it needs:
    qirkat tables build --game masonic --output tables KQvKR
  Who wins one of five pieces, for the search:
    qirkat tables build --wdl --output tables KRBvKR
  All of Alquerque with up to six men:
    qirkat tables build --game alquerque --men 6 --output tables")]
    Build(BuildOptions),
    /// Check every entry of tables against its successors
    #[command(after_help = "\
Examples:
  Those in the program:
    qirkat tables check
  One of a folder:
    qirkat tables check --path tables KQvKR")]
    Check(CheckOptions),
    /// Look a position up: its result, distances in plies, and all its moves, best first
    ///
    /// DTM is the distance to mate as if there were no 100-ply rule, DTZ the distance to
    /// the next capture, pawn move or mate. Results respect the halfmove clock: win,
    /// cursed-win (the 100-ply rule saves the other side), draw, blessed-loss, loss. The
    /// result of a move is for the side that makes it, and its distances include the move.
    /// Alquerque has one distance, `dtm` in JSON: the plies to the end of the game, of a
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
    Probe(ProbeOptions),
    /// Show statistics of tables: results, longest mates, mutual zugzwangs
    #[command(after_help = "\
Examples:
  Those in the program:
    qirkat tables stats
  Two of a folder, a line of JSON for each:
    qirkat tables stats --path tables KQvKR KRvKB --json")]
    Stats(stats::StatsOptions),
    /// Compute statistics of tables without keeping the tables: of Chesquerque and Alquerque
    ///
    /// This takes a few minutes at most for a table of Chesquerque with five pieces and no
    /// pawns. With pawns it takes longer, and counts results and DTZ, without distances to
    /// mate. The output file gets a line for each table, as `tables stats --json` prints it.
    /// To resume an interrupted survey, give the same command again.
    #[command(after_help = "\
Examples:
  One table of five pieces:
    qirkat tables survey --output survey.jsonl KRBvKN
  All, those without pawns first; the same command resumes it:
    qirkat tables survey --output survey.jsonl
  All of Alquerque with seven men:
    qirkat tables survey --game alquerque --men 7 --output men.jsonl")]
    Survey(stats::SurveyArguments),
}

pub(crate) const HELP: &str = "\
Examples:
  Tables of four pieces, in a folder:
    qirkat tables build --men 4 --output tables
  Probe a position in them:
    qirkat tables probe --path tables \\
        --fen '4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1'
  Statistics of the tables in the program:
    qirkat tables stats";

pub(crate) fn run(task: &TablesTask) -> anyhow::Result<()> {
    match task.variant() {
        Variant::Chesquerque => task.run_or_survey::<chesquerque::Position>(),
        Variant::Masonic => task.run::<masonic::Position>(),
        Variant::Alquerque => task.run_or_survey::<alquerque::Position>(),
    }
}

impl TablesTask {
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
            TablesTask::Survey(options) => stats::run_survey::<G>(options),
            other => other.run::<G>(),
        }
    }

    fn run<G: BuildableGame>(&self) -> anyhow::Result<()> {
        match self {
            TablesTask::Build(options) => build::<G>(options),
            TablesTask::Check(options) => check::<G>(options),
            TablesTask::Probe(options) => probe::<G>(options),
            TablesTask::Stats(options) => stats::run::<G>(options),
            TablesTask::Survey(_) => bail!("there is no survey of {}", G::VARIANT.title()),
        }
    }
}

/// The materials with these names, with White as the stronger side.
fn materials<G: BuildableGame>(names: &[String]) -> anyhow::Result<Vec<G::Material>> {
    let material = |name: &String| Ok(G::canonical(name.parse::<G::Material>()?));
    names.iter().map(material).collect()
}

/// Parses a number of pieces within the widest bounds of any game; [`check_pieces`] has each one's.
fn parse_pieces() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(2..=MAX_TABLE_MEN as u64)
}

fn check_pieces<G: BuildableGame>(pieces: usize) -> anyhow::Result<()> {
    let (least, most) = (G::PIECES.start(), G::PIECES.end());
    if !G::PIECES.contains(&pieces) {
        bail!("--men: {least} to {most} in tables of {}, not {pieces}", G::VARIANT.title());
    }
    Ok(())
}

/// Whether this table's file is one of the skipped ones, whose damage was reported.
fn is_skipped<G: BuildableGame>(skipped: &[PathBuf], material: G::Material) -> bool {
    let name = format!("{material}.");
    let is_its = |path: &PathBuf| path.file_name()?.to_str().map(|file| file.starts_with(&name));
    skipped.iter().any(|path| is_its(path) == Some(true))
}

/// Adds the tables of a folder, and then the built-in ones, to `tables`: of two tables of the same
/// material, the first is used. Returns damaged files too, which are reported and skipped.
fn open<G: BuildableGame>(
    mut tables: Tables<G>,
    folder: Option<&Path>,
) -> anyhow::Result<(Tables<G>, Vec<PathBuf>)> {
    let mut skipped = Vec::new();
    if let Some(folder) = folder {
        let found = tables.add_folder(folder).at_path(folder)?;
        if found.added == 0 && found.faulty.is_empty() {
            return Err(LoadTablesError::NoTables(folder.display().to_string()).into());
        }
        for table in found.faulty {
            print_message(format_args!("{}: {}", table.path.display(), table.error));
            skipped.push(table.path);
        }
    }
    tables.add_embedded();
    Ok((tables, skipped))
}

// Selects among the tables of a folder and the program.
#[derive(Args)]
pub(crate) struct Selection {
    #[command(flatten)]
    game: GameChoice,
    /// Only tables with up to so many pieces
    #[arg(long, value_name = "N", value_parser = parse_pieces())]
    men: Option<usize>,
    /// A folder of tables made by `qirkat tables build`
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    path: Option<PathBuf>,
    /// Only these tables, such as KRvKB or 3v2
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
}

impl Selection {
    fn choose<G: BuildableGame>(
        &self,
        tables: &Tables<G>,
        skipped: &[PathBuf],
    ) -> anyhow::Result<Vec<G::Material>> {
        let wanted = materials::<G>(&self.tables)?;
        for material in &wanted {
            if tables.statistics(*material).is_none() {
                FaultsFound::fail_if(is_skipped::<G>(skipped, *material))?;
                bail!("there is no table {material}");
            }
        }
        if let Some(men) = self.men {
            check_pieces::<G>(men)?;
        }
        let most = self.men.unwrap_or(usize::MAX);
        let mut chosen: Vec<G::Material> = tables.materials().collect();
        chosen.retain(|it| G::pieces(*it) <= most && (wanted.is_empty() || wanted.contains(it)));
        Ok(chosen)
    }
}

#[derive(Args)]
pub(crate) struct BuildOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The most pieces, kings included; of Alquerque the most men; needed unless tables are named
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "tables",
        value_parser = parse_pieces()
    )]
    men: Option<usize>,
    /// Only results, without distances: win, draw or loss under the 100-ply rule, in fewer bytes;
    /// not of Alquerque
    #[arg(long)]
    wdl: bool,
    /// Output folder; tables that it already has are not built again
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// Only tables without pawns
    #[arg(long)]
    pawnless: bool,
    /// Only these tables, such as KRvKB or 3v2, and those that they need
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    #[command(flatten)]
    threads: Threads,
    /// Memory for tables in megabytes; three quarters of the machine's when not given
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
}

fn build<G: BuildableGame>(options: &BuildOptions) -> anyhow::Result<()> {
    let wanted = materials::<G>(&options.tables)?;
    let largest = wanted.iter().map(|it| G::pieces(*it)).max();
    let men = options.men.or(largest).unwrap_or_default();
    check_pieces::<G>(men)?;
    if let Some(large) = wanted.iter().find(|it| G::pieces(**it) > men) {
        bail!("{large} has more than {men} pieces: see --men");
    }
    if options.wdl && G::VARIANT == Variant::Alquerque {
        bail!("--wdl: tables of Alquerque always have distances");
    }
    let mut materials: Vec<G::Material> =
        (*G::PIECES.start()..=men).flat_map(G::materials_of).collect();
    materials.retain(|it| wanted.is_empty() || wanted.contains(it));
    materials.retain(|it| !(options.pawnless && G::has_pawns(*it)));
    let memory = options.memory.unwrap_or(megabytes_of_memory() as u64 * 3 / 4);
    let build = qirkat_tablebase::BuildOptions {
        materials,
        form: if options.wdl { TableForm::Wdl } else { TableForm::Distances },
        folder: options.output.clone(),
        threads: options.threads.count(),
        memory: memory << 20,
    };
    // A table gets its final name only when it is complete, so the build may end at any time.
    set_interrupt_message("stopped; the same command continues from here");
    let bar = terminal::spinner("{bar:30} {percent} %, {per_sec}, {eta} left");
    let start = Instant::now();
    let result = G::build(&build, &AtomicBool::new(false), &|step| match step {
        BuildStep::Total(cells) => bar.set_length(cells),
        BuildStep::Cells(cells) => bar.inc(cells),
        BuildStep::Written { material, bytes } => bar.suspend(|| {
            let seconds = start.elapsed().as_secs_f64();
            report(format_args!("{material:10} {bytes:>10} bytes  {seconds:>8.1} s"));
        }),
    });
    let positions = bar.position();
    bar.finish_and_clear();
    result?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = positions as f64 / seconds.max(1e-3) / 1e6;
    report(format_args!(
        "{positions} {} in {seconds:.1} s, {rate:.2} M/s by {} threads",
        G::COUNTED,
        build.threads
    ));
    Ok(())
}

#[derive(Args)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    threads: Threads,
}

fn check<G: BuildableGame>(options: &CheckOptions) -> anyhow::Result<()> {
    let (tables, skipped) = open::<G>(Tables::default(), options.selection.path.as_deref())?;
    let chosen = options.selection.choose::<G>(&tables, &skipped)?;
    let stop = interrupt_flag();
    let threads = options.threads.count();
    let pool = thread_pool(threads)?;
    let bar = terminal::spinner("{human_pos} positions, {per_sec}, {elapsed}");
    let mut checker = Checker::new(&tables, &stop);
    let mut is_faulty = !skipped.is_empty();
    for (at, &material) in chosen.iter().enumerate() {
        let count = |entries| bar.inc(entries);
        let checked = pool.install(|| checker.check(&chosen[at..], &count));
        let line = match &checked {
            Ok(None) if stop.load(Ordering::Relaxed) => {
                bar.finish_and_clear();
                return Err(Interrupted(format!("stopped before the end of {material}")).into());
            }
            Ok(None) => {
                is_faulty = true;
                format!("{material}: a table that it needs is missing")
            }
            Ok(Some(checked)) => {
                is_faulty |= !is_clean(checked);
                describe::<G>(material, checked)
            }
            Err(error) => {
                is_faulty = true;
                format!("{material}: {error}")
            }
        };
        bar.suspend(|| writeln!(stdout(), "{line}"))?;
    }
    bar.finish_and_clear();
    FaultsFound::fail_if(is_faulty)
}

fn is_clean<G>(checked: &Checked<G>) -> bool {
    checked.wrong.is_empty() && checked.has_right_statistics
}

fn describe<G: BuildableGame>(material: G::Material, checked: &Checked<G>) -> String {
    let mut text = format!("{material}: {} entries", checked.entries);
    if is_clean(checked) {
        text.push_str(", all right");
    }
    for &position in &checked.wrong {
        let position: AnyPosition = position.into();
        text.push_str(&format!("\n    wrong: {position}"));
    }
    if !checked.has_right_statistics {
        text.push_str("\n    its statistics are wrong");
    }
    text
}

#[derive(Args)]
pub(crate) struct ProbeOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The position
    #[arg(long, value_name = "FEN")]
    fen: String,
    /// A folder of tables; those with three pieces, or four men, are in the program
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    path: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

fn probe<G: BuildableGame>(options: &ProbeOptions) -> anyhow::Result<()> {
    let any = options::position(G::VARIANT, &options.fen)?;
    let Some(position) = G::own_position(&any) else { bail!("--fen: another game") };
    // The built-in tables are known to be correct.
    let mut embedded = Tables::<G>::default();
    embedded.add_embedded();
    let (tables, skipped) = open(embedded, options.path.as_deref())?;
    let Some(probe) = tables.probe(position)? else {
        let unknown = G::why_unknown(&tables, position);
        if let Unknown::NoTable(material) = unknown {
            FaultsFound::fail_if(is_skipped::<G>(&skipped, material))?;
        }
        bail!("{}", why_unknown::<G>(unknown));
    };
    let text = if options.json {
        serde_json::to_string(&TableData::of_probe(&any, &probe))?
    } else {
        probe_text(&any, &probe)
    };
    writeln!(stdout(), "{text}")?;
    Ok(())
}

fn why_unknown<G: BuildableGame>(unknown: Unknown<G::Material>) -> String {
    match unknown {
        Unknown::Castling => "tables know no castling".to_owned(),
        Unknown::TooMany(pieces) => {
            format!("{pieces} pieces, where tables have {} at most", G::PIECES.end())
        }
        Unknown::NoTable(material) => {
            let game = match G::VARIANT {
                Variant::Chesquerque => String::new(),
                variant => format!(" --game {variant}"),
            };
            let pieces = G::pieces(material);
            format!(
                "no table for {material} and its successors: `qirkat tables build{game} --men {pieces} --output DIR` makes it, --path DIR finds it"
            )
        }
        Unknown::Clock => "too close to 100 plies for a certain result".to_owned(),
    }
}

fn probe_text<G: BuildableGame>(position: &AnyPosition, probe: &Probe<G>) -> String {
    let mut lines = vec![format!("{position}"), line::<G>("", probe.value)];
    if let Some(outcome) = AnyGame::from_position(*position).outcome() {
        lines.push(format!("The game is over: {outcome}."));
    }
    if probe.moves.is_empty() && probe.unknown.is_empty() {
        return lines.join("\n");
    }
    lines.push(String::new());
    let distances: String = G::DISTANCES.iter().map(|name| format!(" {name:>5}")).collect();
    lines.push(format!("{:10} {:12}{distances}", "Move", "Result"));
    let san = |mv: G::Move| position.san(mv.into());
    lines.extend(probe.moves.iter().map(|ranked| line::<G>(&san(ranked.mv), ranked.value)));
    lines.extend(probe.unknown.iter().map(|&mv| format!("{:10} unknown", san(mv))));
    lines.join("\n")
}

fn line<G: BuildableGame>(name: &str, value: TableValue) -> String {
    let plies =
        |plies: Option<u16>| plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
    let distances = [value.dtm, value.dtz].into_iter().take(G::DISTANCES.len());
    let distances: String = distances.map(|it| format!(" {:>5}", plies(it))).collect();
    format!("{name:10} {:12}{distances}", value.result)
}
