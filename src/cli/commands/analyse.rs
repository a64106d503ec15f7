//! `qirkat analyse`: a position, a position in a game, or a file of positions.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{ArgGroup, Args};
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::json;

use crate::shared::exit_status::{FaultsFound, Interrupted, interrupt_flag};
use crate::shared::files::{EpdLine, epd_lines, epd_text, operation};
use crate::shared::games::{hint, open_games};
use crate::shared::options::{self, SearchResources, named};
use crate::shared::terminal::{self, check_written, print_message, print_part, print_text, words};
use qirkat_analysis::review::{MovesData, ScoreData};
use qirkat_engine::book::Book;
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, line_chances};
use qirkat_game::distance::Depth;
use qirkat_game::score::{Score, score_text};
use qirkat_game::{Outcome, Rules};
use qirkat_rules::chesquerque::MAX_MOVES;
use qirkat_rules::pgn::{PgnError, PgnGame, PgnReader};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, CannotPass, UnknownVariant, Variant};
use qirkat_search::{Bound, SearchControl, TimeBudget};

pub(crate) fn run(options: &AnalyseOptions) -> anyhow::Result<()> {
    if let Some(path) = &options.epd {
        let variant = options.variant()?;
        let searcher = options.resources.searcher(variant)?;
        return analyse_file(path, variant, searcher, options);
    }
    let game = options.start()?;
    let search_moves = options.search_moves(&game)?;
    let mut searcher = options.resources.searcher(game.position().variant())?;
    // From here on Ctrl-C ends the search, which shows what it has found.
    interrupt_flag();
    if !options.json {
        print_board(&game)?;
        print_book(game.position())?;
    }
    if game.position().has_legal_moves() {
        return analyse(options, &game, &search_moves, &mut searcher);
    }
    if options.json {
        writeln!(stdout(), "{}", json!({ "outcome": outcome_of(&game) }))?;
    }
    Ok(())
}

fn analyse(
    options: &AnalyseOptions,
    game: &AnyGame,
    search_moves: &[AnyMove],
    searcher: &mut AnySearcher,
) -> anyhow::Result<()> {
    let limits = options.limits();
    if options.threat {
        let control = SearchControl::with_stop_flag(interrupt_flag());
        show_threat(options, searcher, &control, game, &limits)?;
        if control.stopped() {
            return Err(Interrupted("stopped before its time".to_owned()).into());
        }
    }
    let control = SearchControl::with_stop_flag(interrupt_flag());
    let mut shown = LineDisplay::new(game, options.json);
    let mut report = |line: &SearchLine| {
        if !shown.add_line(line) {
            control.stop();
        }
    };
    let result = searcher.search_under(&control, game, search_moves, &limits, &mut report);
    let mate = shown.best().and_then(|line| line.score.moves_to_mate());
    shown.finish()?;
    if control.stopped() {
        // An infinite analysis is ended by Ctrl-C.
        let text = if options.infinite { "" } else { "stopped before its time" };
        return Err(Interrupted(text.to_owned()).into());
    }
    if let Some(wanted) = options.mate.filter(|_| !options.json)
        && !mate.is_some_and(|moves| moves > 0 && moves.unsigned_abs() <= wanted)
    {
        // A search for a mate does not prune, so a complete iteration of two plies per move
        // excludes one.
        let is_excluded = result.depth.0.unsigned_abs() >= 2 * wanted;
        let sure = if is_excluded { "There is no" } else { "Neither found nor excluded: a" };
        writeln!(stdout(), "{sure} mate in {wanted}.")?;
    }
    Ok(())
}

fn print_board(game: &AnyGame) -> anyhow::Result<()> {
    let position = game.position();
    writeln!(stdout(), "{}\n{position}", position.picture())?;
    let to_move = format!("{:?} to move", position.side_to_move());
    let state = match game.outcome() {
        Some(outcome) => format!("The game is over: {outcome}"),
        None if position.in_check() => format!("{to_move}, in check"),
        None => to_move,
    };
    writeln!(stdout(), "{state}\n")?;
    Ok(())
}

