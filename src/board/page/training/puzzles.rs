//! Puzzles: the positions that come with the program, by game, theme and level.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::page::shown::MoveText;
use crate::page::training::cards::{Item, Progress};
use qirkat_analysis::puzzles::built_in;
use qirkat_analysis::suite::TestPosition;
use qirkat_rules::variant::Variant;

/// How many of the best-fitting puzzles to choose from at random.
const CHOICE: usize = 12;

pub(crate) fn puzzle(variant: Variant, id: &str) -> Option<&'static TestPosition> {
    built_in(variant).iter().find(|problem| problem.id == id)
}

/// The puzzles of a whole streak.
const STREAK: usize = 50;

/// The next puzzle of a streak after `done` others. The puzzles with a level are parted into steps
/// from the easiest to the hardest, and each step gives one: none comes twice.
pub(crate) fn puzzle_in_streak(
    variant: Variant,
    done: usize,
    chance: u64,
) -> Option<&'static TestPosition> {
    let all = built_in(variant);
    let all = &all[all.partition_point(|problem| problem.level.is_none())..];
    let start = |step: usize| step * all.len() / STREAK;
    let step = (done < STREAK).then(|| &all[start(done)..start(done + 1)])?;
    step.get(chance.checked_rem(step.len() as u64)? as usize)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Difficulty {
    /// Close to the solver's level.
    Fitting,
    Easy,
    Medium,
    Hard,
}

impl Difficulty {
    /// The levels between easy and hard.
    const MEDIUM: std::ops::RangeInclusive<u8> = 6..=12;

