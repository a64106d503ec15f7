//! `qirkat pgn`: checks, converts, filters, merges, sorts, splits, rates and counts games.

mod drop;
mod epd;
mod filter;
mod ratings;
mod sort;
mod split;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::io::{self, BufWriter, Write, stdout};
use std::iter::once;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, Subcommand};
use serde::Serialize;

use self::drop::DropOptions;
use crate::shared::exit_status::FaultsFound;
use crate::shared::files::{AtPath, Overwrite};
use crate::shared::games::{
    Found, fingerprint, for_each_game, for_each_game_to_copy, for_each_sound_game, notations,
};
use crate::shared::standings_text::aligned;
use crate::shared::terminal::report;
use qirkat_arena::statistics::{GameCounts, GameScore};
use qirkat_game::text::{counted, one_line};
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{GameResult, MoveNumber, Notation, PgnGame, PgnMove, ReadGame, UnreadPart};
use qirkat_rules::variant::{AnyGame, AnyMove};
use qirkat_system::compression::write_compressed;

#[derive(Subcommand)]
#[command(defer = true)]
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
    /// Print positions of games, one a line in EPD
    ///
    /// Those of the main line, from the start on, with comments in `c0`.
    #[command(after_help = "\
Examples:
  How each game ended:
    qirkat pgn epd games.pgn --last
  What is commented on, to be searched:
    qirkat pgn epd games.pgn --commented --output positions.epd")]
    Epd(epd::EpdOptions),
    /// Print the games that meet all conditions
    ///
    /// Where a condition is given several times, a game need only meet one of them.
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
    qirkat pgn merge one.pgn two.pgn --unique --output all.pgn
  The moves alone, each line of play once:
    qirkat pgn merge all.pgn --unique-moves --drop comments,variations,nags")]
    Merge(MergeOptions),
    /// Rate the players by their games
    ///
    /// Ratings are relative to their average, or to `--anchor`, with the error
    /// of 95 %. LOS is the likelihood of being stronger than the next. Games
    /// that `qirkat match` played in pairs are counted in pairs.
    #[command(after_help = "\
Examples:
  All who play in a file, and who beat whom:
    qirkat pgn ratings games.pgn --cross-table
  Where one rating is known:
    qirkat pgn ratings *.pgn --anchor Ann=1500")]
    Ratings(ratings::RatingOptions),
    /// Sort games by a tag
    ///
    /// Numbers are compared as numbers, so round 10 comes after round 9. Games
    /// without the tag come last. Those that are equal stay in their order.
    #[command(after_help = "\
Examples:
  By day:
    qirkat pgn sort games.pgn --by Date --output by-day.pgn
  The strongest first:
    qirkat pgn sort games.pgn --by WhiteElo --reverse")]
    Sort(sort::SortOptions),
    /// Split games into several files
    #[command(after_help = "\
Examples:
  Into part-1.pgn, part-2.pgn and so on:
    qirkat pgn split games.pgn --games 1000 --output part.pgn
  A file for each player, such as by-ann.pgn.gz:
    qirkat pgn split games.pgn --by-player --output by.pgn.gz")]
    Split(split::SplitOptions),
    /// Count results, players, lengths, terminations and first moves
    #[command(after_help = "\
Examples:
  For people:
    qirkat pgn stats games.pgn
  For programs:
    qirkat pgn stats games.pgn --json")]
    Stats(StatsOptions),
}

#[derive(Args)]
pub(crate) struct Files {
    /// PGN files, also compressed with gzip or zstd; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Output {
    /// Write to this file; .gz or .zst at its end compresses it
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
    drop: DropOptions,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub(crate) struct MergeOptions {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    drop: DropOptions,
    #[command(flatten)]
    output: Output,
    /// Leave out games with the players, start and moves of an earlier one
    #[arg(long)]
    unique: bool,
    /// Leave out games with the start and moves of an earlier one, whoever played
    #[arg(long)]
    unique_moves: bool,
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
            let ConvertOptions { files, drop, output, .. } = options;
            copy_games(files, drop, output, None, |_| Some(options.notation))?
        }
        PgnTask::Epd(options) => epd::run(options)?,
        PgnTask::Filter(options) => filter::run(options)?,
        PgnTask::Merge(options) => merge(options)?,
        PgnTask::Ratings(options) => ratings::run(options)?,
        PgnTask::Sort(options) => sort::run(options)?,
        PgnTask::Split(options) => split::run(options)?,
        PgnTask::Stats(options) => count(options)?,
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
        let written = write_compressed(path, &mut file.content, write);
        // Errors of the games that are read name their files.
        let done = written.map_err(|error| match error.chain().next() {
            Some(first) if first.is::<io::Error>() => error.context(path.display().to_string()),
            _ => error,
        })?;
        file.finish().at_path(path)?;
        Ok(done)
    }

    /// Reports what was written, unless it went to standard output.
    fn report(&self, text: fmt::Arguments<'_>) {
        if self.output.is_some() {
            report(text);
        }
    }
}

