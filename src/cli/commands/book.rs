//! `qirkat book`: builds, probes and exports opening books.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write, stdout};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, Args, Subcommand, ValueHint};
use indicatif::ProgressBar;

use super::analyse::centipawns;
use super::pgn::Output;
use crate::shared::exit_status::{FaultsFound, interrupt_flag, stop_condition};
use crate::shared::files::{AtPath, check_creatable, epd_text, open_file, operation};
use crate::shared::games::for_each_sound_game;
use crate::shared::options::{GameChoice, PositionOptions, game, positive_time, range};
use crate::shared::run_conditions::{
    Conditions, ResumableOptions, network_checksum, open_resumable, stopped_before,
};
use crate::shared::terminal::{self, report};
use qirkat_analysis::book::{BookTree, Leaf};
use qirkat_analysis::position_data::{BookData, LINE_PLIES};
use qirkat_analysis::review::eval_command;
use qirkat_engine::book::{Book, BookMove, BookResults, USUAL_LOSS};
use qirkat_engine::load_book::load_book;
use qirkat_engine::{AnySearcher, SearchLimits};
use qirkat_evaluation::load_network::EMBEDDED;
use qirkat_evaluation::{AnyEvaluation, WdlModel};
use qirkat_game::distance::Depth;
use qirkat_game::score::{Score, score_text};
use qirkat_game::text::counted;
use qirkat_game::{Color, Key, Rules};
use qirkat_rules::pgn::{DEEPEST_VARIATION, Notation, PgnGame, PgnMove};
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_search::{SearchControl, on_search_threads};
use qirkat_system::output_file::write_atomic;
use qirkat_tablebase::AllTables;

#[derive(Subcommand)]
#[command(defer = true)]
pub(crate) enum BookTask {
    /// Build an opening book by searching the most relevant positions
    ///
    /// Each line of the book goes on where its moves lose least, and its score is
    /// backed up. Ctrl-C ends it with what there is; --resume goes on.
    #[command(after_help = BUILD_HELP)]
    Build(BuildOptions),
    /// Show the moves of a position, with their scores and games
    #[command(after_help = PROBE_HELP)]
    Probe(ProbeOptions),
    /// Count the positions of a book and of its first moves
    #[command(after_help = STATS_HELP)]
    Stats(StatsOptions),
    /// Write a book as PGN with variations, or its positions as EPD
    #[command(after_help = EXPORT_HELP)]
    Export(ExportOptions),
}

pub(crate) const HELP: &str = "\
Examples:
  The first moves:
    qirkat book probe
  Balanced openings for a match:
    qirkat book export --epd --plies 6 --expected 45..55 -o openings.epd
  A book of your own, overnight:
    qirkat book build --output own.book --time 480:00";

const BUILD_HELP: &str = "\
FILE.results has a line of text for each position whose moves were searched;
--resume continues from it. The book is the same with any number of threads.

Examples:
  A small book of Masonic chess:
    qirkat book build --game masonic --positions 10000 --output masonic.book
  More of it, with the results of games:
    qirkat book build --game masonic --positions 20000 --output masonic.book \\
        --resume --games played.pgn";

const PROBE_HELP: &str = "\
Examples:
  The replies to 1. e4:
    qirkat book probe --moves e4
  From a book of your own, for programs:
    qirkat book probe --book own.book --json";

const STATS_HELP: &str = "\
Examples:
  The book in the program:
    qirkat book stats
  One of your own:
    qirkat book stats --game masonic --book masonic.book";

const EXPORT_HELP: &str = "\
Examples:
  Ten plies, with moves that lose up to 0.15:
    qirkat book export --pgn --plies 10 --loss 15 -o book.pgn
  Positions after six plies where White scores about half:
    qirkat book export --epd --plies 6 --expected 45..55 -o openings.epd";

const THREADS: &str = "Searches at a time; all cores when not given";