fn print_book(position: &AnyPosition) -> anyhow::Result<()> {
    let Some((score, line)) = book_line(position) else { return Ok(()) };
    let lead = format!("In the opening book: {} ", score_text(score));
    let room = terminal::width().saturating_sub(lead.len());
    let line = terminal::fitting(&position.san_line(&line), room);
    writeln!(stdout(), "{}\n", format!("{lead}{line}").trim_end())?;
    Ok(())
}

/// What the embedded opening book knows about a position: its score and best line.
fn book_line(position: &AnyPosition) -> Option<(Score, Vec<AnyMove>)> {
    let book = Book::embedded(position.variant())?;
    Some((book.entry(position)?.score, book.line(position, BOOK_PLIES)))
}

/// The most plies of a line of the book.
const BOOK_PLIES: usize = 16;

fn show_threat(
    options: &AnalyseOptions,
    searcher: &mut AnySearcher,
    control: &SearchControl,
    game: &AnyGame,
    limits: &SearchLimits,
) -> anyhow::Result<()> {
    let threat = game.position().after_null_move().and_then(|passed| {
        let line = find_threat(passed, searcher, control, limits).ok_or(CannotPass::NoReply)?;
        Ok((passed, line))
    });
    let text = match threat {
        Ok((position, line)) if options.json => {
            let threat = Some(JsonLine::of(&position, &line));
            serde_json::to_string(&JsonThreat { threat, impossible: None })?
        }
        Err(why) if options.json => {
            serde_json::to_string(&JsonThreat { threat: None, impossible: Some(why.to_string()) })?
        }
        Ok((position, line)) => {
            let side = position.side_to_move();
            let lead = format!("Threat of {side:?}, {} for it: ", bounded_score(&line));
            let room = terminal::width().saturating_sub(lead.len());
            format!("{lead}{}\n", terminal::fitting(&position.san_line(&line.moves), room))
        }
        Err(why) => format!("No threat can be shown: {why}.\n"),
    };
    writeln!(stdout(), "{text}")?;
    Ok(())
}

/// The share of an analysis's nodes and time that its threat may take.
const THREAT_DIVISOR: u32 = 5;
/// The time for the threat if the analysis is unlimited.
const THREAT_TIME: Duration = Duration::from_secs(1);

fn find_threat(
    passed: AnyPosition,
    searcher: &mut AnySearcher,
    control: &SearchControl,
    limits: &SearchLimits,
) -> Option<SearchLine> {
    let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.time.hard.is_some();
    let time = limits.time.hard.map(|time| time / THREAT_DIVISOR);
    let hard = if bounded { time } else { Some(THREAT_TIME) };
    let mut threat_limits = SearchLimits::time(TimeBudget { soft: None, hard });
    threat_limits.depth = limits.depth;
    threat_limits.nodes = limits.nodes.map(|nodes| nodes.div_ceil(THREAT_DIVISOR.into()));
    let mut found = None;
    let game = AnyGame::from_position(passed);
    searcher.search_under(control, &game, &[], &threat_limits, &mut |line: &SearchLine| {
        found = Some(line.clone());
    });
    found
}

const DEFAULT_TIME: Duration = Duration::from_secs(5);

