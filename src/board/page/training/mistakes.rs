//! The mistakes of all reviewed games, and the kinds of mistakes made most often.
//!
//! They are extracted from the reviews, which are saved beside their games. The extract of a review
//! is small, and is replaced when the review is.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::page::shown::replay;
use crate::page::training::cards::Item;
use qirkat_rules::variant::{AnyGame, Variant};

#[derive(Deserialize)]
struct KeptReview {
    review: ReviewedMoves,
}

#[derive(Deserialize)]
struct ReviewedMoves {
    variant: Variant,
    start: String,
    moves: Vec<Map<String, Value>>,
}

/// The part of a reviewed move that is read. The page gets all of it.
#[derive(Deserialize)]
struct Move {
    ply: usize,
    color: String,
    san: String,
    #[serde(rename = "move")]
    points: String,
    phase: String,
    mark: Option<String>,
}

impl Move {
    fn of(entry: &Map<String, Value>) -> Option<Move> {
        serde_json::from_value(Value::Object(entry.clone())).ok()
    }
}

pub(crate) struct Mistake {
    pub game: AnyGame,
    pub entry: Map<String, Value>,
}

/// A mistake in a review, by its ply in the main line, from 1.
pub(crate) fn mistake_in(review: &Value, ply: usize) -> Result<Mistake, String> {
    let none = || "the review of this game has no such mistake any more".to_owned();
    let KeptReview { review: ReviewedMoves { variant, start, moves } } =
        Deserialize::deserialize(review).map_err(|_| none())?;
    let entry = ply.checked_sub(1).and_then(|at| moves.get(at)).ok_or_else(none)?;
    if !entry.get("mark").is_some_and(Value::is_string) {
        return Err(none());
    }
    let start = variant.read_fen(&start).map_err(|error| error.to_string())?;
    let text = |mv: &Map<String, Value>| mv.get("move").and_then(Value::as_str).map(str::to_owned);
    let before = moves[..ply - 1].iter().map(|mv| text(mv).unwrap_or_default());
    Ok(Mistake { game: replay(start.position, before)?, entry: entry.clone() })
}

/// Mistakes among moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct MistakeRate {
    pub mistakes: u32,
    pub moves: u32,
}

impl MistakeRate {
    fn add(&mut self, is_mistake: bool) {
        self.join(MistakeRate { mistakes: is_mistake.into(), moves: 1 });
    }

    fn join(&mut self, other: MistakeRate) {
        self.moves = self.moves.saturating_add(other.moves);
        self.mistakes = self.mistakes.saturating_add(other.mistakes);
    }
}

/// How often mistakes are made, by phase, piece and point.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Habits {
    pub games: u32,
    pub phases: BTreeMap<String, MistakeRate>,
    /// By the piece that moved, as Black's FEN letter; `p` for the men of Alquerque too.
    pub pieces: BTreeMap<char, MistakeRate>,
    pub points: BTreeMap<String, MistakeRate>,
}

/// The end point of a move such as `e2e4`, `a8a9q` or `a1c3e5`.
fn target_point(text: &str) -> Option<&str> {
    let points = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    points.get(points.len().checked_sub(2)?..)
}

impl Habits {
    fn add(&mut self, mv: &Move) {
        let is_mistake = mv.mark.is_some();
        self.phases.entry(mv.phase.clone()).or_default().add(is_mistake);
        if let Some(point) = target_point(&mv.points) {
            self.points.entry(point.to_owned()).or_default().add(is_mistake);
        }
        // SAN names the piece unless it is a pawn; men have no letter either.
        let piece = match mv.san.chars().next() {
            Some('O') => 'k',
            Some(letter) if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
            _ => 'p',
        };
        self.pieces.entry(piece).or_default().add(is_mistake);
    }

    fn join(&mut self, other: &Habits) {
        fn join<K: Ord + Clone>(
            all: &mut BTreeMap<K, MistakeRate>,
            other: &BTreeMap<K, MistakeRate>,
        ) {
            for (key, share) in other {
                all.entry(key.clone()).or_default().join(*share);
            }
        }
        self.games = self.games.saturating_add(other.games);
        join(&mut self.phases, &other.phases);
        join(&mut self.pieces, &other.pieces);
        join(&mut self.points, &other.points);
    }
}

#[derive(Debug)]
struct ReviewedGame {
    variant: Variant,
    /// Whether it was played on this board: if so, `plies` are the user's mistakes.
    played_here: bool,
    plies: Vec<usize>,
    habits: Habits,
}

#[derive(Debug, Default)]
pub(super) struct ReviewedMistakes {
    /// By game id, with the time of the review; none if it cannot be read or used.
    games: BTreeMap<String, (Duration, Option<ReviewedGame>)>,
}

impl ReviewedMistakes {
    /// Drops the reviews that are gone, and returns those that are new or changed.
    pub fn missing(&mut self, reviews: &[(String, Duration)]) -> Vec<(String, Duration)> {
        let there: BTreeMap<&String, Duration> =
            reviews.iter().map(|(id, time)| (id, *time)).collect();
        self.games.retain(|id, (time, _)| there.get(id) == Some(time));
        let is_new = |(id, _): &&(String, Duration)| !self.games.contains_key(id);
        reviews.iter().filter(is_new).cloned().collect()
    }

    /// Adds a review saved at this time. `people`: the sides that people played, if played here.
    pub fn add(&mut self, id: &str, time: Duration, people: Option<[bool; 2]>, review: &Value) {
        self.games.insert(id.to_owned(), (time, ReviewedGame::of(people, review)));
    }

