//! `qirkat pgn`: checks, converts, filters, merges and counts games.

mod filter;
mod stats;

use std::collections::HashSet;
use std::hash::Hash;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::shared::exit_status::FaultsFound;
use crate::shared::files::{AtPath, Overwrite};
use crate::shared::games::{Found, GameFiles, fingerprint, for_each_game_to_copy, notations};
use crate::shared::terminal::report;
use qirkat_game::text::counted;
use qirkat_rules::pgn::{GameResult, MoveNumber, Notation, PgnGame, PgnMove, ReadGame, Unread};
use qirkat_rules::variant::{AnyGame, AnyMove};

#[derive(Subcommand)]
pub(crate) enum PgnTask {
    /// Look for illegal moves and wrong results
    ///
    /// The exit status is 1 when a game has a fault, and 2 when a file cannot
    /// be read.
    #[command(after_help = "\
Examples:
  One file, or all of a folder:
    qirkat pgn check games.pgn
    qirkat pgn check *.pgn")]
    Check(Files),
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
pub(crate) struct Files {
    /// PGN files; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Output {
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

#[derive(Args)]
pub(crate) struct ConvertOptions {
    #[command(flatten)]
    files: Files,
    /// How moves are written: lan or san
    #[arg(long, value_name = "NOTATION", default_value_t = Notation::Lan, value_parser = notations(), hide_possible_values = true)]
    notation: Notation,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub(crate) struct MergeOptions {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: Output,
    /// Leave out games with the players, start and moves of an earlier one
    #[arg(long)]
    unique: bool,
}

pub(crate) const HELP: &str = "\
Examples:
  Look for faults:
    qirkat pgn check games.pgn
  Won games of a player, into a file:
    qirkat pgn filter games.pgn --white Ann --result 1-0 -o won.pgn
  Results, lengths and first moves:
    qirkat pgn stats games.pgn";

pub(crate) fn run(task: &PgnTask) -> anyhow::Result<()> {
    let faults = match task {
        PgnTask::Check(files) => check(files)?,
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
    /// Calls `write` with the output file, or standard output.
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

    /// Reports what was done, unless games go to standard output.
    pub fn report(&self, text: &str) {
        if self.output.is_some() {
            report(text);
        }
    }
}

/// Copies games, each in the notation that `choose` returns, or skips it. Returns the number of
/// faulty games, which are kept separately. `left_out` is the word for skipped games, if they are
/// counted.
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
            // Keep the old file rather than replace it by one without games.
            faulty if faulty == counts.all => Err(FaultsFound.into()),
            _ => Ok(counts),
        })
    })?;
    let others = left_out.map(|word| format!(", {others} left out as {word}"));
    output.report(&format!("{} written{}", counted(written, "game"), others.unwrap_or_default()));
    Ok(counts.faulty)
}

fn merge(options: &MergeOptions) -> anyhow::Result<u64> {
    let mut known = HashSet::new();
    let left_out = options.unique.then_some("repeated");
    copy_games(&options.files, &options.output, left_out, |game| {
        let is_new = !options.unique || known.insert(fingerprint(&identity(game)));
        is_new.then_some(Notation::San)
    })
}

pub(crate) fn known_as(name: &str) -> String {
    name.trim().to_lowercase()
}

fn identity(game: &PgnGame) -> impl Hash {
    let moves: Vec<AnyMove> = game.moves.iter().map(|played| played.mv).collect();
    let player = |tag| game.tag(tag).map(known_as);
    (player("White"), player("Black"), game.start.fen(), moves)
}

/// The line and error of a fault in a legal game.
type Fault = (u64, String);

fn check(files: &Files) -> anyhow::Result<u64> {
    let mut out = BufWriter::new(stdout().lock());
    let files = GameFiles::all(&files.paths);
    let mut faults = 0;
    let counts = files.for_each(None, |name, found, bar| {
        let lines: Vec<String> = match found {
            Found::Fault(line) => vec![line],
            Found::Game(_, read) => {
                let told = faults_of(&read);
                faults += told.len() as u64;
                let told = told.into_iter();
                told.map(|(line, text)| format!("game {}, line {line}: {text}", read.number))
                    .collect()
            }
        };
        bar.suspend(|| lines.iter().try_for_each(|line| writeln!(out, "{name}: {line}")))?;
        Ok(())
    })?;
    let faults = faults + counts.faulty;
    writeln!(out, "{}, {}", counted(counts.all, "game"), counted(faults, "fault"))?;
    out.flush()?;
    Ok(faults)
}

fn faults_of(read: &ReadGame) -> Vec<Fault> {
    let of_unread = |unread: &Unread| (unread.line, format!("{}{}", unread.place(), unread.fault));
    let mut faults: Vec<Fault> = read.unread.iter().map(of_unread).collect();
    faults.extend(null_move_fault(read));
    faults.extend(result_tag_fault(read));
    faults.extend(ending_fault(read));
    faults
}

/// A game with a null move continues in a variation that begins with its last move.
fn null_move_fault(read: &ReadGame) -> Option<Fault> {
    let (last, &line) = read.game.moves.last().zip(read.move_lines.last())?;
    let goes_on = |line: &Vec<PgnMove>| matches!(&line[..], [first, null, ..] if first.mv == last.mv && null.mv.is_null());
    let number = last
        .variations
        .iter()
        .any(goes_on)
        .then(|| MoveNumber::of(read.game.final_game().position()))?;
    let text = format!("move {number} --: a null move, so the rest is a variation");
    Some((line, text))
}

/// The result is written twice, and both should agree.
fn result_tag_fault(read: &ReadGame) -> Option<Fault> {
    let text = match (read.game.tag("Result"), read.written_result) {
        (_, None) => "no result behind the moves".to_owned(),
        (Some(tag), Some(result)) if GameResult::parse(tag) != Some(result) => {
            format!("Result tag `{tag}`, but {result} behind the moves")
        }
        _ => return None,
    };
    Some((read.last_line, text))
}

/// A result that contradicts the board, or moves after the end.
fn ending_fault(read: &ReadGame) -> Option<Fault> {
    let mut game = AnyGame::from_position(read.game.start);
    for (played, &line) in read.game.moves.iter().zip(&read.move_lines) {
        if let Some(outcome) = game.outcome() {
            let number = MoveNumber::of(game.position());
            let san = game.position().san(played.mv);
            let text = format!("move {number} {san}: the game had ended, {outcome}");
            return Some((line, text));
        }
        game.play(played.mv);
    }
    let outcome = game.outcome()?;
    if read.game.result == GameResult::from(outcome) {
        return None;
    }
    let text = format!("result {}, but {outcome}", read.game.result);
    Some((read.last_line, text))
}
