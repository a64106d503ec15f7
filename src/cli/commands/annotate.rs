//! `qirkat annotate`: reviews the games of files.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use plotters::prelude::*;

use crate::shared::exit_status::{FaultsFound, Interrupted, interrupt_flag};
use crate::shared::files::{
    AtPath, Overwrite, check_not_compressed, is_nonempty_file, open_file, with_suffix,
};
use crate::shared::games::{for_each_game_to_copy, notations};
use crate::shared::options::{SearchResources, positive_time};
use crate::shared::review_report::{self, ReportStyle};
use crate::shared::run_conditions::{Conditions, checksum};
use crate::shared::terminal;
use qirkat_analysis::review::{
    AnalystBudget, AnnotationStyle, EngineAnalyst, GameReview, LeftBook, Mark, ReviewData,
    annotate, review_game,
};
use qirkat_engine::BUILD_NAME;
use qirkat_engine::book::Book;
use qirkat_game::Rules;
use qirkat_game::distance::Depth;
use qirkat_game::text::{counted, one_line};
use qirkat_rules::pgn::{Notation, PgnGame, PgnReader};
use qirkat_system::machine::cores;
use qirkat_system::output_file::{
    AtomicFile, open_exclusive, part_of, register_unfinished, rename, unregister_unfinished,
};

pub(crate) fn run(options: &AnnotateOptions) -> Result<()> {
    check(options)?;
    let mut out_file =
        options.output.as_ref().map(|path| AnnotatedFile::open(path, options)).transpose()?;
    let done = out_file.as_ref().map_or(0, |out_file| out_file.games);
    let (mut read, mut games) = (0, Vec::new());
    let output = options.output.as_deref();
    let counts = for_each_game_to_copy(&options.files, options.game, output, |number, found| {
        read += 1;
        // Finished games are only counted.
        let is_new = read > done;
        if is_new {
            games.push((number, found.game.clone()));
        }
        Ok(is_new)
    })?;
    if let Some(game) = options.game.filter(|&game| game > counts.all) {
        bail!("--game {game}: there are no more than {}", counts.all);
    }
    let stop = interrupt_flag();
    let moves = games.iter().map(|(_, game)| game.moves.len() as u64).sum();
    let analyst = EngineAnalyst::new(options.budget.for_analyst(), moves, stop.clone());
    let mut reviewer = Reviewer { options, analyst, stop, reviewed: done };
    for (number, game) in &games {
        reviewer.review(game, *number, out_file.as_mut())?;
    }
    if let Some(out_file) = out_file {
        let text =
            format!("{}: {} annotated", out_file.path.display(), counted(out_file.games, "game"));
        out_file.finish()?;
        terminal::report(text);
    }
    FaultsFound::fail_if(counts.faulty > 0)
}

/// How many numbered pictures of an earlier run are looked for before starting.
const MAX_OLD_PICTURES: u64 = 1000;

/// Whether pictures may be overwritten: a resumed review redraws its own.
fn picture_overwrite(options: &AnnotateOptions) -> Overwrite {
    Overwrite { overwrite: options.overwrite.overwrite || options.resume }
}

fn check(options: &AnnotateOptions) -> Result<()> {
    if let Some(path) = &options.svg {
        let numbers = (1..=MAX_OLD_PICTURES).map(|number| (number, numbered(path, number)));
        for (_, path) in numbers.filter(|(number, path)| *number == 1 || path.exists()) {
            picture_overwrite(options).begin(&path, "")?;
        }
    }
    let reads_input = options.files.iter().any(|path| path == Path::new("-"));
    if reads_input && options.resume {
        bail!("--resume needs files: standard input cannot be read again");
    }
    if reads_input && options.budget.total_time.is_some() {
        bail!("--total-time needs files: the length of standard input is not known");
    }
    let mut files = options.files.iter().filter(|path| *path != Path::new("-"));
    files.try_for_each(|path| open_file(path).map(drop))
}

struct Reviewer<'a> {
    options: &'a AnnotateOptions,
    analyst: EngineAnalyst,
    stop: Arc<AtomicBool>,
    /// Games finished, including those of an earlier run.
    reviewed: u64,
}