    /// Whether a puzzle has this difficulty. One without a level is only `Fitting`.
    fn fits(self, problem: &TestPosition) -> bool {
        problem.level.map_or(self == Difficulty::Fitting, |level| match self {
            Difficulty::Fitting => true,
            Difficulty::Easy => level < *Difficulty::MEDIUM.start(),
            Difficulty::Medium => Difficulty::MEDIUM.contains(&level),
            Difficulty::Hard => level > *Difficulty::MEDIUM.end(),
        })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PuzzleFilter {
    pub game: Variant,
    pub theme: Option<String>,
    pub difficulty: Difficulty,
}

impl PuzzleFilter {
    /// The next puzzle: an unseen one if there is any. Other than the last one if possible.
    pub fn next(
        &self,
        progress: &Progress,
        after: Option<&str>,
        chance: u64,
    ) -> Option<&'static TestPosition> {
        let PuzzleFilter { game, theme, difficulty } = self;
        let fits = |problem: &&TestPosition| {
            let has_theme = theme.as_ref().is_none_or(|theme| problem.has_theme(theme));
            has_theme && difficulty.fits(problem)
        };
        let scheduled = progress.items();
        let is_new = |problem: &&TestPosition| {
            let item = Item::Puzzle { game: *game, id: problem.id.clone() };
            !progress.has_solved(*game, &problem.id) && !scheduled.contains(&item)
        };
        let fitting: Vec<&'static TestPosition> = built_in(*game).iter().filter(fits).collect();
        let last = after.and_then(|id| fitting.iter().position(|problem| problem.id == id));
        // Starting after the last one, without it.
        let (before, after) = fitting.split_at(last.map_or(0, |last| last + 1));
        let others = after.iter().chain(before.iter().take(last.unwrap_or_default())).copied();
        let mut choice: Vec<&'static TestPosition> = others.clone().filter(is_new).collect();
        if choice.is_empty() {
            choice = others.collect();
        }
        // Puzzles without levels are solved in their order.
        if choice.iter().all(|problem| problem.level.is_none()) {
            return choice.first().or_else(|| fitting.first()).copied();
        }
        if *difficulty == Difficulty::Fitting {
            let own = progress.level(*game);
            let distance = |level: u8| (100.0 * (f64::from(level) - own).abs()) as u32;
            choice.sort_by_key(|problem| problem.level.map_or(u32::MAX, distance));
            choice.truncate(CHOICE);
        }
        choice.get((chance % choice.len() as u64) as usize).copied()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Counted {
    pub all: usize,
    pub solved: usize,
}

impl Counted {
    fn add(&mut self, is_solved: bool) {
        self.all += 1;
        self.solved += usize::from(is_solved);
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub game: Variant,
    #[serde(flatten)]
    pub all: Counted,
    pub themes: BTreeMap<String, Counted>,
    /// From 0 to 20.
    pub level: f64,
}

impl Counts {
    pub fn of(variant: Variant, progress: &Progress) -> Counts {
        let level = progress.level(variant);
        let mut counts = Counts { game: variant, level, ..Counts::default() };
        for problem in built_in(variant) {
            let is_solved = progress.has_solved(variant, &problem.id);
            counts.all.add(is_solved);
            for theme in &problem.themes {
                counts.themes.entry(theme.clone()).or_default().add(is_solved);
            }
        }
        counts
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PuzzleShown {
    game: Variant,
    id: &'static str,
    /// The first one is the task.
    themes: &'static [String],
    level: Option<u8>,
    mate: Option<u16>,
    comment: Option<&'static str>,
    best: Vec<MoveText>,
}

impl PuzzleShown {
    pub fn of(variant: Variant, problem: &'static TestPosition) -> PuzzleShown {
        PuzzleShown {
            game: variant,
            id: &problem.id,
            themes: &problem.themes,
            level: problem.level,
            mate: problem.mate,
            comment: problem.comment.as_deref(),
            best: problem.best.iter().map(|&mv| MoveText::of(&problem.position, mv)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::page::training::cards::{Grade, class_and_number};

    #[test]
    fn every_puzzle_can_be_found_and_has_a_solution() {
        assert!(built_in(Variant::Chesquerque).len() > 100);
        for game in Variant::ALL {
            for problem in built_in(game) {
                let posed = PuzzleShown::of(game, problem);
                assert!(!posed.best.is_empty(), "{}", problem.id);
                assert_eq!(puzzle(game, &problem.id), Some(problem));
                let (class, number) = class_and_number(&problem.id);
                assert!(!class.is_empty() && number > 0, "{}", problem.id);
            }
        }
        assert!(puzzle(Variant::Chesquerque, "../mate-2-01").is_none());
    }

    #[test]
    fn a_streak_grows_harder_to_its_end() {
        for game in Variant::ALL.into_iter().filter(|&game| !built_in(game).is_empty()) {
            for chance in [0, 7, u64::MAX] {
                let streak: Vec<_> =
                    (0..).map_while(|done| puzzle_in_streak(game, done, chance)).collect();
                assert_eq!(streak.len(), STREAK);
                assert!(streak.is_sorted_by_key(|problem| problem.level));
                let (easiest, hardest) = (streak[0].level, streak[STREAK - 1].level);
                assert!(easiest <= Some(2) && hardest >= Some(18), "{easiest:?} {hardest:?}");
                let ids: BTreeSet<_> = streak.iter().map(|problem| &problem.id).collect();
                assert_eq!(ids.len(), STREAK);
            }
            assert_eq!(puzzle_in_streak(game, usize::MAX, 0), None);
        }
    }

    #[test]
    fn the_next_puzzle_is_new_of_the_theme_and_not_the_same() {
        for game in Variant::ALL.into_iter().filter(|&game| !built_in(game).is_empty()) {
            let mut progress = Progress::default();
            let count = |theme: &&String| {
                built_in(game).iter().filter(|puzzle| puzzle.themes.contains(theme)).count()
            };
            let themes = built_in(game).iter().flat_map(|puzzle| &puzzle.themes);
            let theme = themes.take(9).min_by_key(count).expect("a theme").clone();
            let wanted =
                PuzzleFilter { game, theme: Some(theme.clone()), difficulty: Difficulty::Fitting };
            let all = Counts::of(game, &progress).themes[&theme].all;
            let mut last: Option<&TestPosition> = None;
            for seen in 0..all {
                let after = last.map(|problem| problem.id.as_str());
                let next = wanted.next(&progress, after, seen as u64).expect("one more");
                assert!(next.themes.contains(&theme) && last != Some(next), "{}", next.id);
                assert!(!progress.has_solved(game, &next.id), "{}", next.id);
                progress.note_puzzle(game, next, Grade::Solved, 1);
                last = Some(next);
            }
            assert_eq!(Counts::of(game, &progress).themes[&theme].solved, all);
            // All are solved: it begins anew.
            assert!(wanted.next(&progress, None, 3).is_some());
            let none = PuzzleFilter { theme: Some("no such theme".to_owned()), ..wanted };
            assert_eq!(none.next(&progress, None, 0), None);
        }
    }
}
