//! `qirkat pgn`.

mod check_games;
mod filter;
mod game_date;
pub(super) mod game_input;
mod material_left;
mod merge;
mod rejected;
mod stats;

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use thiserror::Error;

use self::filter::OpeningMoves;
use self::game_date::GameDate;
use self::game_input::{GameFiles, for_each_game_to_copy};
use self::material_left::MaterialLeft;
use super::output_path::Overwrite;
use qirkat_game::text::counted;
use qirkat_notation::pgn::{GameResult, Notation};
use qirkat_rules::variant::{AnyPosition, Variant};

#[derive(Args)]
pub(crate) struct PgnOptions {
    #[command(subcommand)]
    pub(super) task: PgnTask,
}

#[derive(Subcommand)]
pub(super) enum PgnTask {
    /// Look for illegal moves and wrong results
    ///
    /// The exit status is 1 when a game has a fault, and 2 when a file cannot
    /// be read.
    Check(CheckOptions),
    /// Write games with their moves in another notation
    ///
    /// `lan` (`e2e4`, `a8a9q`, castling `e1h1`) is for XBoard, which cannot
    /// replay this game's moves in `san` (`e4`, `a9=Q`, `O-O`).
    Convert(ConvertOptions),
    /// Print the games that meet all conditions
    ///
    /// Of conditions that may be given again, a game meets one or the other.
    Filter(Box<FilterOptions>),
    /// Join files into one
    Merge(MergeOptions),
    /// Count results, players, lengths, terminations and first moves
    Stats(StatsOptions),
}

#[derive(Args)]
pub(super) struct Files {
    /// PGN files; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    pub paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(super) struct Output {
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
}

#[derive(Args)]
pub(super) struct ConvertOptions {
    #[command(flatten)]
    pub files: Files,
    /// How moves are written: lan or san
    #[arg(long, value_name = "NOTATION", default_value_t = Notation::Lan, value_parser = notation)]
    pub notation: Notation,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Args)]
pub(super) struct CheckOptions {
    #[command(flatten)]
    pub files: Files,
}

#[derive(Args)]
pub(super) struct FilterOptions {
    #[command(flatten)]
    pub files: Files,
    /// Games of this player, named in full, upper and lower case alike
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Games where this player has White
    #[arg(long, value_name = "NAME")]
    pub white: Option<String>,
    /// Games where this player has Black
    #[arg(long, value_name = "NAME")]
    pub black: Option<String>,
    /// Games with this result: 1-0, 0-1, 1/2-1/2 or *; may be given again
    #[arg(long, value_name = "RESULT", value_parser = result, allow_hyphen_values = true)]
    pub result: Vec<GameResult>,
    /// Games of at least this length
    #[arg(long, value_name = "PLIES")]
    pub min_plies: Option<usize>,
    /// Games of at most this length
    #[arg(long, value_name = "PLIES")]
    pub max_plies: Option<usize>,
    /// Games with this text in their Termination tag
    #[arg(long, value_name = "TEXT")]
    pub termination: Option<String>,
    /// Games with this text in their Event tag
    #[arg(long, value_name = "TEXT")]
    pub event: Option<String>,
    /// Games of this day, month or year and later: 2026.05.31, 2026.05 or 2026
    #[arg(long, value_name = "DATE")]
    pub since: Option<GameDate>,
    /// Games of this day, month or year and earlier
    #[arg(long, value_name = "DATE")]
    pub until: Option<GameDate>,
    /// Games whose players both have at least this rating
    #[arg(long, value_name = "ELO")]
    pub min_elo: Option<u32>,
    /// Games whose players both have at most this rating
    #[arg(long, value_name = "ELO")]
    pub max_elo: Option<u32>,
    /// Games that begin with these moves from the usual start, such as "e4 e6" or
    /// "e2e4 e8e6"; may be given again
    #[arg(long, value_name = "MOVES")]
    pub opening: Vec<OpeningMoves>,
    /// Games that start from this position, clocks aside; may be given again
    #[arg(long, value_name = "FEN", value_parser = position)]
    pub from: Vec<AnyPosition>,
    /// Games in which this board is reached with this side to move; may be given again
    #[arg(long, value_name = "FEN", value_parser = position)]
    pub position: Vec<AnyPosition>,
    /// Games in which this material is left, with either colour: KRPvKR; may be given again
    #[arg(long, value_name = "MATERIAL")]
    pub material: Vec<MaterialLeft>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Args)]
