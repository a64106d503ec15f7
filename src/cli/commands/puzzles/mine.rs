//! `qirkat puzzles mine`: finds puzzles in self-play games.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::anyhow;
use clap::Args;
use indicatif::ProgressBar;

use crate::shared::exit_status::interrupt_flag;
use crate::shared::files::{AtPath, open_results};
use crate::shared::options::GameChoice;
use crate::shared::own_games::{SelfPlayOptions, stopped_before, whole_lines};
use crate::shared::run_settings::RunSettings;
use crate::shared::terminal::{self, report};
use qirkat_analysis::puzzles::Miner;
use qirkat_analysis::suite::{Problem, read_suite};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::text::counted;
use qirkat_game::{Key, Rules};
use qirkat_rules::variant::Variant;
use qirkat_search::on_search_threads;

#[derive(Args)]
pub(crate) struct MineOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// Where the puzzles go, as lines of EPD; an existing file is continued with --resume
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Puzzles wanted, including those in the file already
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    #[command(flatten)]
    games: SelfPlayOptions,
}

pub(crate) const HELP: &str = "\
The engine plays games against itself at levels that err, and keeps moments in
which one move alone wins, mates or saves the game. Each puzzle has its themes
(c1) and the lowest level that solves it (c2).

Examples:
  A hundred puzzles of Masonic chess, on all cores:
    qirkat puzzles mine --game masonic --output masonic.epd
  Go on after Ctrl-C, and to a thousand:
    qirkat puzzles mine --output mined.epd --count 1000 --resume";

const HEAD: &str = "# How the puzzles beside were mined. `qirkat puzzles mine --resume` reads it.";

pub(crate) fn run(options: &MineOptions) -> anyhow::Result<()> {
    let (path, variant) = (&options.output, options.game.variant);
    let is_continued = options.games.is_continued(path)?;
    let evaluation = options.games.eval_file.evaluation(variant)?;
    let beside = path.with_added_extension("mine.toml");
    RunSettings::expect_place(&beside)?;
    let mut file = open_results(path).at_path(path)?;
    let mut conditions = RunSettings::default();
    conditions.set("--game", variant.name());
    conditions.set_network(&evaluation);
    let mut known = Vec::new();
    if is_continued {
        conditions.check_resumable(path, &beside)?;
        known = puzzles_in(&mut file, path, variant)?;
    }
    conditions.write(&beside, HEAD)?;
    let next = known.last().map(number_of).transpose()?.map_or(1, |last| last + 1);
    let stop = interrupt_flag();
    let count = known.len() as u64;
    let template = "{bar:30} {pos}/{len} puzzles, {eta} left, {msg}";
    let bar = terminal::bar_from(template, count, options.count);
    let seen = known.iter().map(|problem| problem.position.key()).collect();
    let waiting = BTreeMap::new();
    let found = Found { next, waiting, seen, count, wanted: options.count, file };
    let mine = Mine { evaluation, stop, next_game: next.into(), found: found.into(), bar: &bar };
    if count < options.count {
        on_search_threads(options.games.threads(), || mine.work()).at_path(path)?;
    }
    bar.finish_and_clear();
    let found = mine.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (puzzles, games) = (counted(found.count, "puzzle"), counted(found.next - 1, "game"));
    report(format_args!("{}: {puzzles} of {games}", path.display()));
    if found.count < options.count { Err(stopped_before(options.count).into()) } else { Ok(()) }
}

fn puzzles_in(file: &mut File, path: &Path, variant: Variant) -> anyhow::Result<Vec<Problem>> {
    match whole_lines(file, path)?.as_str() {
        "" => Ok(Vec::new()),
        text => Ok(read_suite(text.as_bytes(), &path.display().to_string(), variant)?),
    }
}

/// The number of the game that a puzzle was mined from. A puzzle's name is the variant's first
/// letter and that number.
fn number_of(problem: &Problem) -> anyhow::Result<u64> {
    let digits = problem.id.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    digits.parse().map_err(|_| anyhow!("`{}` is not the id of a mined puzzle", problem.id))
}

struct Mine<'a> {
    evaluation: AnyEvaluation,
    stop: Arc<AtomicBool>,
    next_game: AtomicU64,
    found: Mutex<Found>,
    bar: &'a ProgressBar,
}

/// The output file and puzzles waiting for earlier games: puzzles are written in game order, so
/// that the output does not depend on the number of threads.
struct Found {
    next: u64,
    waiting: BTreeMap<u64, Option<Problem>>,
    /// Positions already used, to skip repeats.
    seen: HashSet<Key>,
    count: u64,
    wanted: u64,
    file: File,
}

impl Mine<'_> {
    fn work(&self) -> anyhow::Result<()> {
        let mut miner = Miner::new(&self.evaluation, Arc::clone(&self.stop))?;
        while !self.stop.load(Ordering::Relaxed) && !self.found().has_enough() {
            let number = self.next_game.fetch_add(1, Ordering::Relaxed);
            let puzzle = miner.mine(number)?;
            // An aborted game is replayed on resuming.
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let mut found = self.found();
            found.add(number, puzzle)?;
            self.bar.set_position(found.count);
            self.bar.set_message(format!("{} games", found.next - 1));
        }
        Ok(())
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Found {
    fn has_enough(&self) -> bool {
        self.count >= self.wanted
    }

    /// Adds the result of a game, and writes what no longer waits.
    fn add(&mut self, number: u64, puzzle: Option<Problem>) -> std::io::Result<()> {
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
