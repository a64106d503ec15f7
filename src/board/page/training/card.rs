//! Cards: positions that come again, at distances that grow as long as they are solved.

use serde::{Deserialize, Serialize};
use sra::sm_2::{Quality, SM2};

use qirkat_rules::variant::Variant;

/// A day, counted from 1970 on where the user lives.
pub(crate) type Day = u32;

/// Days after which a position comes again at the latest.
const MOST_DAYS: u32 = 365;
/// The factors by which distances may grow: what SM-2 goes down to, and more than it goes up to.
const GROWTH: (f32, f32) = (1.3, 4.0);

/// A position to train.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Item {
    /// A puzzle that comes with the program.
    Puzzle { game: Variant, id: String },
    /// A move of a reviewed game that has a mark.
    Mistake {
        /// The game's name.
        id: String,
        /// The move's place in the main line, from 1.
        ply: usize,
    },
}

/// How somebody has come to the solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Grade {
    /// After a wrong move, or by being shown it.
    Failed,
    Helped,
    /// Alone, with the first try.
    Solved,
}

/// When a position comes again. The distances are those of SM-2 by P. A. Woźniak (*Optimization
/// of learning*, 1990): a day, six days, then by a factor that depends on how it went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Card {
    pub item: Item,
    /// The first day on which it is to be shown.
    pub due: Day,
    /// Days from the time before to that one.
    pub distance: u32,
    /// How often in a row it was solved.
    solved: u32,
    /// The factor by which the distance grows.
    growth: f32,
}

impl Card {
    /// A position that was tried for the first time.
    pub fn new(item: Item, grade: Grade, today: Day) -> Card {
        let new = SM2::new();
        let mut card = Card { item, due: today, distance: 0, solved: 0, growth: new.ease_factor() };
        card.tried(grade, today);
        card
    }

    /// Puts it off, by how it went.
    pub fn tried(&mut self, grade: Grade, today: Day) {
        let quality = match grade {
            Grade::Failed => Quality::Grade1,
            Grade::Helped => Quality::Grade3,
            Grade::Solved => Quality::Grade4,
        };
        // What a file says may be anything.
        let next = SM2::new()
            .set_repetitions(self.solved.min(MOST_DAYS) as usize)
            .set_interval(self.distance.min(MOST_DAYS) as usize)
            .set_ease_factor(self.growth.max(GROWTH.0).min(GROWTH.1))
            .review(quality);
        self.solved = u32::try_from(next.repetitions()).unwrap_or(u32::MAX);
        self.distance = u32::try_from(next.interval()).unwrap_or(u32::MAX).clamp(1, MOST_DAYS);
        self.growth = next.ease_factor();
        self.due = today.saturating_add(self.distance);
    }

    /// Whether it is to be shown today.
    pub const fn is_due(&self, today: Day) -> bool {
        self.due <= today
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        Item::Mistake { id: "abcdefghijkm".to_owned(), ply: 7 }
    }

    #[test]
    fn what_is_solved_comes_again_at_growing_distances() {
        let mut card = Card::new(item(), Grade::Failed, 100);
        let mut days = vec![card.due];
        for _ in 0..6 {
            assert!(!card.is_due(card.due - 1) && card.is_due(card.due));
            card.tried(Grade::Solved, card.due);
            days.push(card.due);
        }
        assert_eq!(days, [101, 102, 108, 123, 160, 252, 482]);
        card.tried(Grade::Failed, 500);
        assert_eq!((card.due, card.solved), (501, 0));
    }

    #[test]
    fn hints_slow_it_down_and_a_year_is_the_longest() {
        let run = |grade| {
            let mut card = Card::new(item(), grade, 0);
            for _ in 0..40 {
                card.tried(grade, card.due);
            }
            card
        };
        assert_eq!(run(Grade::Solved).distance, MOST_DAYS);
        let mut helped = Card::new(item(), Grade::Helped, 0);
        for _ in 0..3 {
            helped.tried(Grade::Helped, helped.due);
        }
        assert!(helped.distance < 30, "{helped:?}");
        assert_eq!(run(Grade::Failed).distance, 1);
    }

    #[test]
    fn whatever_a_file_says_can_be_gone_on_with() {
        for (growth, distance, solved) in
            [(0.0, u32::MAX, u32::MAX), (-1e30, 0, 0), (f32::MAX, 1, 9), (2.5, u32::MAX, 3)]
        {
            let mut card = Card { item: item(), due: u32::MAX, distance, solved, growth };
            card.tried(Grade::Solved, u32::MAX);
            assert!((1..=MOST_DAYS).contains(&card.distance), "{card:?}");
        }
    }
}