/// Calls `on_game` with each sound game; it returns whether it wrote the game. Faulty games are saved
/// beside `output`; returns their number. Fails if no game is sound, so that the old output stays.
fn read_games(
    files: &Files,
    output: Option<&Path>,
    mut on_game: impl FnMut(&PgnGame) -> anyhow::Result<bool>,
) -> anyhow::Result<u64> {
    let read = |_, read: &ReadGame| on_game(&read.game);
    let counts = for_each_game_to_copy(&files.paths, None, output, read)?;
    match counts.faulty {
        faulty if faulty == counts.all => Err(FaultsFound.into()),
        faulty => Ok(faulty),
    }
}

/// The most bytes of games that are held in memory.
const MAX_HELD: usize = 1 << 30;

fn check_held(bytes: usize) -> anyhow::Result<()> {
    if bytes > MAX_HELD {
        let most = MAX_HELD >> 20;
        bail!("more than {most} MB of games at once: select some with `qirkat pgn filter`");
    }
    Ok(())
}

/// Copies games, each in the notation that `choose` returns; `None` skips it. Returns the number of
/// faulty games. `left_out` is the word for skipped games, if they are counted.
fn copy_games(
    files: &Files,
    drop: &DropOptions,
    output: &Output,
    left_out: Option<&str>,
    mut choose: impl FnMut(&PgnGame) -> Option<Notation>,
) -> anyhow::Result<u64> {
    let (mut written, mut others) = (0, 0);
    let faults = output.write(|out| {
        read_games(files, output.output.as_deref(), |game| {
            let Some(notation) = choose(game) else {
                others += 1;
                return Ok(false);
            };
            drop.applied_to(game).write_to(out, notation)?;
            written += 1;
            Ok(true)
        })
    })?;
    let others = left_out.map_or_else(String::new, |word| format!(", {others} left out as {word}"));
    output.report(format_args!("{} written{others}", counted(written, "game")));
    Ok(faults)
}

fn merge(options: &MergeOptions) -> anyhow::Result<u64> {
    let MergeOptions { files, drop, output, unique, unique_moves } = options;
    let mut known = HashSet::new();
    let left_out = (*unique || *unique_moves).then_some("repeated");
    copy_games(files, drop, output, left_out, |game| {
        let is_new =
            left_out.is_none() || known.insert(fingerprint(&identity(game, *unique_moves)));
        is_new.then_some(Notation::San)
    })
}

pub(crate) fn name_key(name: &str) -> String {
    name.trim().to_lowercase()
}

fn identity(game: &PgnGame, of_moves: bool) -> impl Hash {
    let moves: Vec<AnyMove> = game.moves.iter().map(|played| played.mv).collect();
    let player = |tag| game.tag(tag).map(name_key).filter(|_| !of_moves);
    (player("White"), player("Black"), game.start.fen(), moves)
}

/// The line and error of a fault in a legal game.
type Fault = (u64, String);