impl Reviewer<'_> {
    fn review(
        &mut self,
        game: &PgnGame,
        number: u64,
        mut out_file: Option<&mut AnnotatedFile>,
    ) -> Result<()> {
        let template = "{bar:30} {msg}: {pos} of {len} moves, {eta} left";
        let bar = terminal::bar_from(template, 0, game.moves.len() as u64);
        bar.set_message(format!("game {number}"));
        let (variant, resources) = (game.start.variant(), &self.options.resources);
        let threads = resources.threads(self.options.budget.default_threads());
        self.analyst.begin(variant, || resources.searcher_on(threads, variant))?;
        let moving_bar = bar.clone();
        self.analyst.on_reviewed(move |_| moving_bar.inc(1));
        let mut review = review_game(game, &mut self.analyst);
        review.left_book = LeftBook::of(game, Book::embedded(variant));
        bar.finish_and_clear();
        if self.stop.load(Ordering::Relaxed) {
            return self.end_interrupted(game, number, &review, out_file);
        }
        self.reviewed += 1;
        let style = AnnotationStyle {
            variation_plies: usize::from(self.options.variation),
            drop_comments: self.options.drop_comments,
        };
        let annotated = annotate(game, &review, style);
        if let Some(out_file) = &mut out_file {
            out_file.add(&annotated, self.options.notation)?;
        }
        self.print(&if self.options.json {
            serde_json::to_string(&ReviewData::of(game, &review))? + "\n"
        } else if self.options.pgn {
            annotated.written_in(self.options.notation).to_string()
        } else {
            self.report(game, number, &review)
        })?;
        if let Some(path) = &self.options.svg {
            let path = numbered(path, self.reviewed);
            let file = picture_overwrite(self.options).begin(&path, "")?;
            draw(file, game, &review).at_path(&path)?;
        }
        Ok(())
    }

    /// Prints lines. If the result goes to files, a closed pipe is ignored.
    fn print(&self, text: &str) -> Result<()> {
        let has_files = self.options.output.is_some() || self.options.svg.is_some();
        Ok(terminal::print_result(text.strip_suffix('\n').unwrap_or(text), has_files)?)
    }

    fn report(&self, game: &PgnGame, number: u64, review: &GameReview) -> String {
        let style = ReportStyle {
            all_moves: self.options.moves,
            width: terminal::width(),
            unicode: terminal::shows_unicode(),
        };
        review_report::text(game, number, review, style)
    }

    /// Ends an interrupted review. A review runs from the end of the game. The reviewed moves are
    /// shown but not saved: a resumed run reviews the game again.
    fn end_interrupted(
        &self,
        game: &PgnGame,
        number: u64,
        review: &GameReview,
        out_file: Option<&mut AnnotatedFile>,
    ) -> Result<()> {
        if !self.options.json && !self.options.pgn && !review.moves.is_empty() {
            self.print(&self.report(game, number, review))?;
        }
        let resume_hint = out_file.map_or_else(String::new, |out_file| {
            let [path, saved] = [&out_file.path, &out_file.work_path].map(|path| path.display());
            match out_file.games {
                _ if out_file.work_path == out_file.path => "; continue with --resume".to_owned(),
                0 => format!("; {path} stays as it was"),
                _ => format!(
                    ", saved in {saved}; {path} stays until all are done; continue with --resume"
                ),
            }
        });
        let (done, all) = (review.moves.len(), game.moves.len());
        let text = format!(
            "stopped in game {number}, after the last {done} of its {all} moves; {} annotated before{resume_hint}",
            counted(self.reviewed, "game")
        );
        Err(Interrupted(text).into())
    }
}

/// The first picture has the given name, the others a number in it.
fn numbered(path: &Path, number: u64) -> PathBuf {
    if number <= 1 { path.to_owned() } else { with_suffix(path, &number.to_string()) }
}

