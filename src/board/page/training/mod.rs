//! The trainer: the next puzzle, what is due today, and the mistakes of all reviewed games.
//!
//! Progress is saved beside the games, in one file. All sessions share a [`Trainer`].

mod cards;
mod mistakes;
mod puzzles;
mod results;

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::page::store::{LoadError, Store, TRAINING};
pub(crate) use cards::{Day, Grade, Item, Progress};
use mistakes::{Habits, ReviewedMistakes};
pub(crate) use mistakes::{Mistake, mistake_in};
use puzzles::{Counted, PuzzleShown, puzzle_in_streak};
pub(crate) use puzzles::{Counts, PuzzleFilter, puzzle};
use qirkat_analysis::puzzles::built_in;
use qirkat_analysis::suite::TestPosition;
use qirkat_rules::variant::Variant;
use results::OwnGames;
pub(crate) use results::Results;

/// Reviews read at once. Reading all would block the session.
const READ_AT_ONCE: usize = 32;

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum TrainingChoice {
    Due,
    // Mistakes due today, then new ones; `others` includes games not played here.
    Mistakes { others: bool },
    Puzzles(PuzzleFilter),
    // The puzzle of a streak after this many were solved.
    Streak { game: Variant, done: usize },
}

/// A mistake is the user's `own`, or someone else's; `move` is its entry in the review.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum TrainingExercise {
    Puzzle { puzzle: Box<PuzzleShown>, again: bool },
    Mistake { game: Variant, id: String, own: bool, r#move: Map<String, Value> },
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Due {
    pub puzzles: usize,
    pub mistakes: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Overview {
    pub due: Due,
    /// The first day after today on which something is due.
    pub next: Option<Day>,
    pub puzzles: BTreeMap<Variant, Counted>,
    pub mistakes: usize,
    /// Mistakes that were never trained.
    pub fresh: usize,
    /// How many are from games not played here, which may be left out.
    pub others: usize,
    pub habits: BTreeMap<Variant, Habits>,
    pub left: usize,
    /// Why nothing is saved, if the progress file cannot be read.
    pub fault: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Graded {
    /// When it comes again.
    pub next: Option<Day>,
    /// The solver's level in puzzles of this game.
    pub level: Option<f64>,
    pub due: Due,
}

pub(crate) struct Trainer {
    store: Store,
    mistakes: Mutex<ReviewedMistakes>,
    own: Mutex<OwnGames>,
    /// Held while the progress is read, changed and saved.
    changing: Mutex<()>,
}

impl Trainer {
    pub fn new(store: Store) -> Trainer {
        Trainer {
            store,
            mistakes: Mutex::default(),
            own: Mutex::default(),
            changing: Mutex::default(),
        }
    }

    /// The saved progress. Version 1.0.0 kept solved puzzles among the preferences.
    fn progress(&self) -> Result<Progress, String> {
        match self.store.read_json(TRAINING) {
            Ok(progress) => Ok(progress),
            Err(LoadError::Gone) => {
                let preferences = self.store.preferences();
                let solved = preferences.get("puzzles").and_then(Value::as_array);
                let ids = solved.into_iter().flatten().filter_map(Value::as_str);
                Ok(Progress::with_solved(ids))
            }
            Err(error) => {
                Err(format!("what was trained cannot be read, and stays as it is: {error}"))
            }
        }
    }

    /// Changes and saves the progress; an unreadable file is not overwritten.
    fn change(&self, change: impl FnOnce(&mut Progress)) -> Progress {
        let _changing = self.changing.lock();
        let read = self.progress();
        let can_be_kept = read.is_ok();
        let mut progress = read.unwrap_or_default();
        change(&mut progress);
        if can_be_kept {
            self.store.write_json(TRAINING, &progress);
        }
        progress
    }

    pub fn due(&self, today: Day) -> Due {
        self.due_of(&self.progress().unwrap_or_default(), today)
    }

    fn due_of(&self, progress: &Progress, today: Day) -> Due {
        let mut due = Due::default();
        let there: HashSet<String> = self.store.reviews().into_iter().map(|(id, _)| id).collect();
        for card in progress.cards().iter().filter(|card| card.is_due(today)) {
            match &card.item {
                Item::Puzzle { game, id } => {
                    due.puzzles += usize::from(puzzle(*game, id).is_some())
                }
                Item::Mistake { id, .. } => due.mistakes += usize::from(there.contains(id)),
            }
        }
        due
    }

    /// Reads some of the missing reviews, and returns how many are left.
    fn read_reviews(&self) -> usize {
        let mut mistakes = self.mistakes.lock();
        let missing = mistakes.missing(&self.store.reviews());
        for (id, time) in missing.iter().take(READ_AT_ONCE) {
            self.read_review(&mut mistakes, id, *time);
        }
        missing.len().saturating_sub(READ_AT_ONCE)
    }

    /// Adds the mistakes of a review, none if it or its game cannot be read.
    fn read_review(&self, mistakes: &mut ReviewedMistakes, id: &str, time: Duration) {
        let people = self.store.people(id);
        let review = if people.is_ok() { self.store.review(id).ok() } else { None };
        mistakes.add(id, time, people.unwrap_or_default(), &review.unwrap_or_default());
    }

    /// Whether a mistake is there, according to the current review.
    fn is_known_mistake(&self, id: &str, ply: usize) -> bool {
        let mut mistakes = self.mistakes.lock();
        let missing = mistakes.missing(&self.store.reviews());
        if let Some((id, time)) = missing.iter().find(|(missing, _)| missing == id) {
            self.read_review(&mut mistakes, id, *time);
        }
        mistakes.contains(id, ply)
    }

    /// What there is to train, in the reviews read so far.
    pub fn overview(&self, today: Day, others: bool) -> Overview {
        let left = self.read_reviews();
        let read = self.progress();
        let fault = read.as_ref().err().cloned();
        let progress = read.unwrap_or_default();
        let later = progress.cards().iter().filter(|card| !card.is_due(today));
        let mistakes = self.mistakes.lock();
        let items = mistakes.items(others);
        let scheduled = progress.items();
        let puzzles = Variant::ALL.into_iter().filter(|&variant| !built_in(variant).is_empty());
        Overview {
            due: self.due_of(&progress, today),
            next: later.map(|card| card.due).min(),
            puzzles: puzzles.map(|it| (it, Counts::of(it, &progress).all)).collect(),
            mistakes: items.len(),
            fresh: items.iter().filter(|item| !scheduled.contains(item)).count(),
            others: mistakes.items(true).len() - mistakes.items(false).len(),
            habits: mistakes.habits(others),
            left,
            fault,
        }
    }

    /// The results against the engine once all games are read, and how many are left to read.
    pub fn results(&self) -> (BTreeMap<Variant, Results>, usize) {
        let mut own = self.own.lock();
        match own.read(&self.store) {
            0 => (own.results(), 0),
            left => (BTreeMap::new(), left),
        }
    }

    pub fn counts(&self, variant: Variant) -> Counts {
        Counts::of(variant, &self.progress().unwrap_or_default())
    }

    /// The next exercise, not the last one if possible, and how many there are (of puzzles and
    /// streaks, just this one). `chance` is random.
    pub fn next(
        &self,
        want: &TrainingChoice,
        after: Option<&Item>,
        today: Day,
        chance: u64,
    ) -> (TrainingExercise, usize) {
        let progress = self.progress().unwrap_or_default();
        let posed_puzzle = |variant: Variant, next: Option<&TestPosition>| {
            let item = |next: &TestPosition| Item::Puzzle { game: variant, id: next.id.clone() };
            let posed = next.and_then(|next| self.pose(&item(next), &progress));
            posed.map_or((TrainingExercise::Nothing, 0), |posed| (posed, 1))
        };
        let items = match want {
            TrainingChoice::Streak { game, done } => {
                return posed_puzzle(*game, puzzle_in_streak(*game, *done, chance));
            }
            TrainingChoice::Puzzles(wanted) => {
                let after = after.and_then(|item| match item {
                    Item::Puzzle { game, id } if *game == wanted.game => Some(id.as_str()),
                    _ => None,
                });
                return posed_puzzle(wanted.game, wanted.next(&progress, after, chance));
            }
            TrainingChoice::Due => due_items(&progress, today, |_| true),
            TrainingChoice::Mistakes { others } => {
                let all = self.mistakes.lock().items(*others);
                let known: HashSet<&Item> = all.iter().collect();
                let mut items = due_items(&progress, today, |item| known.contains(item));
                let scheduled = progress.items();
                items.extend(all.iter().filter(|item| !scheduled.contains(item)).cloned());
                items
            }
        };
        let last = after.and_then(|after| items.iter().position(|item| item == after));
        let (before, after) = items.split_at(last.map_or(0, |last| last + 1));
        let mut unposed = Vec::new();
        let found = after.iter().chain(before).find_map(|item| {
            let exercise = self.pose(item, &progress);
            if exercise.is_none() {
                unposed.push(item);
            }
            exercise
        });
        let left = items.len() - unposed.len();
        unposed.retain(|item| !self.is_unreadable(item));
        if !unposed.is_empty() {
            self.change(|progress| progress.drop_cards(|item| unposed.contains(&item)));
        }
        found.map_or((TrainingExercise::Nothing, 0), |it| (it, left))
    }

    /// Whether a mistake's review is there, but cannot be read: its card stays.
    fn is_unreadable(&self, item: &Item) -> bool {
        let Item::Mistake { id, .. } = item else { return false };
        matches!(self.store.review(id), Err(LoadError::Unreadable(_)))
    }

    fn pose(&self, item: &Item, progress: &Progress) -> Option<TrainingExercise> {
        match item {
            Item::Puzzle { game, id } => Some(TrainingExercise::Puzzle {
                puzzle: Box::new(PuzzleShown::of(*game, puzzle(*game, id)?)),
                again: progress.has_solved(*game, id),
            }),
            Item::Mistake { id, ply } => {
                let review = self.store.review(id).ok()?;
                let Mistake { game: before, entry: r#move } = mistake_in(&review, *ply).ok()?;
                let people = self.store.people(id).ok().flatten().unwrap_or_default();
                let (game, own) = (before.position().variant(), people[0] != people[1]);
                Some(TrainingExercise::Mistake { game, id: id.clone(), own, r#move })
            }
        }
    }

    /// Records the grade of a position, but not of a mistake that is unknown.
    pub fn grade(&self, item: &Item, grade: Grade, today: Day) -> Graded {
        let mut level = None;
        let progress = match item {
            Item::Puzzle { game, id } => self.change(|progress| {
                if let Some(problem) = puzzle(*game, id) {
                    progress.note_puzzle(*game, problem, grade, today);
                }
                level = Some(progress.level(*game));
            }),
            Item::Mistake { id, ply } if self.is_known_mistake(id, *ply) => {
                self.change(|progress| progress.note(item.clone(), grade, today))
            }
            Item::Mistake { .. } => self.progress().unwrap_or_default(),
        };
        let next = progress.card(item).map(|card| card.due);
        Graded { next, level, due: self.due_of(&progress, today) }
    }

    pub fn forget(&self, game_id: &str) {
        let is_of_game = |item: &Item| matches!(item, Item::Mistake { id, .. } if id == game_id);
        let has_any =
            |progress: &Progress| progress.cards().iter().any(|card| is_of_game(&card.item));
        if self.progress().is_ok_and(|progress| has_any(&progress)) {
            self.change(|progress| progress.drop_cards(is_of_game));
        }
    }
}

/// The items of some kind that are due today, the longest overdue first.
fn due_items(progress: &Progress, today: Day, is_wanted: impl Fn(&Item) -> bool) -> Vec<Item> {
    let due = progress.cards().iter().filter(|card| card.is_due(today) && is_wanted(&card.item));
    let mut due: Vec<_> = due.collect();
    due.sort_by_key(|card| card.due);
    due.into_iter().map(|card| card.item.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::page::store::KeptFiles;
    use crate::page::tests::MemoryFiles;
    use puzzles::Difficulty;

    const GAME: &str = "abcdefghijkm";

    fn trainer(files: &[(&str, &str)]) -> (Trainer, Arc<MemoryFiles>) {
        let kept = Arc::new(MemoryFiles::default());
        for (name, text) in files {
            kept.write(name, text).expect("room");
        }
        (Trainer::new(Store::new(Arc::clone(&kept) as Arc<_>)), kept)
    }

    /// A game that White played against the engine and was reviewed.
    fn reviewed_game() -> [(String, String); 2] {
        let review = mistakes::tests::review_of([Some("blunder"); 3]);
        let game = json!({"play": {"people": [true, false]}});
        [("", game), (".review", review)]
            .map(|(part, value)| (format!("{GAME}{part}.json"), value.to_string()))
    }

    fn puzzle_item(id: &str) -> Item {
        Item::Puzzle { game: Variant::Chesquerque, id: id.to_owned() }
    }

    #[test]
    fn a_day_of_training_and_the_next() {
        let [game, review] = reviewed_game();
        let (trainer, _) = trainer(&[(&game.0, &game.1), (&review.0, &review.1)]);
        let mistake = |ply| Item::Mistake { id: GAME.to_owned(), ply };
        let overview = trainer.overview(100, false);
        assert_eq!((overview.mistakes, overview.fresh, overview.left), (2, 2, 0));
        assert_eq!(overview.due, Due::default());
        let want = TrainingChoice::Mistakes { others: false };
        let (posed, left) = trainer.next(&want, None, 100, 0);
        assert!(matches!(posed, TrainingExercise::Mistake { r#move, .. } if r#move["ply"] == 1));
        assert_eq!(left, 2);
        assert_eq!(trainer.grade(&mistake(1), Grade::Failed, 100).next, Some(101));
        assert_eq!(trainer.grade(&mistake(3), Grade::Solved, 100).next, Some(101));
        // The engine's own mistakes are not to be trained, nor those of no review.
        for other in [mistake(2), mistake(9), Item::Mistake { id: "../x".to_owned(), ply: 1 }] {
            assert_eq!(trainer.grade(&other, Grade::Failed, 100).next, None);
        }
        assert!(matches!(trainer.next(&want, None, 100, 0), (TrainingExercise::Nothing, 0)));
        assert_eq!(trainer.grade(&puzzle_item("mate-2-01"), Grade::Failed, 100).next, Some(101));
        assert_eq!(trainer.grade(&puzzle_item("no-such-1"), Grade::Failed, 100).next, None);
        // The next day.
        assert_eq!(trainer.due(101), Due { puzzles: 1, mistakes: 2 });
        let (first, left) = trainer.next(&TrainingChoice::Due, None, 101, 0);
        assert!(matches!(first, TrainingExercise::Mistake { .. }) && left == 3);
        let (second, _) = trainer.next(&TrainingChoice::Due, Some(&mistake(1)), 101, 0);
        assert!(matches!(second, TrainingExercise::Mistake { r#move, .. } if r#move["ply"] == 3));
        let graded = trainer.grade(&mistake(1), Grade::Solved, 101);
        assert_eq!((graded.next, graded.due), (Some(102), Due { puzzles: 1, mistakes: 1 }));
        // A game that is thrown away takes its mistakes with it.
        trainer.store.remove(GAME).expect("a game");
        trainer.forget(GAME);
        assert_eq!(trainer.due(1000), Due { puzzles: 1, mistakes: 0 });
        assert_eq!(trainer.overview(1000, true).mistakes, 0);
    }

    #[test]
    fn a_review_that_is_gone_lets_its_mistakes_go() {
        let [game, review] = reviewed_game();
        let (trainer, files) = trainer(&[(&game.0, &game.1), (&review.0, &review.1)]);
        trainer.grade(&Item::Mistake { id: GAME.to_owned(), ply: 1 }, Grade::Failed, 1);
        trainer.grade(&puzzle_item("win-01"), Grade::Failed, 1);
        files.write(&review.0, &review.1.replace("\"blunder\"", "null")).expect("room");
        let (posed, left) = trainer.next(&TrainingChoice::Due, None, 2, 0);
        assert!(matches!(posed, TrainingExercise::Puzzle { .. }) && left == 1);
        assert_eq!(trainer.due(2), Due { puzzles: 1, mistakes: 0 });
    }

    #[test]
    fn a_review_that_cannot_be_read_keeps_its_mistakes() {
        let [game, review] = reviewed_game();
        let (trainer, files) = trainer(&[(&game.0, &game.1), (&review.0, &review.1)]);
        trainer.grade(&Item::Mistake { id: GAME.to_owned(), ply: 1 }, Grade::Failed, 1);
        for (text, is_posed) in
            [("{", false), (r#"{"version":2}"#, false), (review.1.as_str(), true)]
        {
            files.write(&review.0, text).expect("room");
            let (posed, _) = trainer.next(&TrainingChoice::Due, None, 2, 0);
            assert_eq!(matches!(posed, TrainingExercise::Mistake { .. }), is_posed, "{text}");
        }
    }

    /// The page of version 1.0.0 kept the puzzles that were solved among the preferences.
    #[test]
    fn puzzles_that_were_solved_before_stay_solved() {
        let preferences = r#"{"theme":"dark","puzzles":["mate-2-01","win-03"]}"#;
        let (trainer, files) = trainer(&[("preferences.json", preferences)]);
        assert_eq!(trainer.counts(Variant::Chesquerque).all.solved, 2);
        trainer.grade(&puzzle_item("mate-2-02"), Grade::Solved, 1);
        assert_eq!(trainer.counts(Variant::Chesquerque).all.solved, 3);
        assert_eq!(files.read("preferences.json").expect("it is there"), preferences);
        let (game, difficulty) = (Variant::Chesquerque, Difficulty::Fitting);
        let wanted = PuzzleFilter { game, theme: None, difficulty };
        let (posed, _) = trainer.next(&TrainingChoice::Puzzles(wanted), None, 1, 0);
        let TrainingExercise::Puzzle { puzzle, again: false } = posed else { panic!("{posed:?}") };
        assert!(!["mate-2-01", "mate-2-02"].map(Value::from).contains(&json!(puzzle)["id"]));
    }

    #[test]
    fn what_cannot_be_read_is_not_overwritten() {
        for (text, fault) in [("{", "EOF"), (r#"{"version":2}"#, "newer Qirkat")] {
            let (trainer, files) = trainer(&[("training.json", text)]);
            trainer.grade(&puzzle_item("mate-2-01"), Grade::Failed, 1);
            trainer.forget(GAME);
            assert_eq!(files.read("training.json").expect("it is there"), text);
            let said = trainer.overview(1, false).fault.unwrap_or_default();
            assert!(said.contains(fault), "{said}");
        }
    }
}