#[derive(Args)]
#[command(group = ArgGroup::new("source").args(["fen", "pgn", "epd"]))]
pub(crate) struct AnalyseOptions {
    /// Which game: chesquerque, masonic or alquerque; with --pgn, the number of
    /// the game in the file
    #[arg(long, value_name = "GAME", value_parser = named(game_or_number, Variant::ALL.map(Variant::name)), hide_possible_values = true)]
    game: Option<GameOrNumber>,
    /// The position; the usual starting position when not given
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Take the position from a game in this PGN file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Take the position after this many plies; the last one when not given
    #[arg(long, value_name = "PLIES", requires = "pgn")]
    ply: Option<usize>,
    /// Analyse each position of this EPD file, `-` being standard input, and print
    /// it with `acd`, `acn`, `ce`, `pm`, `pv`, and `bm` where there was none
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "searchmoves", "threat", "infinite", "multipv"])]
    epd: Option<PathBuf>,
    /// Moves to play from there, such as `e2e4 e8e6` or `e4 e6`
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// Search only these moves
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    searchmoves: Vec<String>,
    /// Stop after this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    depth: Option<i16>,
    /// Stop after this many milliseconds; 5000 if there is no other limit
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Look for a mate in this many moves, and stop when it is found or excluded
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(1..=i64::from(Depth::MAX.0 / 2)))]
    mate: Option<u16>,
    /// Search until Ctrl-C, which prints the result so far
    #[arg(long, conflicts_with_all = ["depth", "movetime", "nodes", "mate"])]
    infinite: bool,
    /// Lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_MOVES as i64))]
    multipv: u16,
    /// First show what the other side threatens: its best line if it could move now
    #[arg(long)]
    threat: bool,
    #[command(flatten)]
    resources: SearchResources,
    /// Print each line of the search as a JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// The value of `--game`: a variant, or the number of a game in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameOrNumber {
    Game(Variant),
    Number(u64),
}

fn game_or_number(text: &str) -> Result<GameOrNumber, UnknownVariant> {
    match text.parse() {
        Ok(number) => Ok(GameOrNumber::Number(number)),
        Err(_) => text.parse().map(GameOrNumber::Game),
    }
}

pub(crate) const HELP: &str = "\
Examples:
  The start, ten plies deep, its three best moves:
    qirkat analyse --depth 10 --multipv 3
  The position after two moves, for three seconds:
    qirkat analyse --moves e4 e6 --movetime 3000
  A mate in two, with proof:
    qirkat analyse --fen '4k4/9/p1R6/8p/6B2/6P1P/P6P1/9/5K3 w - - 0 1' --mate 2
  The tenth ply of a game in a file:
    qirkat analyse --pgn games.pgn --ply 10";

impl AnalyseOptions {
    pub fn variant(&self) -> anyhow::Result<Variant> {
        match self.game {
            None => Ok(Variant::default()),
            Some(GameOrNumber::Game(variant)) => Ok(variant),
            Some(GameOrNumber::Number(number)) => {
                bail!("--game {number}: the number of a game needs --pgn")
            }
        }
    }

    pub fn start(&self) -> anyhow::Result<AnyGame> {
        let mut game = match &self.pgn {
            Some(path) => self.start_in_pgn(path)?,
            None => options::start(self.variant()?, self.fen.as_deref())?,
        };
        options::make_moves(&mut game, &self.moves)?;
        Ok(game)
    }

    fn start_in_pgn(&self, path: &Path) -> anyhow::Result<AnyGame> {
        let number = match self.game {
            None => 1,
            Some(GameOrNumber::Number(number)) => number,
            Some(GameOrNumber::Game(variant)) => bail!(
                "--game {variant}: with --pgn it is a game's number; the file names the variant"
            ),
        };
        let record = find(path, number)?;
        let plies = record.moves.len();
        let wanted = self.ply.unwrap_or(plies);
        if wanted > plies {
            bail!("--ply {wanted}: game {number} of {} has {plies}", path.display());
        }
        let mut game = AnyGame::from_position(record.start);
        record.moves[..wanted].iter().for_each(|played| game.play(played.mv));
        Ok(game)
    }

    /// The moves of `--searchmoves`; one argument may have several.
    pub fn search_moves(&self, game: &AnyGame) -> anyhow::Result<Vec<AnyMove>> {
        let texts = self.searchmoves.iter().flat_map(|text| text.split_ascii_whitespace());
        let read = |text: &str| {
            let mv = game.position().read_move(text);
            mv.with_context(|| format!("--searchmoves: `{text}` is not legal"))
        };
        texts.map(read).collect()
    }

    pub fn limits(&self) -> SearchLimits {
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.infinite;
        let time = self.movetime.map(Duration::from_millis);
        let hard = if bounded { time } else { Some(DEFAULT_TIME) };
        let mut limits = SearchLimits::time(TimeBudget { soft: None, hard })
            .with_multi_pv(usize::from(self.multipv));
        limits.depth = self.depth.map(Depth);
        limits.nodes = self.nodes;
        limits.mate = self.mate;
        limits
    }
}