#[derive(Args)]
#[command(mut_arg("threads", |arg| arg.help(THREADS)))]
pub(crate) struct AnnotateOptions {
    /// PGN files; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// Only this game of the files, counted from 1 over all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    #[command(flatten)]
    budget: ReviewBudget,
    #[command(flatten)]
    resources: SearchResources,
    /// Write the annotated games to this file in PGN, each as it is done
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue where --output ends, with the same files and options
    #[arg(long, requires = "output", conflicts_with_all = ["json", "overwrite"])]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Print annotated PGN instead of the report
    #[arg(long, conflicts_with_all = ["json", "output"])]
    pgn: bool,
    /// Print a JSON object for each game instead of the report
    #[arg(long)]
    json: bool,
    /// Draw the chances of each game into an SVG file; from the second game on
    /// with `-2`, `-3` in its name
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// List every move in the report, not only the turning points
    #[arg(long)]
    moves: bool,
    /// How moves are written in PGN: lan or san
    #[arg(long, value_name = "NOTATION", default_value_t = Notation::San, value_parser = notations(), hide_possible_values = true)]
    notation: Notation,
    /// Plies of a variation in PGN; mates are shown to their end
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    variation: u16,
    /// Leave out old comments, except commands such as `[%clk ...]`
    #[arg(long)]
    drop_comments: bool,
}

const DEFAULT_TIME: Duration = Duration::from_millis(300);

// The time, nodes or depth of a review.
#[derive(Args)]
struct ReviewBudget {
    /// Milliseconds for each move; a whole review, reasons included, takes at most
    /// twice that per move on average; 300 if there is no other limit
    #[arg(long, value_name = "MS", group = "review_budget", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Positions to visit in each search; makes reviews reproducible
    #[arg(long, value_name = "N", group = "review_budget", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies of each search; makes reviews reproducible
    #[arg(long, value_name = "PLIES", group = "review_budget", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    depth: Option<i16>,
    /// Time for all games together, in seconds or as minutes:seconds
    #[arg(long, value_name = "TIME", group = "review_budget", value_parser = positive_time)]
    total_time: Option<Duration>,
}

impl ReviewBudget {
    pub fn for_analyst(&self) -> AnalystBudget {
        match (self.nodes, self.depth, self.total_time) {
            (Some(nodes), ..) => AnalystBudget::Nodes(nodes),
            (_, Some(depth), _) => AnalystBudget::Depth(Depth(depth)),
            (.., Some(time)) => AnalystBudget::Until(Instant::now() + time),
            _ => AnalystBudget::Time(self.movetime.map_or(DEFAULT_TIME, Duration::from_millis)),
        }
    }

    /// The default number of threads: all cores, or one if the review must be reproducible.
    pub fn default_threads(&self) -> usize {
        if self.nodes.is_some() || self.depth.is_some() { 1 } else { cores() }
    }
}

const THREADS: &str =
    "Threads to search with; all cores when not given, but one with --nodes or --depth";

pub(crate) const HELP: &str = "\
Marks: ?! inaccuracy (5 to 10 % of a win lost), ? mistake (10 to 20 %),
?? blunder (more). With --nodes or --depth a review is the same every time,
unless --threads is more than one. Ctrl-C keeps the finished games.

Examples:
  The first game, its turning points and a graph:
    qirkat annotate games.pgn --game 1
  All games into a file of annotated ones, in half an hour:
    qirkat annotate games.pgn --output annotated.pgn --total-time 30:00
  For programs, the same every time:
    qirkat annotate games.pgn --json --nodes 20000 > reviews.jsonl";

const CONDITIONS_COMMENT: &str =
    "# How the games beside this file were annotated. `qirkat annotate --resume` reads it.";

/// A locked output file of annotated games. If it replaces an existing file, the old one stays
/// until all games are done; until then the new games are in a file beside it, which can be
/// resumed.
struct AnnotatedFile {
    pub path: PathBuf,
    pub work_path: PathBuf,
    file: File,
    /// Replaces the old file at the end, if the games are written beside it.
    replacement: Option<AtomicFile>,
    pub games: u64,
    is_new: bool,
}