pub(super) struct MergeOptions {
    #[command(flatten)]
    pub files: Files,
    #[command(flatten)]
    pub output: Output,
    /// Leave out games with the players, start and moves of an earlier one
    #[arg(long)]
    pub unique: bool,
}

#[derive(Args)]
pub(super) struct StatsOptions {
    #[command(flatten)]
    pub files: Files,
    /// Print a JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

fn result(text: &str) -> Result<GameResult, String> {
    GameResult::parse(text).ok_or_else(|| "neither 1-0, 0-1, 1/2-1/2 nor *".to_owned())
}

fn notation(text: &str) -> Result<Notation, String> {
    Notation::parse(text).ok_or_else(|| "neither lan nor san".to_owned())
}

fn position(text: &str) -> Result<AnyPosition, String> {
    // Whose board it is shows in its form: each game's has a size of its own.
    let read = |variant: Variant| variant.read_fen(text).map(|parsed| parsed.position);
    if text == "startpos" {
        return Ok(Variant::default().start());
    }
    let first = read(Variant::Chesquerque);
    let others = || Variant::ALL.into_iter().find_map(|variant| read(variant).ok());
    first.or_else(|error| others().ok_or(error)).map_err(|error| error.to_string())
}

/// Some games were faulty. They have been told about already; what is left
/// to do is to end with another exit status.
#[derive(Clone, Copy, Debug, Error)]
#[error("some games are faulty")]
pub(crate) struct FaultyGames;

/// Works on PGN files.
pub(crate) fn run(options: &PgnOptions) -> anyhow::Result<()> {
    let faults = match &options.task {
        PgnTask::Check(options) => check_games::run(options)?,
        PgnTask::Convert(options) => convert(options)?,
        PgnTask::Filter(options) => filter::run(options)?,
        PgnTask::Merge(options) => merge::run(options)?,
        PgnTask::Stats(options) => stats::run(options)?,
    };
    if faults > 0 { Err(FaultyGames.into()) } else { Ok(()) }
}

/// Writes all games in the notation that is wanted; gives back the number of
/// faulty ones, which are kept apart.
fn convert(options: &ConvertOptions) -> anyhow::Result<u64> {
    let mut written = 0;
    let files = GameFiles::all(&options.files.paths);
    let counts = options.output.write(&options.files.paths, |out| {
        for_each_game_to_copy(&files, options.output.output.as_deref(), |_, read| {
            read.game.write_to(out, options.notation)?;
            written += 1;
            Ok(true)
        })
    })?;
    options.output.report(&format!("{} written", counted(written, "game")))?;
    Ok(counts.faulty)
}

impl Output {
    /// Lets `write` write games to the file, or to standard output without
    /// one.
    ///
    /// # Errors
    /// When the file cannot be written, is one of the `inputs`, or may not be replaced, or
    /// when `write` fails.
    pub fn write<T>(
        &self,
        inputs: &[PathBuf],
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(path) = &self.output else {
            let mut out = BufWriter::new(stdout().lock());
            let done = write(&mut out)?;
            out.flush()?;
            return Ok(done);
        };
        let mut file = self.overwrite.begin(path, inputs, "")?;
        let done = write(&mut file.content)?;
        file.finish().with_context(|| path.display().to_string())?;
        Ok(done)
    }

    /// Says what has been done, unless that would stand among the games.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn report(&self, text: &str) -> anyhow::Result<()> {
        if self.output.is_some() {
            writeln!(stdout(), "{text}")?;
        }
        Ok(())
    }
}
