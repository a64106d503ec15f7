//! `qirkat puzzles`: solve positions of a suite.

mod mine;
mod session;

use std::cmp::Reverse;
use std::io::{Write, stdout};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::bail;
use clap::builder::StringValueParser;
use clap::{Args, Subcommand};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use self::session::{Answers, Session, Tally};
use super::suite;
use crate::shared::exit_status::{fail_if_interrupted, interrupt_flag};
use crate::shared::options::{GameChoice, SearchResources, named};
use qirkat_analysis::puzzles::built_in;
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst};
use qirkat_analysis::suite::Problem;
use qirkat_engine::FULL_SKILL;
use qirkat_game::text::Excerpt;
use qirkat_system::host::random;

/// The themes of the built-in puzzles; files may have others.
const THEMES: [&str; 22] = [
    "mate",
    "mate-1",
    "mate-2",
    "mate-3",
    "mate-4",
    "mate-5",
    "mate-6",
    "win",
    "defence",
    "last-safe-step",
    "fork",
    "pin",
    "leg",
    "discovered-check",
    "double-check",
    "promotion",
    "sacrifice",
    "quiet",
    "chain",
    "opening",
    "middle-game",
    "ending",
];

#[derive(Subcommand)]
enum PuzzleTask {
    /// Find puzzles in games that the engine plays against itself
    #[command(after_help = mine::HELP)]
    Mine(mine::MineOptions),
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
    #[arg(long, value_name = "THEME", value_parser = named(StringValueParser::new(), THEMES), hide_possible_values = true)]
    theme: Option<String>,
    /// Only puzzles as hard as this: N or N-M, the lowest level of the engine, from 0 to 20,
    /// that solves them
    #[arg(long, value_name = "LEVEL", value_parser = levels)]
    level: Option<RangeInclusive<u8>>,
    /// The puzzle of this name; can be given several times
    #[arg(long, value_name = "ID", conflicts_with_all = ["theme", "level"])]
    id: Vec<String>,
    /// How many puzzles; all when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// In random order
    #[arg(long)]
    random: bool,
    /// What the random order comes from: the same seed, the same puzzles
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
        return mine::run(options);
    }
    let (problems, seed) = choose(options)?;
    if let (Some(seed), None) = (seed, options.seed) {
        writeln!(stdout(), "In random order; --seed {seed} gives the same.")?;
    }
    let stop = interrupt_flag();
    let analyst = EngineAnalyst::new(AnalystBudget::Nodes(options.nodes), 0, stop.clone());
    let (answers, resources) = (Answers::read(stop)?, &options.resources);
    Session { answers, analyst, resources, tally: Tally::default(), has_left: false }
        .run(&problems)?;
    fail_if_interrupted()
}

fn choose(options: &PuzzleOptions) -> anyhow::Result<(Vec<Problem>, Option<u64>)> {
    let variant = options.game.variant;
    let mut problems = match &options.file {
        Some(path) => suite::read_file(path, variant)?,
        None => built_in(variant).to_vec(),
    };
    for id in &options.id {
        if !problems.iter().any(|problem| problem.id == *id) {
            let (first, last) = (&problems[0].id, &problems[problems.len() - 1].id);
            bail!("--id: no puzzle is called `{}`; they are {first} to {last}", Excerpt::of(id));
        }
    }
    if !options.id.is_empty() {
        problems.retain(|problem| options.id.contains(&problem.id));
    }
    if let Some(theme) = &options.theme {
        let themes = themes(&problems);
        problems.retain(|problem| problem.has_theme(theme));
        if problems.is_empty() {
            bail!("--theme: no puzzle is of `{}`; there are {themes}", Excerpt::of(theme));
        }
    }
    if let Some(levels) = &options.level {
        problems.retain(|problem| problem.level.is_some_and(|level| levels.contains(&level)));
        if problems.is_empty() {
            bail!("--level: no puzzle is of a level from {} to {}", levels.start(), levels.end());
        }
    }
    let seed = options.random.then(|| options.seed.unwrap_or_else(|| random() >> u32::BITS));
    if let Some(seed) = seed {
        problems.shuffle(&mut StdRng::seed_from_u64(seed));
    }
    problems.truncate(options.count.map_or(usize::MAX, |count| count as usize));
    Ok((problems, seed))
}

fn levels(text: &str) -> Result<RangeInclusive<u8>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let level = |text: &str| text.parse().ok().filter(|&level| u32::from(level) <= FULL_SKILL);
    level(first)
        .zip(level(last))
        .filter(|(first, last)| first <= last)
        .map(|(first, last)| first..=last)
        .ok_or_else(|| format!("not a level from 0 to {FULL_SKILL}, nor two such as 4-8"))
}

fn themes(problems: &[Problem]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for theme in problems.iter().flat_map(|problem| &problem.themes) {
        match counts.iter_mut().find(|(known, _)| known == theme) {
            Some((_, count)) => *count += 1,
            None => counts.push((theme, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts.iter().map(|&(theme, _)| theme).collect::<Vec<_>>().join(", ")
}