impl AnnotatedFile {
    /// Opens the file: a new one, or with `--resume` the one made with the same options. Fails if
    /// it exists already, or was made with other options or from other games.
    pub fn open(path: &Path, options: &AnnotateOptions) -> Result<AnnotatedFile> {
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            bail!("{} is not a regular file; --pgn prints the games", path.display());
        }
        check_not_compressed(path).at_path(path)?;
        if !options.resume {
            options.overwrite.begin(path, "continue with --resume, ")?;
        }
        let unfinished = part_of(path);
        let was_broken_off = || unfinished.exists() && conditions_file(&unfinished).exists();
        let replaces = if options.resume { was_broken_off() } else { is_nonempty_file(path) };
        let work_path = if replaces { unfinished } else { path.to_owned() };
        let conditions_path = conditions_file(&work_path);
        Conditions::check_replaceable(&conditions_path)?;
        let conditions = conditions(options)?;
        let is_resumed = options.resume && is_nonempty_file(&work_path);
        if is_resumed {
            conditions.check_resumable(&work_path, &conditions_path)?;
        }
        let is_new = !is_resumed && (replaces || !work_path.exists());
        let replacement = replaces.then(|| AtomicFile::resume(path).at_path(path)).transpose()?;
        let file = match &replacement {
            Some(replacement) => replacement.content.get_ref().try_clone(),
            None => open_exclusive(path, OpenOptions::new().create(true).read(true).write(true)),
        };
        let file = file.at_path(&work_path)?;
        if !options.resume {
            file.set_len(0).at_path(&work_path)?;
        }
        let mut out_file =
            AnnotatedFile { path: path.to_owned(), work_path, file, replacement, games: 0, is_new };
        if out_file.is_new_and_empty() {
            out_file.files().iter().for_each(|path| register_unfinished(path));
        }
        if is_resumed {
            out_file.count().at_path(&out_file.work_path.clone())?;
        }
        conditions.write(&conditions_path, CONDITIONS_COMMENT)?;
        Ok(out_file)
    }

    /// Moves the finished file into place. Without any game, the old file stays.
    pub fn finish(mut self) -> Result<()> {
        if self.games > 0
            && let Some(replacement) = self.replacement.take()
        {
            replacement.finish().at_path(&self.path)?;
            let [from, to] = [&self.work_path, &self.path].map(|path| conditions_file(path));
            rename(&from, &to).at_path(&to)?;
        }
        Ok(())
    }

    fn is_new_and_empty(&self) -> bool {
        self.games == 0 && self.is_new
    }

    fn files(&self) -> [PathBuf; 2] {
        [self.work_path.clone(), conditions_file(&self.work_path)]
    }

    /// Counts the complete games and removes an incomplete one at the end, which is reviewed again.
    fn count(&mut self) -> Result<()> {
        let mut end = 0;
        let mut games = PgnReader::new(BufReader::new(&self.file));
        while let Some(read) = games.next() {
            match read {
                Ok(read) if read.written_result.is_some() => end = games.offset(),
                // Only the last game can be cut off.
                _ if games.any(|read| read.is_ok_and(|read| read.written_result.is_some())) => {
                    bail!(
                        "game {} is incomplete, but others follow it: repair it, or name another file",
                        self.games + 1
                    )
                }
                _ => break,
            }
            self.games += 1;
        }
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::End(0))?;
        if end > 0 {
            self.file.write_all(b"\n\n")?;
        }
        Ok(())
    }

    pub fn add(&mut self, game: &PgnGame, notation: Notation) -> Result<()> {
        let text = game.written_in(notation).to_string();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.at_path(&self.work_path)?;
        self.games += 1;
        self.files().iter().for_each(|path| unregister_unfinished(path));
        Ok(())
    }
}

impl Drop for AnnotatedFile {
    /// Leaves reviewed games for `--resume`; removes the files if there are none.
    fn drop(&mut self) {
        let is_new_and_empty = self.is_new_and_empty();
        let replacement = self.replacement.take();
        if is_new_and_empty {
            drop(replacement);
            let _ = self.files().map(fs::remove_file);
        } else {
            replacement.into_iter().for_each(AtomicFile::leave);
        }
    }
}

fn conditions_file(path: &Path) -> PathBuf {
    path.with_added_extension("annotate.toml")
}

