//! `qirkat puzzles`: solve positions of a suite.

mod session;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{Write, stdout};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{anyhow, bail};
use clap::builder::StringValueParser;
use clap::{Args, Subcommand};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use self::session::{Answers, Session, Tally};
use super::suite;
use crate::shared::exit_status::{fail_if_interrupted, interrupt_flag};
use crate::shared::files::AtPath;
use crate::shared::options::{GameChoice, SearchResources, named, range};
use crate::shared::run_conditions::{Conditions, ResumableOptions, open_resumable, stopped_before};
use crate::shared::terminal::{self, report};
use qirkat_analysis::puzzles::{Miner, built_in};
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst};
use qirkat_analysis::suite::{TestPosition, read_suite};
use qirkat_engine::FULL_SKILL;
use qirkat_game::text::{Excerpt, counted};
use qirkat_game::{Key, Rules};
use qirkat_search::on_search_threads;
use qirkat_system::host::random;

/// The themes of the built-in puzzles; files may have others.
const THEMES: &str = "mate mate-1 mate-2 mate-3 mate-4 mate-5 mate-6 win defence last-safe-step fork \
    pin leg discovered-check double-check promotion sacrifice quiet chain opening middle-game ending";

#[derive(Subcommand)]
enum PuzzleTask {
    /// Find puzzles in games that the engine plays against itself
    #[command(after_help = MINE_HELP)]
    Mine(MineOptions),
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct PuzzleOptions {
    #[command(subcommand)]
    task: Option<PuzzleTask>,
    #[command(flatten)]
    game: GameChoice,
    /// Positions in EPD with `bm`; those in the program when not given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only puzzles of this theme: mate, mate-1 to mate-6, win, defence, fork, pin, leg,
    /// discovered-check, double-check, promotion, sacrifice, quiet, opening, middle-game,
    /// ending; of Alquerque last-safe-step and chain
    #[arg(long, value_name = "THEME", value_parser = named(StringValueParser::new(), THEMES.split(' ')), hide_possible_values = true)]
    theme: Option<String>,
    /// Only puzzles as hard as this: N or N-M, from 0 to 20
    #[arg(long, value_name = "LEVEL", value_parser = levels)]
    level: Option<RangeInclusive<u8>>,
    /// The puzzle with this name; can be given several times
    #[arg(long, value_name = "ID", conflicts_with_all = ["theme", "level"])]
    id: Vec<String>,
    /// How many puzzles; all when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// In random order
    #[arg(long)]
    random: bool,
    /// Seed of the random order: the same seed gives the same puzzles
    #[arg(long, value_name = "N", requires = "random")]
    seed: Option<u64>,
    /// Positions that the engine visits to find out what is wrong with a move
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    resources: SearchResources,
}

pub(crate) const HELP: &str = "\
Answer with a move such as Nc3 or b1c3, or with
  hint      a bit of help, more each time
  solution  the move and what follows
  skip      the next puzzle
  board     the board once more
  quit      the end; so do Ctrl-C and the end of input

Examples:
  Mates in two:
    qirkat puzzles --theme mate-2
  Five easy puzzles of Masonic chess:
    qirkat puzzles --game masonic --level 0-6 --random --count 5";

/// Shows puzzles on standard output and reads answers from standard input, line by line. Ctrl-C or
/// end of input ends it with the score.
pub(crate) fn run(options: &PuzzleOptions) -> anyhow::Result<()> {
    if let Some(PuzzleTask::Mine(options)) = &options.task {
        return mine(options);
    }
    let (puzzles, seed) = choose(options)?;
    if let (Some(seed), None) = (seed, options.seed) {
        writeln!(stdout(), "In random order; --seed {seed} gives the same.")?;
    }
    let stop = interrupt_flag();
    let analyst = EngineAnalyst::new(AnalystBudget::Nodes(options.nodes), 0, stop.clone());
    let (answers, resources) = (Answers::read(stop)?, &options.resources);
    Session { answers, analyst, resources, tally: Tally::default(), has_left: false }
        .run(&puzzles)?;
    fail_if_interrupted()
}

fn choose(options: &PuzzleOptions) -> anyhow::Result<(Vec<TestPosition>, Option<u64>)> {
    let variant = options.game.variant;
    let mut puzzles = match &options.file {
        Some(path) => suite::read_file(path, variant)?,
        None => built_in(variant).to_vec(),
    };
    if let Some(puzzle) = puzzles.iter().find(|puzzle| puzzle.best.is_empty()) {
        bail!("the puzzle `{}` has no `bm` with the best moves", Excerpt::of(&puzzle.id));
    }
    for id in &options.id {
        if !puzzles.iter().any(|puzzle| puzzle.id == *id) {
            let (first, last) = (&puzzles[0].id, &puzzles[puzzles.len() - 1].id);
            bail!("--id: no puzzle is called `{}`; they are {first} to {last}", Excerpt::of(id));
        }
    }
    if !options.id.is_empty() {
        puzzles.retain(|puzzle| options.id.contains(&puzzle.id));
    }
    if let Some(theme) = &options.theme {
        let themes = themes(&puzzles);
        puzzles.retain(|puzzle| puzzle.has_theme(theme));
        if puzzles.is_empty() {
            bail!("--theme: no puzzle is of `{}`; there are {themes}", Excerpt::of(theme));
        }
    }
    if let Some(levels) = &options.level {
        puzzles.retain(|puzzle| puzzle.level.is_some_and(|level| levels.contains(&level)));
        if puzzles.is_empty() {
            bail!("--level: no puzzle is of a level from {} to {}", levels.start(), levels.end());
        }
    }
    // 32 bits are short enough to type.
    let seed = options.random.then(|| options.seed.unwrap_or_else(|| random() >> u32::BITS));
    if let Some(seed) = seed {
        puzzles.shuffle(&mut StdRng::seed_from_u64(seed));
    }
    puzzles.truncate(options.count.map_or(usize::MAX, |count| count as usize));
    Ok((puzzles, seed))
}

fn levels(text: &str) -> Result<RangeInclusive<u8>, String> {
    range(text, "-")
        .filter(|levels| u32::from(*levels.end()) <= FULL_SKILL)
        .ok_or_else(|| format!("not a level from 0 to {FULL_SKILL}, nor two such as 4-8"))
}

fn themes(puzzles: &[TestPosition]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for theme in puzzles.iter().flat_map(|puzzle| &puzzle.themes) {
        match counts.iter_mut().find(|(known, _)| known == theme) {
            Some((_, count)) => *count += 1,
            None => counts.push((theme, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts.iter().map(|&(theme, _)| theme).collect::<Vec<_>>().join(", ")
}

#[derive(Args)]
pub(crate) struct MineOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// Output file for puzzles, as lines of EPD; an existing one is continued with --resume
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Puzzles wanted, including those in the file already
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    #[command(flatten)]
    games: ResumableOptions,
}

const MINE_HELP: &str = "\
The engine plays games against itself at levels that make mistakes, and saves
positions in which only one move wins, mates or saves the game. Each puzzle has
its themes (c1) and its difficulty from 0 to 20 (c2).

Examples:
  A hundred puzzles of Masonic chess, on all cores:
    qirkat puzzles mine --game masonic --output masonic.epd
  Continue after Ctrl-C, up to a thousand:
    qirkat puzzles mine --output mined.epd --count 1000 --resume";

const CONDITIONS_COMMENT: &str =
    "# How the puzzles beside this file were mined. `qirkat puzzles mine --resume` reads it.";

fn mine(options: &MineOptions) -> anyhow::Result<()> {
    let (path, variant) = (&options.output, options.game.variant);
    let is_continued = options.games.is_continued(path)?;
    let evaluation = options.games.eval_file.evaluation(variant)?;
    let conditions_path = path.with_added_extension("mine.toml");
    let mut conditions = Conditions::default();
    conditions.set("--game", variant.name());
    conditions.set_network(&evaluation);
    let (file, text) =
        open_resumable(path, is_continued, &conditions_path, &conditions, CONDITIONS_COMMENT)?;
    let mut known = Vec::new();
    if !text.is_empty() {
        known = read_suite(text.as_bytes(), &path.display().to_string(), variant)?;
    }
    let next = known.last().map(game_number).transpose()?.map_or(1, |last| last + 1);
    let (stop, count, wanted) = (interrupt_flag(), known.len() as u64, options.count);
    let template = "{bar:30} {pos}/{len} puzzles, {eta} left, {msg}";
    let bar = terminal::bar_from(template, count, wanted);
    let seen = known.iter().map(|puzzle| puzzle.position.key()).collect();
    let next_game = AtomicU64::new(next);
    let found = MinedPuzzles { next, waiting: BTreeMap::new(), seen, count, wanted, file };
    let found = Mutex::new(found);
    let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut miner = Miner::new(&evaluation, Arc::clone(&stop))?;
        while !stop.load(Ordering::Relaxed) && !lock().has_enough() {
            let number = next_game.fetch_add(1, Ordering::Relaxed);
            let puzzle = miner.mine(number)?;
            // An aborted game is replayed on resuming.
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut found = lock();
            found.add(number, puzzle)?;
            bar.set_position(found.count);
            bar.set_message(format!("{} games", found.next - 1));
        }
        anyhow::Ok(())
    };
    if count < wanted {
        on_search_threads(options.games.threads.count(), work).at_path(path)?;
    }
    bar.finish_and_clear();
    let found = lock();
    let (puzzles, games) = (counted(found.count, "puzzle"), counted(found.next - 1, "game"));
    report(format_args!("{}: {puzzles} of {games}", path.display()));
    if found.has_enough() { Ok(()) } else { Err(stopped_before(wanted).into()) }
}

/// The number of the game that a puzzle was mined from. A puzzle's name is the variant's first
/// letter and that number.
fn game_number(puzzle: &TestPosition) -> anyhow::Result<u64> {
    let digits = puzzle.id.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    digits.parse().map_err(|_| anyhow!("`{}` is not the id of a mined puzzle", puzzle.id))
}

/// The output file and puzzles waiting for earlier games: puzzles are written in game order, so
/// that the output does not depend on the number of threads.
struct MinedPuzzles {
    next: u64,
    waiting: BTreeMap<u64, Option<TestPosition>>,
    /// Positions already used, to skip repeats.
    seen: HashSet<Key>,
    count: u64,
    wanted: u64,
    file: File,
}

impl MinedPuzzles {
    fn has_enough(&self) -> bool {
        self.count >= self.wanted
    }

    /// Adds the result of a game, and writes the puzzles whose earlier games are all finished.
    fn add(&mut self, number: u64, puzzle: Option<TestPosition>) -> std::io::Result<()> {
        self.waiting.insert(number, puzzle);
        while !self.has_enough()
            && let Some(puzzle) = self.waiting.remove(&self.next)
        {
            if let Some(mut puzzle) = puzzle
                && self.seen.insert(puzzle.position.key())
            {
                let game = puzzle.position.variant().name();
                puzzle.id = format!("{}{}", &game[..1], self.next);
                // One write per line: an interruption cuts off at most one line.
                self.file.write_all(format!("{}\n", puzzle.epd()).as_bytes())?;
                self.count += 1;
            }
            self.next += 1;
        }
        Ok(())
    }
}