#[derive(Args)]
#[command(mut_arg("threads", |arg| arg.help(THREADS)))]
pub(crate) struct BuildOptions {
    #[command(flatten)]
    game: GameChoice,
    /// Output file for the book; its searches go to FILE.results
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Positions wanted, including those searched already; the last round may add a few more
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Positions that the search visits to score one of the book
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop after this time: seconds or minutes:seconds
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    time: Option<Duration>,
    /// Count the results of the games in these PGN files
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    run: ResumableOptions,
}

#[derive(Args)]
struct BookFile {
    /// The opening book
    #[arg(long, value_name = "FILE", default_value = EMBEDDED, value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    book: String,
}

#[derive(Args)]
pub(crate) struct ProbeOptions {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    book: BookFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct StatsOptions {
    #[command(flatten)]
    game: GameChoice,
    #[command(flatten)]
    book: BookFile,
}

#[derive(Args)]
#[command(group = ArgGroup::new("format").args(["pgn", "epd"]).required(true))]
pub(crate) struct ExportOptions {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    book: BookFile,
    /// Write a game whose variations are the lines of the book
    #[arg(long)]
    pgn: bool,
    /// Write positions, one a line
    #[arg(long, conflicts_with = "loss")]
    epd: bool,
    /// Positions after N plies, or after N..M; in PGN, lines of N plies
    #[arg(long, value_name = "N", default_value = "8", value_parser = numbers)]
    plies: RangeInclusive<u32>,
    /// Leave out moves that lose more centipawns than this against the best
    #[arg(long, value_name = "CP", default_value_t = USUAL_LOSS, value_parser = clap::value_parser!(i32).range(0..))]
    loss: i32,
    /// Only positions in which White can expect so many percent of the points
    #[arg(long, value_name = "N..M", default_value = "0..100", conflicts_with = "pgn", value_parser = numbers)]
    expected: RangeInclusive<u32>,
    #[command(flatten)]
    output: Output,
}

fn numbers(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    range(text, "..").ok_or("not a number, nor two such as 4..8")
}

pub(crate) fn run(task: &BookTask) -> anyhow::Result<()> {
    match task {
        BookTask::Build(options) => build(options),
        BookTask::Probe(options) => probe(options),
        BookTask::Stats(options) => stats(options),
        BookTask::Export(options) => export(options),
    }
}

impl BookFile {
    fn load(&self, variant: Variant) -> anyhow::Result<Cow<'static, Book>> {
        load_book(variant, &self.book).context("--book")
    }
}

/// Leaves expanded before the next are chosen. If each were chosen when another is finished, the
/// book would depend on the number of threads.
const LEAVES_PER_ROUND: usize = 32;
/// The transposition table of a search, which is cleared for each, so that its score depends on
/// nothing before it.
const HASH_MEGABYTES: usize = 4;

const CONDITIONS_COMMENT: &str =
    "# How the book beside this file was searched. `qirkat book build --resume` reads it.";

fn build(options: &BuildOptions) -> anyhow::Result<()> {
    let (output, variant) = (&options.output, options.game.variant);
    let searches = output.with_added_extension("results");
    let conditions_path = output.with_added_extension("build.toml");
    check_creatable(output)?;
    let is_continued = options.run.is_continued(&searches)? || options.run.is_continued(output)?;
    for path in options.games.iter().filter(|path| *path != Path::new("-")) {
        open_file(path)?;
    }
    let evaluation = options.run.eval_file.evaluation(variant)?;
    let mut conditions = Conditions::default();
    conditions.set("--game", variant.name());
    conditions.set("--nodes", options.nodes);
    conditions.set_network(&evaluation);
    let (file, text) =
        open_resumable(&searches, is_continued, &conditions_path, &conditions, CONDITIONS_COMMENT)?;
    let (mut tree, begun) = read_tree(&text, variant).at_path(&searches)?;
    let origin =
        format!("network {}, {} nodes a position", network_checksum(&evaluation), options.nodes);
    let template = "{bar:30} {pos}/{len} positions, {eta} left";
    let bar = terminal::bar_from(template, tree.len() as u64, options.positions);
    let stop = interrupt_flag();
    let build = Build {
        evaluation,
        nodes: options.nodes,
        threads: options.run.threads.count(),
        is_over: &stop_condition(&stop, options.time),
        stop: Arc::clone(&stop),
        file: &file,
        bar: &bar,
    };
    build.expand(&mut tree, begun, options.positions).at_path(&searches)?;
    bar.finish_and_clear();
    let (results, faulty) = count_games(&options.games, &tree, variant)?;
    let book = tree.book(origin, &results);
    write_atomic(output, &book.to_bytes()).at_path(output)?;
    let games = book.entry(&variant.start()).map_or(0, |start| start.results.games());
    report(format_args!(
        "{}: {}, {}",
        output.display(),
        counted(book.len() as u64, "position"),
        counted(games, "game")
    ));
    if stop.load(Ordering::Relaxed) {
        return Err(stopped_before(options.positions).into());
    }
    FaultsFound::fail_if(faulty > 0)
}