fn conditions(options: &AnnotateOptions) -> Result<Conditions> {
    let mut all = Conditions::default();
    for (number, path) in (1..).zip(&options.files) {
        let sum = if path == Path::new("-") {
            "standard input".to_owned()
        } else {
            checksum(path).at_path(path)?
        };
        all.set(format!("games {number}"), sum);
    }
    let budget = &options.budget;
    all.set_resources(&options.resources, budget.default_threads());
    all.set_given("--game", options.game);
    all.set_given("--movetime", budget.movetime);
    all.set_given("--nodes", budget.nodes);
    all.set_given("--depth", budget.depth);
    let total_time = budget.total_time.map(|time| format!("{} s", time.as_secs_f64()));
    all.set_given("--total-time", total_time);
    all.set("--notation", options.notation);
    all.set("--variation", options.variation);
    all.set("--drop-comments", options.drop_comments);
    all.set("program", BUILD_NAME);
    Ok(all)
}

const SIZE: (u32, u32) = (960, 400);
const FONT: (&str, u32) = ("sans-serif", 16);
const NAME_LENGTH: usize = 40;
const WON_FOR_WHITE: RGBColor = RGBColor(232, 226, 208);
const WON_FOR_BLACK: RGBColor = RGBColor(88, 84, 78);
const LINE: RGBColor = RGBColor(178, 58, 38);

fn draw(mut file: AtomicFile, game: &PgnGame, review: &GameReview) -> Result<()> {
    let mut svg = String::new();
    plot(&mut svg, game, review).map_err(|error| anyhow!("{error}"))?;
    file.content.write_all(svg.as_bytes())?;
    Ok(file.finish()?)
}

fn plot(svg: &mut String, game: &PgnGame, review: &GameReview) -> Result<(), Box<dyn Error>> {
    let points = points(review);
    let (first, last) = match (points.first(), points.last()) {
        (Some(first), Some(last)) => (first.0, last.0.max(first.0 + 0.5)),
        _ => (0.0, 1.0),
    };
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption(title(game), ("sans-serif", 20))
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(first..last, 0.0..100.0)?;
    chart.plotting_area().fill(&WON_FOR_BLACK)?;
    let below: Vec<(f64, f64)> =
        [(first, 0.0)].into_iter().chain(points.iter().copied()).chain([(last, 0.0)]).collect();
    chart.draw_series([Polygon::new(below, WON_FOR_WHITE.filled())])?;
    chart
        .configure_mesh()
        .x_desc("move")
        .y_desc("White's expected points, per cent")
        .x_label_formatter(&|number| format!("{number:.0}"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .label_style(FONT)
        .axis_desc_style(FONT)
        .draw()?;
    chart.draw_series(LineSeries::new(points.iter().copied(), LINE.stroke_width(2)))?;
    for mark in Mark::ALL {
        let color = color_of(mark);
        let dots = review
            .moves
            .iter()
            .zip(points.iter().skip(1))
            .filter(|(review, _)| review.mark == Some(mark))
            .map(|(_, &point)| Circle::new(point, 5, color.filled()));
        chart
            .draw_series(dots)?
            .label(mark.to_string())
            .legend(move |(x, y)| Circle::new((x + 10, y), 5, color.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(FONT)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}

fn color_of(mark: Mark) -> RGBColor {
    match mark {
        Mark::Inaccuracy => RGBColor(230, 180, 40),
        Mark::Mistake => RGBColor(230, 120, 30),
        Mark::Blunder => RGBColor(200, 30, 30),
    }
}

/// Move numbers (halves for Black) with White's expected points in per cent.
fn points(review: &GameReview) -> Vec<(f64, f64)> {
    let numbers = review.moves.iter().map(|review| {
        let half =
            if review.position.side_to_move() == qirkat_game::Color::White { 0.0 } else { 0.5 };
        f64::from(review.position.fullmove_number()) + half
    });
    let start = numbers.clone().next().map(|first| first - 0.5);
    let expected = review.white_expectations();
    start.into_iter().chain(numbers).zip(expected.into_iter().map(|share| 100.0 * share)).collect()
}

fn title(game: &PgnGame) -> String {
    let name = |tag: &str| one_line(game.tag(tag).unwrap_or("?"), NAME_LENGTH);
    format!("{} - {}, {}", name("White"), name("Black"), game.result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_numbered() {
        for (number, name) in [(1, "a/b.svg"), (2, "a/b-2.svg"), (10, "a/b-10.svg")] {
            assert_eq!(numbered(Path::new("a/b.svg"), number), Path::new(name));
        }
        assert_eq!(numbered(Path::new("b"), 3), Path::new("b-3"));
    }
}
