//! Spaced repetition: what the user has solved, and when each position is due again.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};
use sra::sm_2::{Quality, SM2};

use qirkat_analysis::suite::TestPosition;
use qirkat_rules::variant::Variant;
use qirkat_system::format_version::FormatVersion;

/// A day, counted from 1970, in the user's time zone.
pub(crate) type Day = u32;

const MAX_DAYS: u32 = 365;
/// Bounds of the ease factor in the file: SM-2's least, and more than it ever reaches.
const EASE_FACTORS: (f32, f32) = (1.3, 4.0);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Item {
    Puzzle { game: Variant, id: String },
    // A marked move of a reviewed game, by its ply in the main line, from 1.
    Mistake { id: String, ply: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Grade {
    /// After a wrong move, or the solution was shown.
    Failed,
    Helped,
    /// Without help, at the first try.
    Solved,
}

/// When a position is due again. Intervals are those of SM-2 by P. A. Woźniak (*Optimization of
/// learning*, 1990): a day, six days, then by a factor that depends on the grade.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Card {
    pub item: Item,
    /// The first day on which it is due.
    pub due: Day,
    /// The interval in days that led to that day.
    #[serde(rename = "distance")]
    pub interval: u32,
    #[serde(rename = "solved")]
    repetitions: u32,
    #[serde(rename = "growth")]
    ease_factor: f32,
}

impl Card {
    pub fn new(item: Item, grade: Grade, today: Day) -> Card {
        let new = SM2::new();
        let mut card =
            Card { item, due: today, interval: 0, repetitions: 0, ease_factor: new.ease_factor() };
        card.review(grade, today);
        card
    }

    pub fn review(&mut self, grade: Grade, today: Day) {
        let quality = match grade {
            Grade::Failed => Quality::Grade1,
            Grade::Helped => Quality::Grade3,
            Grade::Solved => Quality::Grade4,
        };
        // The file may hold anything.
        let next = SM2::new()
            .set_repetitions(self.repetitions.min(MAX_DAYS) as usize)
            .set_interval(self.interval.min(MAX_DAYS) as usize)
            .set_ease_factor(self.ease_factor.max(EASE_FACTORS.0).min(EASE_FACTORS.1))
            .review(quality);
        self.repetitions = u32::try_from(next.repetitions()).unwrap_or(u32::MAX);
        self.interval = u32::try_from(next.interval()).unwrap_or(u32::MAX).clamp(1, MAX_DAYS);
        self.ease_factor = next.ease_factor();
        self.due = today.saturating_add(self.interval);
    }

    pub const fn is_due(&self, today: Day) -> bool {
        self.due <= today
    }
}

/// The most cards. Beyond that, the best known are dropped.
const MAX_CARDS: usize = 2000;
/// The interval in days after which a puzzle is known, and its card dropped.
const KNOWN_AFTER_DAYS: u32 = 120;
const FIRST_LEVEL: f64 = 3.0;
const LEVELS: (f64, f64) = (0.0, 20.0);
const K_FACTOR: f64 = 2.0;
/// The level difference at which a puzzle is solved ten times in eleven.
const ELO_SCALE: f64 = 6.0;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Progress {
    version: FormatVersion<1>,
    /// The puzzles solved without help, by the class and number in their ids.
    solved: BTreeMap<Variant, BTreeMap<String, BTreeSet<u32>>>,
    /// The level of puzzles that the solver gets right half of the time.
    levels: BTreeMap<Variant, f64>,
    cards: Vec<Card>,
}

/// The class and number in a puzzle's id; zero if there is no number.
pub(super) fn class_and_number(id: &str) -> (&str, u32) {
    let class = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = id.get(class.len()..).and_then(|digits| digits.parse().ok());
    (class, number.unwrap_or(0))
}

impl Progress {
    pub fn with_solved<'a>(ids: impl Iterator<Item = &'a str>) -> Progress {
        let mut progress = Progress::default();
        for id in ids {
            progress.note_solved(Variant::Chesquerque, id);
        }
        progress
    }

    fn note_solved(&mut self, game: Variant, id: &str) {
        let (class, number) = class_and_number(id);
        let classes = self.solved.entry(game).or_default();
        classes.entry(class.to_owned()).or_default().insert(number);
    }

    pub fn has_solved(&self, game: Variant, id: &str) -> bool {
        let (class, number) = class_and_number(id);
        let numbers = self.solved.get(&game).and_then(|classes| classes.get(class));
        numbers.is_some_and(|numbers| numbers.contains(&number))
    }

    /// The solver's level in a game, from 0 to 20.
    pub fn level(&self, game: Variant) -> f64 {
        let level = self.levels.get(&game).copied().filter(|level| level.is_finite());
        level.unwrap_or(FIRST_LEVEL).clamp(LEVELS.0, LEVELS.1)
    }

    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    pub fn items(&self) -> HashSet<&Item> {
        self.cards.iter().map(|card| &card.item).collect()
    }

    pub fn card(&self, item: &Item) -> Option<&Card> {
        self.cards.iter().find(|card| card.item == *item)
    }

    pub fn note_puzzle(&mut self, game: Variant, problem: &TestPosition, grade: Grade, today: Day) {
        let item = Item::Puzzle { game, id: problem.id.clone() };
        let is_new = self.card(&item).is_none() && !self.has_solved(game, &problem.id);
        if let Some(level) = problem.level.filter(|_| is_new) {
            self.update_level(game, level, grade);
        }
        if grade == Grade::Solved {
            self.note_solved(game, &problem.id);
        }
        if self.card(&item).is_some() || grade != Grade::Solved {
            self.note(item.clone(), grade, today);
        }
        self.cards.retain(|card| card.item != item || card.interval < KNOWN_AFTER_DAYS);
    }

    /// Updates the solver's level after a puzzle, as Elo ratings change after a game.
    fn update_level(&mut self, game: Variant, level: u8, grade: Grade) {
        let own = self.level(game);
        let expected = 1.0 / (1.0 + 10_f64.powf((f64::from(level) - own) / ELO_SCALE));
        let scored = match grade {
            Grade::Failed => 0.0,
            Grade::Helped => 0.5,
            Grade::Solved => 1.0,
        };
        let moved = own + K_FACTOR * (scored - expected);
        self.levels.insert(game, moved.clamp(LEVELS.0, LEVELS.1));
    }

    /// Records the grade of a position. A try before it is due changes nothing, unless it failed.
    pub fn note(&mut self, item: Item, grade: Grade, today: Day) {
        match self.cards.iter_mut().find(|card| card.item == item) {
            Some(card) if card.is_due(today) || grade == Grade::Failed => card.review(grade, today),
            Some(_) => {}
            None => {
                self.cards.push(Card::new(item, grade, today));
                while self.cards.len() > MAX_CARDS
                    && let Some(best) =
                        (0..self.cards.len()).max_by_key(|&at| self.cards[at].interval)
                {
                    self.cards.remove(best);
                }
            }
        }
    }

    pub fn drop_cards(&mut self, is_gone: impl Fn(&Item) -> bool) {
        self.cards.retain(|card| !is_gone(&card.item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        Item::Mistake { id: "abcdefghijkm".to_owned(), ply: 7 }
    }

    #[test]
    fn what_is_solved_comes_again_at_growing_intervals() {
        let mut card = Card::new(item(), Grade::Failed, 100);
        let mut days = vec![card.due];
        for _ in 0..6 {
            assert!(!card.is_due(card.due - 1) && card.is_due(card.due));
            card.review(Grade::Solved, card.due);
            days.push(card.due);
        }
        assert_eq!(days, [101, 102, 108, 123, 160, 252, 482]);
        card.review(Grade::Failed, 500);
        assert_eq!((card.due, card.repetitions), (501, 0));
    }

    #[test]
    fn hints_slow_it_down_and_a_year_is_the_longest() {
        for (grade, reviews, intervals) in [
            (Grade::Solved, 40, MAX_DAYS..=MAX_DAYS),
            (Grade::Helped, 3, 2..=29),
            (Grade::Failed, 40, 1..=1),
        ] {
            let mut card = Card::new(item(), grade, 0);
            for _ in 0..reviews {
                card.review(grade, card.due);
            }
            assert!(intervals.contains(&card.interval), "{card:?}");
        }
    }

    #[test]
    fn whatever_a_file_says_can_be_gone_on_with() {
        for (ease_factor, interval, repetitions) in
            [(0.0, u32::MAX, u32::MAX), (-1e30, 0, 0), (f32::MAX, 1, 9), (2.5, u32::MAX, 3)]
        {
            let mut card = Card { item: item(), due: u32::MAX, interval, repetitions, ease_factor };
            card.review(Grade::Solved, u32::MAX);
            assert!((1..=MAX_DAYS).contains(&card.interval), "{card:?}");
        }
    }

    fn problem(id: &str, level: Option<u8>) -> TestPosition {
        TestPosition {
            id: id.to_owned(),
            position: Variant::Chesquerque.start(),
            best: Vec::new(),
            avoid: Vec::new(),
            mate: None,
            comment: None,
            themes: Vec::new(),
            level,
        }
    }

    const GAME: Variant = Variant::Chesquerque;

    #[test]
    fn solved_puzzles_are_kept_and_failed_ones_come_again() {
        let mut progress = Progress::default();
        progress.note_puzzle(GAME, &problem("mate-2-01", None), Grade::Solved, 10);
        progress.note_puzzle(GAME, &problem("mate-2-02", None), Grade::Failed, 10);
        progress.note_puzzle(GAME, &problem("fork", None), Grade::Helped, 10);
        let text = serde_json::to_string(&progress).expect("JSON");
        let read: Progress = serde_json::from_str(&text).expect("its own form");
        assert_eq!(read, progress);
        for (id, solved, due) in
            [("mate-2-01", true, None), ("mate-2-02", false, Some(11)), ("fork", false, Some(11))]
        {
            let item = Item::Puzzle { game: GAME, id: id.to_owned() };
            assert_eq!(read.has_solved(GAME, id), solved, "{id}");
            assert_eq!(read.card(&item).map(|card| card.due), due, "{id}");
            assert!(!read.has_solved(Variant::Masonic, id), "{id}");
        }
    }

    #[test]
    fn what_is_tried_before_its_time_stays_where_it_is() {
        let mut progress = Progress::default();
        let puzzle = problem("win-01", None);
        let due = |progress: &Progress| progress.cards()[0].due;
        progress.note_puzzle(GAME, &puzzle, Grade::Failed, 10);
        progress.note_puzzle(GAME, &puzzle, Grade::Solved, 10);
        assert_eq!(due(&progress), 11);
        progress.note_puzzle(GAME, &puzzle, Grade::Solved, 11);
        progress.note_puzzle(GAME, &puzzle, Grade::Solved, 12);
        assert_eq!(due(&progress), 18);
        // Known at last, it comes no more.
        let mut tries = 0;
        while let [card] = progress.cards() {
            let today = card.due;
            progress.note_puzzle(GAME, &puzzle, Grade::Solved, today);
            tries += 1;
        }
        assert!(tries < 8 && progress.has_solved(GAME, "win-01"), "{tries}");
    }

    #[test]
    fn the_level_follows_what_is_solved() {
        let mut progress = Progress::default();
        for at in 0..40 {
            progress.note_puzzle(GAME, &problem(&format!("a-{at}"), Some(12)), Grade::Solved, 1);
        }
        let high = progress.level(GAME);
        assert!((12.0..=20.0).contains(&high), "{high}");
        for at in 0..60 {
            progress.note_puzzle(GAME, &problem(&format!("b-{at}"), Some(5)), Grade::Failed, 1);
        }
        assert!(progress.level(GAME) < 5.0);
        // Whoever knows a puzzle learns nothing of himself.
        let level = progress.level(GAME);
        progress.note_puzzle(GAME, &problem("a-0", Some(20)), Grade::Solved, 2);
        assert_eq!(progress.level(GAME).to_bits(), level.to_bits());
    }

    #[test]
    fn what_is_known_best_gives_way() {
        let mut progress = Progress::default();
        let item = |at| Item::Mistake { id: "abcdefghijkm".to_owned(), ply: at };
        for at in 0..MAX_CARDS {
            progress.note(item(at), Grade::Failed, 1);
        }
        for today in [2, 3] {
            progress.note(item(7), Grade::Solved, today);
        }
        progress.note(item(MAX_CARDS), Grade::Failed, 3);
        assert_eq!(progress.cards().len(), MAX_CARDS);
        assert_eq!(progress.card(&item(7)), None);
        let text = serde_json::to_string(&progress).expect("JSON");
        assert!(text.len() < 256 << 10, "{}", text.len());
    }
}