fn find(path: &Path, number: u64) -> anyhow::Result<PgnGame> {
    let name = path.display().to_string();
    let mut games = 0;
    for read in PgnReader::new(open_games(path, &ProgressBar::hidden())?) {
        games += 1;
        match read {
            Err(error @ PgnError::Io(_)) => return Err(error).context(name),
            _ if games != number => {}
            read => {
                let game = read.map(|read| read.game);
                return game.map_err(|error| anyhow!("{name}: {error}{}", hint(&error)));
            }
        }
    }
    match games {
        0 => bail!("{name} has no game"),
        _ => bail!("--game {number}: {name} has {games}"),
    }
}

/// EPD writes a mate score as this minus the plies to mate, with the score's sign.
const MATE_IN_EPD: i32 = 32_767;
const REPLACED: [&str; 5] = ["acd", "acn", "ce", "pm", "pv"];

/// Prints each position with its result as a line of EPD or JSON, as soon as it is ready. Faulty
/// lines are reported and skipped.
fn analyse_file(
    path: &Path,
    variant: Variant,
    mut searcher: AnySearcher,
    options: &AnalyseOptions,
) -> anyhow::Result<()> {
    let lines = epd_lines(path, variant)?;
    let (mut done, mut faults) = (0, 0);
    for line in lines {
        match line? {
            Ok(line) => {
                // Each position starts with an empty hash table.
                searcher.clear()?;
                let text = analysed(line, &mut searcher, &options.limits(), options.json)?;
                if interrupt_flag().load(Ordering::Relaxed) {
                    return Err(Interrupted(format!("stopped after {done} positions")).into());
                }
                print_text(text)?;
                done += 1;
            }
            Err(error) => {
                faults += 1;
                print_message(format_args!("{error:#}, left out"));
            }
        }
    }
    if done + faults == 0 {
        bail!("there is no position in {}", path.display());
    }
    FaultsFound::fail_if(faults > 0)
}

fn analysed(
    line: EpdLine,
    searcher: &mut AnySearcher,
    limits: &SearchLimits,
    json: bool,
) -> anyhow::Result<String> {
    let position = line.position;
    let game = AnyGame::from_position(position);
    let mut best = None;
    if position.has_legal_moves() {
        let control = SearchControl::with_stop_flag(interrupt_flag());
        searcher.search_under(&control, &game, &[], limits, &mut |line: &SearchLine| {
            best = Some(line.clone());
        });
    }
    if json {
        let id = line.id().and_then(|id| id.operands.first().cloned());
        let outcome = best.is_none().then(|| outcome_of(&game));
        let book = JsonBook::of(&position);
        let line = best.map(|line| JsonLine { book, ..JsonLine::of(&position, &line) });
        let fen = position.fen();
        return Ok(serde_json::to_string(&JsonPosition { fen, id, line, outcome })?);
    }
    let mut operations = line.operations;
    let has_best_move = operations.iter().any(|operation| operation.opcode == "bm");
    operations.retain(|operation| !REPLACED.contains(&operation.opcode.as_str()));
    let mut add = |opcode, operands| operations.push(operation(opcode, operands));
    if let Some(best) = best {
        let moves = position.san_line(&best.moves);
        let first: Vec<String> = moves.iter().take(1).cloned().collect();
        add("acd", vec![best.depth.0.to_string()]);
        add("acn", vec![best.nodes.to_string()]);
        if !has_best_move {
            add("bm", first.clone());
        }
        add("ce", vec![centipawns(best.score).to_string()]);
        add("pm", first);
        add("pv", moves);
    } else {
        // A position without moves is lost or drawn.
        let is_lost = !matches!(game.outcome(), None | Some(Outcome::Draw(_)));
        add("ce", vec![if is_lost { -MATE_IN_EPD } else { 0 }.to_string()]);
    }
    Ok(epd_text(&position, &operations))
}