    /// The mistakes, those of the latest reviews first. `others` includes games not played here.
    pub fn items(&self, others: bool) -> Vec<Item> {
        let known = self.games.iter().filter_map(|(id, (time, game))| {
            Some((*time, id, game.as_ref().filter(|game| game.played_here || others)?))
        });
        let mut games: Vec<_> = known.collect();
        games.sort_by_key(|&(time, ..)| std::cmp::Reverse(time));
        let items = games.iter().flat_map(|(_, id, game)| {
            game.plies.iter().map(|&ply| Item::Mistake { id: (*id).clone(), ply })
        });
        items.collect()
    }

    pub fn contains(&self, id: &str, ply: usize) -> bool {
        let game = self.games.get(id).and_then(|(_, game)| game.as_ref());
        game.is_some_and(|game| game.plies.contains(&ply))
    }

    pub fn habits(&self, others: bool) -> BTreeMap<Variant, Habits> {
        let mut all: BTreeMap<Variant, Habits> = BTreeMap::new();
        let games = self.games.values().filter_map(|(_, game)| game.as_ref());
        for game in games.filter(|game| game.played_here || others) {
            all.entry(game.variant).or_default().join(&game.habits);
        }
        all
    }
}

impl ReviewedGame {
    fn of(people: Option<[bool; 2]>, review: &Value) -> Option<ReviewedGame> {
        let KeptReview { review: ReviewedMoves { variant, moves, .. } } =
            Deserialize::deserialize(review).ok()?;
        let counts = people.unwrap_or([true, true]);
        let mut habits = Habits { games: 1, ..Habits::default() };
        let mut plies = Vec::new();
        for mv in moves.iter().filter_map(Move::of) {
            if counts[usize::from(mv.color != "white")] {
                habits.add(&mv);
                plies.extend(mv.mark.is_some().then_some(mv.ply));
            }
        }
        let is_of_use = habits.phases.values().any(|share| share.moves > 0);
        is_of_use.then_some(ReviewedGame { variant, played_here: people.is_some(), plies, habits })
    }
}

#[cfg(test)]
pub mod tests {
    use serde_json::json;

    use super::*;

    pub fn review_of(marks: [Option<&str>; 3]) -> Value {
        let moves = [("e4", "e2e4"), ("e6", "e8e6"), ("d3", "d2d3")].into_iter().zip(marks);
        let moves = moves.zip(1..).map(|(((san, points), mark), ply)| {
            json!({
                "ply": ply, "number": 1, "color": if ply % 2 == 1 { "white" } else { "black" },
                "san": san, "move": points, "mark": mark, "phase": "opening",
            })
        });
        let moves: Vec<Value> = moves.collect();
        let start = Variant::Chesquerque.start().fen();
        json!({"review": {"variant": "chesquerque", "start": start, "moves": moves}})
    }

    fn review() -> Value {
        review_of([None, Some("mistake"), Some("blunder")])
    }

    #[test]
    fn mistakes_have_the_position_before_them() {
        let mistake = mistake_in(&review(), 3).expect("a mistake");
        assert_eq!(mistake.game.moves().last().map(ToString::to_string).as_deref(), Some("e8e6"));
        assert_eq!(mistake.entry["san"], "d3");
        assert!(mistake.game.position().read_move("d2d3").is_ok());
        for ply in [0, 1, 4, usize::MAX] {
            assert!(mistake_in(&review(), ply).is_err(), "{ply}");
        }
        for review in [json!(null), json!({"review": {"moves": [3]}}), json!([])] {
            assert!(mistake_in(&review, 1).is_err(), "{review}");
        }
        let mut wrong = review();
        wrong["review"]["moves"][0]["move"] = json!("e2e9");
        assert!(mistake_in(&wrong, 3).is_err());
    }

    #[test]
    fn reviews_have_the_mistakes_of_people() {
        let mut known = ReviewedMistakes::default();
        let at = Duration::from_secs;
        let reviews = [("a".to_owned(), at(1)), ("b".to_owned(), at(2)), ("c".to_owned(), at(3))];
        assert_eq!(known.missing(&reviews).len(), 3);
        known.add("a", at(1), Some([true, false]), &review());
        known.add("b", at(2), None, &review());
        known.add("c", at(3), Some([false, false]), &review());
        assert_eq!(known.missing(&reviews), []);
        let mistake = |id: &str, ply| Item::Mistake { id: id.to_owned(), ply };
        assert_eq!(known.items(false), [mistake("a", 3)]);
        assert_eq!(known.items(true), [mistake("b", 2), mistake("b", 3), mistake("a", 3)]);
        assert!(known.contains("b", 2) && !known.contains("a", 2) && !known.contains("c", 2));
        let habits = &known.habits(false)[&Variant::Chesquerque];
        assert_eq!(habits.phases["opening"], MistakeRate { mistakes: 1, moves: 2 });
        assert_eq!(habits.pieces[&'p'], MistakeRate { mistakes: 1, moves: 2 });
        assert_eq!(habits.points["d3"], MistakeRate { mistakes: 1, moves: 1 });
        assert_eq!(known.habits(true)[&Variant::Chesquerque].games, 2);
        // A review that was made anew is read anew, and one that is gone is forgotten.
        let now = [("a".to_owned(), at(9)), ("b".to_owned(), at(2))];
        assert_eq!(known.missing(&now), [("a".to_owned(), at(9))]);
        assert_eq!(known.items(true), [mistake("b", 2), mistake("b", 3)]);
    }

    #[test]
    fn moves_end_on_points() {
        for (text, goal) in [("e2e4", "e4"), ("a8a9q", "a9"), ("a1c3e5", "e5"), ("é", ""), ("", "")]
        {
            let found = target_point(text).filter(|goal| goal.is_ascii());
            assert_eq!(found.unwrap_or_default(), goal, "{text}");
        }
    }
}