/// The tree of the searches so far, and the lines of an unfinished round: an empty line ends each.
fn read_tree(text: &str, variant: Variant) -> anyhow::Result<(BookTree, Vec<&str>)> {
    let (mut tree, mut round) = (BookTree::new(variant), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        if !line.is_empty() {
            round.push((number, line));
            continue;
        }
        for (number, line) in round.drain(..) {
            tree.expand(line).with_context(|| format!("line {number}"))?;
        }
    }
    Ok((tree, round.into_iter().map(|(_, line)| line).collect()))
}

struct Build<'a> {
    evaluation: AnyEvaluation,
    nodes: u64,
    threads: usize,
    stop: Arc<AtomicBool>,
    is_over: &'a (dyn Fn() -> bool + Sync),
    file: &'a File,
    bar: &'a ProgressBar,
}

impl Build<'_> {
    /// Expands a tree, beginning with the lines of an unfinished round, until it has this many
    /// positions, no leaf is left, or it is stopped.
    fn expand(&self, tree: &mut BookTree, begun: Vec<&str>, wanted: u64) -> anyhow::Result<()> {
        let mut begun = begun.into_iter();
        while (tree.len() as u64) < wanted {
            let leaves = tree.next_leaves(LEAVES_PER_ROUND);
            let mut lines = Vec::new();
            for (line, &leaf) in begun.by_ref().zip(&leaves) {
                if !line.starts_with(&tree.position(leaf).fen()) {
                    bail!("`{line}` is not what is searched next: was it made by another Qirkat?");
                }
                lines.push(line.to_owned());
            }
            let rest = &leaves[lines.len()..];
            lines.extend(self.search(tree, rest)?);
            for line in &lines {
                tree.expand(line)?;
            }
            if leaves.is_empty() || lines.len() < leaves.len() {
                break;
            }
            (&mut &*self.file).write_all(b"\n")?;
            self.file.sync_data()?;
            self.bar.set_position(tree.len() as u64);
        }
        Ok(())
    }

    /// Scores the positions after all moves in these leaves, and writes the line of each leaf when
    /// it and those before it are complete. Returns the lines; fewer if it is stopped.
    fn search(&self, tree: &BookTree, leaves: &[Leaf]) -> anyhow::Result<Vec<String>> {
        let positions = tree.unscored(leaves);
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let round = Mutex::new(Round { tree, leaves, scores: HashMap::new(), lines: Vec::new() });
        let lock = || round.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            let evaluation = self.evaluation.clone();
            let mut searcher = AnySearcher::with_resources(evaluation, 1, HASH_MEGABYTES)?;
            searcher.set_tablebases(Some(AllTables::with_embedded()));
            let limits = SearchLimits::nodes(self.nodes);
            while !(self.is_over)()
                && !failed.load(Ordering::Relaxed)
                && let Some(position) = positions.get(next.fetch_add(1, Ordering::Relaxed))
            {
                searcher.clear()?;
                let control = SearchControl::with_stop_flag(Arc::clone(&self.stop));
                let game = AnyGame::from_position(*position);
                let found = searcher.search_under(&control, &game, &[], &limits, &mut |_| {});
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                let mut round = lock();
                round.scores.insert(position.key(), found.score);
                round
                    .write_finished(self.file)
                    .inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
                self.bar.inc(1);
            }
            anyhow::Ok(())
        };
        if !positions.is_empty() {
            on_search_threads(self.threads.min(positions.len()), work)?;
        }
        let mut round = round.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Those for which nothing had to be searched.
        round.write_finished(self.file)?;
        Ok(round.lines)
    }
}