/// A score as EPD writes it.
pub(crate) fn centipawns(score: Score) -> i32 {
    match score.plies_to_mate() {
        Some(plies) if plies > 0 => MATE_IN_EPD - i32::from(plies),
        Some(plies) => -MATE_IN_EPD - i32::from(plies),
        None => score.value(),
    }
}

/// Rows not used by a live table: the blank line above, the last change and the cursor, two to spare.
const ROWS_LEFT_FREE: usize = 5;
const MIN_ROWS: usize = 3;

struct LineDisplay<'a> {
    position: &'a AnyPosition,
    json: bool,
    book: Option<JsonBook>,
    lines: Vec<SearchLine>,
    changes: Changes,
    bar: ProgressBar,
}

impl<'a> LineDisplay<'a> {
    pub fn new(game: &'a AnyGame, json: bool) -> LineDisplay<'a> {
        let bar = if json { ProgressBar::hidden() } else { terminal::bar("{msg}") };
        let (lines, changes) = (Vec::new(), Changes::default());
        let position = game.position();
        let book = if json { JsonBook::of(position) } else { None };
        LineDisplay { position, json, book, lines, changes, bar }
    }

    /// Handles a line of the search; returns false when standard output is closed.
    pub fn add_line(&mut self, line: &SearchLine) -> bool {
        if self.json {
            let book = self.book.clone();
            let line = JsonLine { book, ..JsonLine::of(self.position, line) };
            let text = serde_json::to_string(&line);
            if !text.is_ok_and(print_part) {
                return false;
            }
        }
        self.changes.update(self.position, line);
        self.lines.retain(|old| old.rank != line.rank);
        self.lines.push(line.clone());
        self.lines.sort_by_key(|line| line.rank);
        if !self.bar.is_hidden() {
            self.bar.set_message(self.live_table());
            self.bar.tick();
        }
        true
    }

    pub fn best(&self) -> Option<&SearchLine> {
        self.lines.first()
    }

    /// The live table, cut to the height of the screen, because the rest would scroll away. The
    /// last change is below. Above is a blank line: a terminal that shows Ctrl-C as `^C` moves the
    /// cursor down by one, so the first row survives when the table is cleared.
    fn live_table(&self) -> String {
        let most = terminal::height()
            .map_or(usize::MAX, |rows| rows.saturating_sub(ROWS_LEFT_FREE).max(MIN_ROWS));
        let table = self.table();
        let rows: Vec<&str> = table.lines().take(most).collect();
        let mut text = format!("\n{}", rows.join("\n"));
        if let Some(change) = self.changes.recent().last() {
            text.push('\n');
            text.push_str(&terminal::fitting(&words(change), terminal::width() - 1));
        }
        text
    }

    /// Each line, with all moves if it mates, otherwise with as many as fit.
    fn table(&self) -> String {
        let width = terminal::width() - 1;
        let mut text = format!(
            "{:>4} {:>8} {:>7} {:>11} {:>8}  Line",
            "Line", "Score", "Depth", "Nodes", "Time"
        );
        for line in &self.lines {
            let moves = self.position.san_line(&line.moves);
            let lead = format!(
                "\n{:>4} {:>8} {:>7} {:>11} {:>7.1}s  ",
                line.rank,
                bounded_score(line),
                format!("{}/{}", line.depth.0, line.selective_depth.0),
                line.nodes,
                line.time.as_secs_f64(),
            );
            let indent = lead.chars().count() - 1;
            if line.score.is_mate() {
                // The leading line break takes no column.
                text.push_str(&terminal::wrapped(&lead, &moves, width + 1, indent));
            } else {
                text.push_str(&lead);
                text.push_str(&terminal::fitting(&moves, width.saturating_sub(indent)));
            }
        }
        text
    }

    pub fn finish(self) -> anyhow::Result<()> {
        self.bar.finish_and_clear();
        check_written()?;
        if self.json {
            return Ok(());
        }
        let mut out = stdout().lock();
        writeln!(out, "{}", self.table())?;
        writeln!(out, "Scores are for {:?}, who is to move.", self.position.side_to_move())?;
        for (index, change) in self.changes.recent().iter().enumerate() {
            let lead = if index == 0 { "\nChanged at " } else { "           " };
            writeln!(out, "{}", terminal::wrapped(lead, &words(change), terminal::width(), 13))?;
        }
        if let Some(best) = self.lines.first() {
            let speed = best.nodes_per_second() as f64 / 1e6;
            let mv = self.position.san_line(&best.moves[..best.moves.len().min(1)]);
            writeln!(out, "\nBest move: {}   ({speed:.2} M nodes/s)", mv.join(""))?;
        }
        Ok(())
    }
}

/// A score, with `<` or `>` if it is only a bound, as when the search was stopped.
fn bounded_score(line: &SearchLine) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => ">",
        Bound::Upper => "<",
    };
    format!("{bound}{}", score_text(line.score))
}

