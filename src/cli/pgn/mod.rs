//! `qirkat pgn`.

mod check_games;
mod filter;
mod game_date;
pub(super) mod game_input;
mod material_left;
mod rejected;
mod stats;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};

use self::game_input::{GameFiles, for_each_game_to_copy};
use super::exit_status::FaultsFound;
use super::files::{AtPath, Overwrite};
use super::terminal::tell;
use super::value_names::named;
use qirkat_game::text::counted;
use qirkat_rules::pgn::{Notation, PgnGame};
use qirkat_rules::variant::AnyMove;

#[derive(Args)]
pub(super) struct PgnOptions {
    #[command(subcommand)]
    task: PgnTask,
}

#[derive(Subcommand)]
enum PgnTask {
    /// Look for illegal moves and wrong results
    ///
    /// The exit status is 1 when a game has a fault, and 2 when a file cannot
    /// be read.
    #[command(after_help = "\
Examples:
  One file, or all of a folder:
    qirkat pgn check games.pgn
    qirkat pgn check *.pgn")]
    Check(CheckOptions),
    /// Write games with their moves in another notation
    ///
    /// `lan` (`e2e4`, `a8a9q`, castling `e1h1`) is for XBoard, which cannot
    /// replay this game's moves in `san` (`e4`, `a9=Q`, `O-O`).
    #[command(after_help = "\
Examples:
  For XBoard:
    qirkat pgn convert games.pgn --output for-xboard.pgn
  For people, from standard input:
    qirkat pgn convert - --notation san < games.pgn")]
    Convert(ConvertOptions),
    /// Print the games that meet all conditions
    ///
    /// Of conditions that may be given again, a game meets one or the other.
    #[command(after_help = "\
Examples:
  Games that Ann won with White:
    qirkat pgn filter games.pgn --white Ann --result 1-0
  Games with an opening, of 2026 and later:
    qirkat pgn filter games.pgn --opening \"e4 e6\" --since 2026
  Games that came to rook and pawn against rook:
    qirkat pgn filter games.pgn --material KRPvKR")]
    Filter(Box<filter::FilterOptions>),
    /// Join files into one
    #[command(after_help = "\
Examples:
  All games of two files:
    qirkat pgn merge one.pgn two.pgn --output all.pgn
  Each game once:
    qirkat pgn merge one.pgn two.pgn --unique --output all.pgn")]
    Merge(MergeOptions),
    /// Count results, players, lengths, terminations and first moves
    #[command(after_help = "\
Examples:
  For people:
    qirkat pgn stats games.pgn
  For programs:
    qirkat pgn stats games.pgn --json")]
    Stats(stats::StatsOptions),
}

#[derive(Args)]
pub(super) struct Files {
    /// PGN files; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(super) struct Output {
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

#[derive(Args)]
struct ConvertOptions {
    #[command(flatten)]
    files: Files,
    /// How moves are written: lan or san
    #[arg(long, value_name = "NOTATION", default_value_t = Notation::Lan, value_parser = notations(), hide_possible_values = true)]
    notation: Notation,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub(super) struct CheckOptions {
    #[command(flatten)]
    files: Files,
}

#[derive(Args)]
struct MergeOptions {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: Output,
    /// Leave out games with the players, start and moves of an earlier one
    #[arg(long)]
    unique: bool,
}

/// Reads the name of a notation.
pub(super) fn notations() -> impl TypedValueParser<Value = Notation> {
    let notation = |text: &str| Notation::parse(text).ok_or("neither lan nor san");
    named(notation, Notation::ALL.map(Notation::name))
}

pub(super) const HELP: &str = "\
Examples:
  Look for faults:
    qirkat pgn check games.pgn
  Won games of a player, into a file:
    qirkat pgn filter games.pgn --white Ann --result 1-0 -o won.pgn
  Results, lengths and first moves:
    qirkat pgn stats games.pgn";

/// Works on PGN files.
pub(super) fn run(options: &PgnOptions) -> anyhow::Result<()> {
    let faults = match &options.task {
        PgnTask::Check(options) => check_games::run(options)?,
        PgnTask::Convert(options) => {
            copy_games(&options.files, &options.output, None, |_| Some(options.notation))?
        }
        PgnTask::Filter(options) => filter::run(options)?,
        PgnTask::Merge(options) => merge(options)?,
        PgnTask::Stats(options) => stats::run(options)?,
    };
    FaultsFound::fail_if(faults > 0)
}

impl Output {
    /// Lets `write` write games to the file, or to standard output without
    /// one.
    pub fn write<T>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(path) = &self.output else {
            let mut out = BufWriter::new(stdout().lock());
            let done = write(&mut out)?;
            out.flush()?;
            return Ok(done);
        };
        let mut file = self.overwrite.begin(path, "")?;
        let done = write(&mut file.content)?;
        file.finish().at_path(path)?;
        Ok(done)
    }

    /// Says what has been done, unless that would stand among the games.
    pub fn report(&self, text: &str) {
        if self.output.is_some() {
            tell(text);
        }
    }
}

/// Writes games again, each in the notation that `choose` gives, or leaves it out; gives back
/// the number of faulty ones, which are kept apart. `left_out` is the word for the others, if
/// they are counted.
fn copy_games(
    files: &Files,
    output: &Output,
    left_out: Option<&str>,
    mut choose: impl FnMut(&PgnGame) -> Option<Notation>,
) -> anyhow::Result<u64> {
    let (mut written, mut others) = (0, 0);
    let counts = output.write(|out| {
        let games = GameFiles::all(&files.paths);
        for_each_game_to_copy(&games, output.output.as_deref(), |_, read| {
            let Some(notation) = choose(&read.game) else {
                others += 1;
                return Ok(false);
            };
            read.game.write_to(out, notation)?;
            written += 1;
            Ok(true)
        })
        .and_then(|counts| match counts.faulty {
            // An old file is worth more than one without a game.
            faulty if faulty == counts.all => Err(FaultsFound.into()),
            _ => Ok(counts),
        })
    })?;
    let others = left_out.map(|word| format!(", {others} left out as {word}"));
    output.report(&format!("{} written{}", counted(written, "game"), others.unwrap_or_default()));
    Ok(counts.faulty)
}

/// Writes all games into one file, or each but once.
fn merge(options: &MergeOptions) -> anyhow::Result<u64> {
    let mut known = HashSet::new();
    let left_out = options.unique.then_some("repeated");
    copy_games(&options.files, &options.output, left_out, |game| {
        let is_new = !options.unique || known.insert(fingerprint(&identity(game)));
        is_new.then_some(Notation::San)
    })
}

/// A name by which a player is known: upper and lower case are the same.
pub(super) fn known_as(name: &str) -> String {
    name.trim().to_lowercase()
}

/// The identity of a game: players, start and moves.
fn identity(game: &PgnGame) -> impl Hash {
    let moves: Vec<AnyMove> = game.moves.iter().map(|played| played.mv).collect();
    let player = |tag| game.tag(tag).map(known_as);
    (player("White"), player("Black"), game.start.fen(), moves)
}

/// 128 bits of what makes a game: small enough to keep for millions of games, and large
/// enough that no two of them meet by chance.
pub(super) fn fingerprint(identity: &impl Hash) -> [u64; 2] {
    [0_u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, identity).hash(&mut hasher);
        hasher.finish()
    })
}
