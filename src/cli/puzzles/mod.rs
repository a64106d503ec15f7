//! `qirkat puzzles`: positions of a suite to solve.

mod input;
mod session;
mod words;

use std::cmp::Reverse;
use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::StringValueParser;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use self::input::Answers;
use self::session::{Session, Tally};
use super::exit_status::interrupt_flag;
use super::resources::SearchResources;
use super::setup::GameChoice;
use super::suite;
use super::value_names::named;
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst};
use qirkat_analysis::suite::Problem;
use qirkat_game::text::Excerpt;
use qirkat_system::host::random;

/// The themes of the suite in the program; another file may have others.
const THEMES: [&str; 7] = ["mate", "mate-2", "mate-3", "mate-4", "mate-5", "mate-6", "win"];

#[derive(Args)]
pub(super) struct PuzzleOptions {
    #[command(flatten)]
    game: GameChoice,
    /// Positions in EPD with `bm`; those of the suite in the program when not given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only puzzles of this theme: mate, mate-2 to mate-6, or win
    #[arg(long, value_name = "THEME", value_parser = named(StringValueParser::new(), THEMES), hide_possible_values = true)]
    theme: Option<String>,
    /// The puzzle of this name; can be given several times
    #[arg(long, value_name = "ID", conflicts_with = "theme")]
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

/// The end of the help.
pub(super) const HELP: &str = "\
Answer with a move such as Nc3 or b1c3, or with
  hint      a bit of help, more each time
  solution  the move and what follows
  skip      the next puzzle
  board     the board once more
  quit      the end; so do Ctrl-C and the end of input

Examples:
  Mates in two:
    qirkat puzzles --theme mate-2
  Five puzzles of all kinds:
    qirkat puzzles --random --count 5";

/// Poses puzzles on standard output and reads the answers from standard input, line by
/// line. Ctrl-C ends it with the score, as the end of input does.
pub(super) fn run(options: &PuzzleOptions) -> anyhow::Result<()> {
    let (problems, seed) = choose(options)?;
    if let (Some(seed), None) = (seed, options.seed) {
        writeln!(stdout(), "In random order; --seed {seed} gives the same.")?;
    }
    let stop = interrupt_flag()?;
    let analyst = EngineAnalyst::new(AnalystBudget::Nodes(options.nodes), 0, stop.clone());
    let (answers, resources) = (Answers::read(stop)?, &options.resources);
    Session { answers, analyst, resources, tally: Tally::default(), has_left: false }.run(&problems)
}

/// The puzzles that the options ask for, in their order, and its seed, if it is random.
fn choose(options: &PuzzleOptions) -> anyhow::Result<(Vec<Problem>, Option<u64>)> {
    let mut problems = suite::read_problems(options.file.as_deref(), options.game.variant)?;
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
    let seed = options.random.then(|| options.seed.unwrap_or_else(|| random() >> u32::BITS));
    if let Some(seed) = seed {
        problems.shuffle(&mut StdRng::seed_from_u64(seed));
    }
    problems.truncate(options.count.map_or(usize::MAX, |count| count as usize));
    Ok((problems, seed))
}

/// All themes, the most frequent first.
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