struct Round<'a> {
    tree: &'a BookTree,
    leaves: &'a [Leaf],
    scores: HashMap<Key, Score>,
    /// The lines already written: those of the first leaves.
    lines: Vec<String>,
}

impl Round<'_> {
    fn write_finished(&mut self, mut file: &File) -> io::Result<()> {
        while let Some(&leaf) = self.leaves.get(self.lines.len())
            && let Some(line) = self.tree.line(leaf, &self.scores)
        {
            // One write per line: an interruption cuts off at most one line.
            file.write_all(format!("{line}\n").as_bytes())?;
            self.lines.push(line);
        }
        Ok(())
    }
}

/// The results of the games with each position of a tree, and the number of faulty games.
fn count_games(
    paths: &[PathBuf],
    tree: &BookTree,
    variant: Variant,
) -> anyhow::Result<(HashMap<Key, BookResults>, u64)> {
    let mut results = HashMap::<Key, BookResults>::new();
    let mut is_empty = !paths.is_empty();
    let faulty = for_each_sound_game(paths, |game| {
        if game.start.variant() != variant {
            return Ok(());
        }
        is_empty = false;
        let mut position = game.start;
        let mut keys = HashSet::from([position.key()]);
        keys.extend(game.moves.iter().map(|played| {
            position.make(played.mv);
            position.key()
        }));
        for key in keys.into_iter().filter(|&key| tree.contains(key)) {
            results.entry(key).or_default().add(game.result);
        }
        Ok(())
    })?;
    if is_empty {
        bail!("--games: there is no game of {}", variant.title());
    }
    Ok((results, faulty))
}

fn probe(options: &ProbeOptions) -> anyhow::Result<()> {
    let game = game(&options.position)?;
    let position = game.position();
    let book = options.book.load(position.variant())?;
    let known = book.probe(position).context("the position is not in the book")?;
    if options.json {
        let data = BookData::of(&book, position);
        writeln!(stdout(), "{}", serde_json::to_string(&data)?)?;
        return Ok(());
    }
    let games = games_text(known.entry.results, position.side_to_move());
    let mut out = stdout().lock();
    writeln!(out, "{position}\nScore {}{games}", score_text(known.entry.score))?;
    if known.moves.is_empty() {
        writeln!(out, "A line of the book ends here.")?;
        return Ok(());
    }
    let line = |known: &BookMove| {
        position.san_line(&book.line_from(position, known.mv, LINE_PLIES)).join(" ")
    };
    writeln!(out, "\n{:>8} {:>8} {:>7}  Line", "Score", "Games", "Points")?;
    for known in &known.moves {
        let share = known.results.share(position.side_to_move());
        let share = share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share));
        let (score, games) = (score_text(known.score), known.results.games());
        writeln!(out, "{score:>8} {games:>8} {share:>7}  {}", line(known))?;
    }
    Ok(())
}

fn games_text(results: BookResults, side: Color) -> String {
    results.share(side).map_or(String::new(), |share| {
        let games = counted(results.games(), "game");
        format!(", {side:?} scored {:.1} % of {games}", 100.0 * share)
    })
}