fn check(files: &Files) -> anyhow::Result<u64> {
    let mut out = BufWriter::new(stdout().lock());
    let mut faults = 0;
    let counts = for_each_game(&files.paths, None, None, |name, found, bar| {
        let lines: Vec<String> = match found {
            Found::Fault(line) => vec![line],
            Found::Game(_, read) => {
                let of_unread = |it: &UnreadPart| (it.line, format!("{}{}", it.place(), it.fault));
                let mut found: Vec<Fault> = read.unread.iter().map(of_unread).collect();
                found.extend(null_move_fault(&read));
                found.extend(result_tag_fault(&read));
                found.extend(ending_fault(&read));
                faults += found.len() as u64;
                let line = |(line, text)| format!("game {}, line {line}: {text}", read.number);
                found.into_iter().map(line).collect()
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

/// The reader ends the main line at a null move and keeps the rest as a variation of the last move.
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
        (_, None) => "no result after the moves".to_owned(),
        (Some(tag), Some(result)) if GameResult::parse(tag) != Some(result) => {
            format!("Result tag `{tag}`, but {result} after the moves")
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

#[derive(Args)]
pub(crate) struct StatsOptions {
    #[command(flatten)]
    files: Files,
    /// Print a JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// First moves in the table; Masonic chess has the most, 35.
const FIRST_MOVES_SHOWN: usize = 40;
const LONGEST_NAME: usize = 200;

fn count(options: &StatsOptions) -> anyhow::Result<u64> {
    let mut tally = Tally::default();
    let faults = for_each_sound_game(&options.files.paths, |game| {
        tally.add(&game);
        Ok(())
    })?;
    let statistics = tally.finish();
    let text = if options.json {
        format!("{}\n", serde_json::to_string(&statistics)?)
    } else {
        statistics.to_string()
    };
    stdout().write_all(text.as_bytes())?;
    Ok(faults)
}

#[derive(Default, Serialize)]
struct Results {
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    unfinished: u64,
}

#[derive(Default, Serialize)]
struct Lengths {
    average: f64,
    longest: usize,
}

/// Results for a player, or for the side that played a first move.
#[derive(Default, Serialize)]
struct SideResults {
    name: String,
    games: u64,
    #[serde(flatten)]
    finished: GameCounts,
    /// Per cent of the finished games; `None` without any.
    score: Option<f64>,
}

#[derive(Serialize)]
struct Frequency {
    name: String,
    games: u64,
}

#[derive(Default, Serialize)]
struct Statistics {
    games: u64,
    results: Results,
    plies: Lengths,
    terminations: Vec<Frequency>,
    players: Vec<SideResults>,
    first_moves: Vec<SideResults>,
}

#[derive(Default)]
struct Tally {
    /// The lists are filled in at the end.
    found: Statistics,
    plies: u64,
    terminations: HashMap<String, Frequency>,
    players: Sides,
    first_moves: Sides,
}

impl Tally {
    fn add(&mut self, game: &PgnGame) {
        let found = &mut self.found;
        found.games += 1;
        found.plies.longest = found.plies.longest.max(game.moves.len());
        *found.results.of(game.result) += 1;
        self.plies += game.moves.len() as u64;
        let termination = game.tag("Termination").unwrap_or("not given");
        let counted = self.terminations.entry(name_key(termination));
        let name = termination.to_owned();
        counted.or_insert(Frequency { name, games: 0 }).games += 1;
        for (color, tag) in [(Color::White, "White"), (Color::Black, "Black")] {
            let name = game.tag(tag).unwrap_or("?");
            SideResults::add(&mut self.players, name_key(name), name, (game.result, color));
        }
        if let Some(first) = game.moves.first() {
            let mover = game.start.side_to_move();
            let dots = if mover == Color::Black { "..." } else { "" };
            let text = format!("{dots}{}", game.start.san(first.mv));
            // `Bxc3` and `bxc3` are different moves.
            let played = (game.result, mover);
            SideResults::add(&mut self.first_moves, text.clone(), &text, played);
        }
    }

    fn finish(self) -> Statistics {
        let mut found = self.found;
        found.plies.average = self.plies as f64 / found.games.max(1) as f64;
        found.terminations.extend(self.terminations.into_values());
        found.terminations.sort_by_key(|it| (Reverse(it.games), it.name.clone()));
        found.first_moves = sorted_by_score(self.first_moves);
        found.first_moves.sort_by_key(|first| Reverse(first.games));
        found.first_moves.truncate(FIRST_MOVES_SHOWN);
        found.players = sorted_by_score(self.players);
        found
    }
}

impl Results {
    fn of(&mut self, result: GameResult) -> &mut u64 {
        match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::BlackWins => &mut self.black_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::Unfinished => &mut self.unfinished,
        }
    }
}

impl SideResults {
    /// Adds a game of this color to the entry of this key; the name is shown as first spelled.
    fn add(all: &mut Sides, key: String, name: &str, (result, color): (GameResult, Color)) {
        let new = || SideResults { name: name.to_owned(), ..SideResults::default() };
        let side = all.entry(key).or_insert_with(new);
        side.games += 1;
        if let Some(score) = GameScore::of(result, color) {
            side.finished += score;
        }
    }

    fn row(&self) -> Vec<String> {
        let GameCounts { wins, draws, losses } = self.finished;
        let score = self.score.map_or("-".to_owned(), |score| format!("{score:.1}%"));
        let counts = [self.games, wins, draws, losses].map(|count| count.to_string());
        once(one_line(&self.name, LONGEST_NAME)).chain(counts).chain([score]).collect()
    }
}

type Sides = HashMap<String, SideResults>;

fn sorted_by_score(counts: Sides) -> Vec<SideResults> {
    let mut sorted: Vec<SideResults> = counts
        .into_values()
        .map(|it| SideResults { score: it.finished.score().map(|score| 100.0 * score), ..it })
        .collect();
    let score = |side: &SideResults| side.score.unwrap_or(-1.0);
    sorted.sort_by(|a, b| score(b).total_cmp(&score(a)).then_with(|| a.name.cmp(&b.name)));
    sorted
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Games: {}", self.games)?;
        if self.games == 0 {
            return Ok(());
        }
        let Results { white_wins, draws, black_wins, unfinished } = self.results;
        for (name, games) in [
            ("White wins", white_wins),
            ("Draws", draws),
            ("Black wins", black_wins),
            ("Unfinished", unfinished),
        ] {
            writeln!(f, "  {name:<10} {games:>7} {:>6}", share(games, self.games))?;
        }
        let Lengths { average, longest } = self.plies;
        writeln!(f, "Plies: {average:.1} on average, {longest} at most")?;
        let ended = |Frequency { name, games }: &Frequency| {
            vec![one_line(name, LONGEST_NAME), games.to_string(), share(*games, self.games)]
        };
        write!(f, "\n{}", table(&["Termination", "Games"], self.terminations.iter().map(ended)))?;
        for (title, rows) in [("Player", &self.players), ("First move", &self.first_moves)] {
            let head = [title, "Games", "Wins", "Draws", "Losses", "Score"];
            write!(f, "\n{}", table(&head, rows.iter().map(SideResults::row)))?;
        }
        Ok(())
    }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole as f64)
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head = head.iter().map(ToString::to_string).collect();
    aligned(&once(head).chain(rows).collect::<Vec<_>>(), 0)
}
