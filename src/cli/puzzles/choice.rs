//! Which puzzles are posed, and in which order.

use anyhow::bail;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::super::suite_file;
use super::options::PuzzleOptions;
use qirkat_analysis::suite::Problem;
use qirkat_game::text::Excerpt;
use qirkat_system::host::random;

/// The puzzles to pose.
pub(super) struct Choice {
    /// In their order.
    pub problems: Vec<Problem>,
    /// What the order comes from, if it is random.
    pub seed: Option<u64>,
}

/// Chooses what the options ask for.
///
/// # Errors
/// When a file cannot be read, or holds no such puzzle.
pub(super) fn choose(options: &PuzzleOptions) -> anyhow::Result<Choice> {
    let mut problems = suite_file::read(options.file.as_deref(), options.game.variant)?;
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
        problems.retain(|problem| is_of(problem, theme));
        if problems.is_empty() {
            bail!("--theme: no puzzle is of `{}`; there are {themes}", Excerpt::of(theme));
        }
    }
    let seed = options.random.then(|| options.seed.unwrap_or_else(|| random() >> u32::BITS));
    if let Some(seed) = seed {
        problems.shuffle(&mut StdRng::seed_from_u64(seed));
    }
    problems.truncate(options.count.map_or(usize::MAX, |count| count as usize));
    Ok(Choice { problems, seed })
}

/// Whether a puzzle is of a theme: its class, or the first word of it.
fn is_of(problem: &Problem, theme: &str) -> bool {
    let class = problem.class();
    class == theme || class.strip_prefix(theme).is_some_and(|rest| rest.starts_with('-'))
}

/// All themes, in the order of their first puzzles.
fn themes(problems: &[Problem]) -> String {
    let mut themes: Vec<&str> = Vec::new();
    for problem in problems {
        if !themes.contains(&problem.class()) {
            themes.push(problem.class());
        }
    }
    themes.join(", ")
}