const MIN_FALL_CENTIPAWNS: i32 = 30;
const CHANGES_SHOWN: usize = 5;

/// The best move and score so far, and how they changed.
#[derive(Default)]
struct Changes {
    best: Option<(AnyMove, Score)>,
    texts: Vec<String>,
}

impl Changes {
    pub fn update(&mut self, position: &AnyPosition, line: &SearchLine) {
        let Some(&mv) = line.moves.first().filter(|_| line.rank == 1) else { return };
        let score = line.score;
        if let Some((before, old)) = self.best.replace((mv, score)) {
            let from_to = format!("{} to {}", score_text(old), score_text(score));
            if before != mv {
                let (before, now) = (position.san(before), position.san(mv));
                self.add(line, format!("best move {before} -> {now}, {from_to}"));
            } else if old - score >= MIN_FALL_CENTIPAWNS {
                self.add(line, format!("{} falls from {from_to}", position.san(mv)));
            }
        }
    }

    fn add(&mut self, line: &SearchLine, what: String) {
        self.texts.push(format!("depth {}: {what}", line.depth.0));
    }

    pub fn recent(&self) -> &[String] {
        &self.texts[self.texts.len().saturating_sub(CHANGES_SHOWN)..]
    }
}

/// A search line as JSON. Scores are for the side to move.
#[derive(Serialize)]
struct JsonLine {
    depth: i16,
    seldepth: u16,
    multipv: usize,
    #[serde(flatten)]
    score: ScoreData,
    /// Win, draw and loss probabilities in permille.
    wdl: [u32; 3],
    nodes: u64,
    nps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<Bound>,
    hashfull: u32,
    time_ms: u128,
    #[serde(flatten)]
    moves: MovesData,
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<JsonBook>,
}

/// The score and best line of the opening book.
#[derive(Clone, Serialize)]
struct JsonBook {
    #[serde(flatten)]
    score: ScoreData,
    #[serde(flatten)]
    moves: MovesData,
}

impl JsonBook {
    fn of(position: &AnyPosition) -> Option<JsonBook> {
        let (score, line) = book_line(position)?;
        Some(JsonBook { score: score.into(), moves: MovesData::of(position, &line) })
    }
}

impl JsonLine {
    pub fn of(position: &AnyPosition, line: &SearchLine) -> JsonLine {
        JsonLine {
            depth: line.depth.0,
            seldepth: line.selective_depth.0,
            multipv: line.rank,
            score: line.score.into(),
            wdl: line_chances(position.variant(), line).permille(),
            bound: Some(line.bound).filter(|&bound| bound != Bound::Exact),
            nodes: line.nodes,
            nps: line.nodes_per_second(),
            hashfull: line.hashfull,
            time_ms: line.time.as_millis(),
            moves: MovesData::of(position, &line.moves),
            book: None,
        }
    }
}

fn outcome_of(game: &AnyGame) -> String {
    match game.outcome() {
        Some(Outcome::Draw(reason)) => reason.to_string(),
        Some(won) => won.to_string().to_lowercase(),
        None => "undecided".to_owned(),
    }
}

#[derive(Serialize)]
struct JsonThreat {
    threat: Option<JsonLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible: Option<String>,
}

#[derive(Serialize)]
struct JsonPosition {
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    line: Option<JsonLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
}