fn stats(options: &StatsOptions) -> anyhow::Result<()> {
    let variant = options.game.variant;
    let book = options.book.load(variant)?;
    let start = variant.start();
    let known = book.probe(&start).context("the book has no start")?;
    let (mut expanded, mut deepest) = (0, 0);
    for (_, known, plies) in book.reachable(&start) {
        expanded += u64::from(!known.moves.is_empty());
        // The nearest come first.
        deepest = plies;
    }
    let mut out = stdout().lock();
    writeln!(out, "{}, {}", variant.title(), book.origin())?;
    writeln!(
        out,
        "{}, {expanded} of them with all moves, up to {deepest} plies{}\n",
        counted(book.len() as u64, "position"),
        games_text(known.entry.results, Color::White)
    )?;
    writeln!(out, "{:8} {:>8} {:>10} {:>8}", "Move", "Score", "Positions", "Games")?;
    for BookMove { mv, score, results } in known.moves {
        let positions = book.reachable(&start.after(mv)).count();
        let (san, score, games) = (start.san(mv), score_text(score), results.games());
        writeln!(out, "{san:8} {score:>8} {positions:>10} {games:>8}")?;
    }
    Ok(())
}

fn export(options: &ExportOptions) -> anyhow::Result<()> {
    let game = game(&options.position)?;
    let position = game.position();
    let book = options.book.load(position.variant())?;
    book.entry(position).context("the position is not in the book")?;
    options.output.write(|out| {
        if options.pgn {
            let mut tree = PgnTree { book: &book, loss: options.loss, seen: HashSet::new() };
            let mut record = PgnGame::from_position(*position);
            record.set_tag("Event", format!("Opening book: {}", book.origin()));
            record.moves = tree.line(*position, *options.plies.end() as usize, 0);
            return Ok(record.write_to(out, Notation::San)?);
        }
        let model = WdlModel::fitted(position.variant());
        let (mut written, mut deepest) = (0, 0);
        for (position, known, plies) in book.reachable(position) {
            // The nearest come first.
            deepest = plies as u32;
            let score = known.entry.score;
            let expected = (100.0 * model.chances(for_white(score, &position)).expected()).round();
            if options.plies.contains(&deepest) && options.expected.contains(&(expected as u32)) {
                let score = operation("ce", vec![centipawns(score).to_string()]);
                writeln!(out, "{}", epd_text(&position, &[score]))?;
                written += 1;
            }
        }
        if written == 0 {
            bail!("no position fits --plies and --expected; the book ends after {deepest} plies");
        }
        Ok(())
    })
}

fn for_white(score: Score, position: &AnyPosition) -> Score {
    if position.side_to_move() == Color::White { score } else { -score }
}

/// Lines of a book as PGN. Where moves transpose, only the first line goes on.
struct PgnTree<'a> {
    book: &'a Book,
    loss: i32,
    seen: HashSet<Key>,
}

impl PgnTree<'_> {
    /// The best moves of at most this many plies, with the others as variations.
    fn line(&mut self, mut position: AnyPosition, plies: usize, depth: usize) -> Vec<PgnMove> {
        let mut line = Vec::new();
        let mut branches = Vec::new();
        for left in (0..plies).rev() {
            if !self.seen.insert(position.key()) {
                break;
            }
            let known = self.book.probe(&position);
            let good = known.as_ref().map_or(&[][..], |known| known.good_moves(self.loss));
            let Some((best, others)) = good.split_first() else { break };
            branches.push((position, others.to_vec(), left));
            line.push(commented(&position, best));
            position.make(best.mv);
        }
        if depth < DEEPEST_VARIATION {
            for (played, (position, others, left)) in line.iter_mut().zip(branches) {
                played.variations.extend(others.iter().map(|other| {
                    let mut variation = vec![commented(&position, other)];
                    variation.extend(self.line(position.after(other.mv), left, depth + 1));
                    variation
                }));
            }
        }
        line
    }
}

fn commented(position: &AnyPosition, known: &BookMove) -> PgnMove {
    let score = for_white(known.score, position);
    let comment = Some(eval_command(score, Depth::default()));
    PgnMove { comment, ..known.mv.into() }
}
