//! The user's own results against the engine, and a rating estimated from them by Glicko-2 (M. E.
//! Glickman, *Example of the Glicko-2 system*, 2022). All is computed from the saved games.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::page::record::PlayedGame;
use crate::page::shown::side_word;
use crate::page::store::Store;
use qirkat_engine::ELO_RANGE;
use qirkat_game::{Color, GameResult};
use qirkat_rules::variant::Variant;

/// Games read at once. Reading all would block the session.
const READ_AT_ONCE: usize = 500;
/// Points of a rating in a unit of Glicko-2's own scale.
const SCALE: f64 = 173.7178;
/// Standard deviations of the 95 % error.
const ERROR: f64 = 1.96;

/// What is read of a saved game: its moves are not replayed.
#[derive(Deserialize)]
struct SavedGame {
    #[serde(rename = "game")]
    variant: Variant,
    start: String,
    play: Option<PlayedGame>,
    #[serde(default)]
    tags: Vec<(String, String)>,
}

/// A game that the user has finished against the engine, without help and from the usual start.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct OwnGame {
    /// When it was begun, in PGN's form.
    date: String,
    #[serde(skip)]
    day: i64,
    #[serde(skip)]
    saved: Duration,
    side: &'static str,
    /// Full strength if not given, which has no rating.
    elo: Option<u32>,
    #[serde(skip)]
    outcome: Outcomes,
    /// A win is 1, a draw 0.5.
    score: f64,
    /// The user's rating after the game, and its 95 % error.
    rating: Option<[f64; 2]>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Results {
    /// The earliest first.
    games: Vec<OwnGame>,
    /// How many other games against the engine have ended.
    others: usize,
}

/// None: not a finished game against the engine. `Some((_, None))`: one that does not count.
type CountedGame = Option<(Variant, Option<OwnGame>)>;

/// What the saved games said when they were read, with the time when each was saved.
#[derive(Debug, Default)]
pub(crate) struct OwnGames(BTreeMap<String, (Duration, CountedGame)>);

impl OwnGames {
    /// Reads some of the games that are new or have changed, and returns how many are left.
    pub fn read(&mut self, store: &Store) -> usize {
        let there: BTreeMap<String, Duration> = store.names().into_iter().collect();
        self.0.retain(|id, (time, _)| there.get(id) == Some(time));
        let missing = there.into_iter().filter(|(id, _)| !self.0.contains_key(id));
        let missing: Vec<_> = missing.collect();
        for (id, time) in missing.iter().take(READ_AT_ONCE) {
            let read = store.read_fields(id).ok().and_then(|saved| OwnGame::of(&saved, *time));
            self.0.insert(id.clone(), (*time, read));
        }
        missing.len().saturating_sub(READ_AT_ONCE)
    }

    /// The results in the games that were read.
    pub fn results(&self) -> BTreeMap<Variant, Results> {
        let mut all: BTreeMap<Variant, Results> = BTreeMap::new();
        for (variant, game) in self.0.values().filter_map(|(_, read)| read.as_ref()) {
            let results = all.entry(*variant).or_default();
            match game {
                Some(game) => results.games.push(game.clone()),
                None => results.others += 1,
            }
        }
        for Results { games, .. } in all.values_mut() {
            // A file is saved anew when its game is looked through; the day is noted in the game.
            games.sort_by_key(|game| (game.day, game.saved));
            rate(games);
        }
        all
    }
}

impl OwnGame {
    fn of(saved: &SavedGame, time: Duration) -> CountedGame {
        let play = saved.play.as_ref()?;
        let side = match play.game.people {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => return None,
        };
        let result = play.game.ending.as_ref()?.result;
        Some((saved.variant, OwnGame::counted(saved, time, play, (side, result))))
    }

    fn counted(
        saved: &SavedGame,
        time: Duration,
        play: &PlayedGame,
        (side, result): (Color, GameResult),
    ) -> Option<OwnGame> {
        let outcome = match result {
            GameResult::Unfinished => return None,
            GameResult::Draw => Outcomes::DRAW,
            _ if result == GameResult::won_by(side) => Outcomes::WIN,
            _ => Outcomes::LOSS,
        };
        let is_usual = saved.start == saved.variant.start().fen();
        let is_rated_elo = play.elo.is_none_or(|elo| (ELO_RANGE.0..=ELO_RANGE.1).contains(&elo));
        let (_, date) = saved.tags.iter().find(|(name, _)| name == "Date")?;
        let game = OwnGame {
            date: date.clone(),
            day: day_of(date)?,
            saved: time,
            side: side_word(side),
            elo: play.elo,
            outcome,
            score: outcome.to_chess_points(),
            rating: None,
        };
        (is_usual && is_rated_elo && !play.helped).then_some(game)
    }
}

/// Rates the games against engines of fixed Elo. Each game is a rating period of its own: in a
/// longer one the rating overshoots if it begins far from the engine's Elo. A day without games is
/// a period too, which only makes the rating less certain.
fn rate(games: &mut [OwnGame]) {
    let (unknown, config) = (Glicko2Rating::new(), Glicko2Config::new());
    let mut own = unknown;
    let mut last = None;
    for game in games {
        let Some(elo) = game.elo else { continue };
        let idle = (game.day - last.unwrap_or(game.day) - 1).max(0) as f64;
        let deviation = own.deviation.hypot(own.volatility * SCALE * idle.sqrt());
        own.deviation = deviation.min(unknown.deviation);
        last = Some(game.day);
        let engine = Glicko2Rating { rating: elo.into(), deviation: 0.0, ..unknown };
        own = glicko2_rating_period(&own, &[(engine, game.outcome)], &config);
        game.rating = Some([own.rating, ERROR * own.deviation]);
    }
}

/// The number of days since 1970 of a date in PGN's form, by H. Hinnant's `days_from_civil`.
fn day_of(date: &str) -> Option<i64> {
    let mut parts = date.split('.').map(|part| part.parse::<u16>().ok().map(i64::from));
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && parts.next().is_none();
    let year = if month > 2 { year } else { year - 1 };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    is_date.then_some(era * 146_097 + days - 719_468)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::page::store::KeptFiles;
    use crate::page::tests::MemoryFiles;

    fn saved(changes: &[(&str, Value)]) -> String {
        let mut saved = json!({
            "game": "masonic", "start": Variant::Masonic.start().fen(), "tags": [["Date", "2026.11.28"]],
            "play": {
                "people": [true, false], "elo": 1500, "think": 1, "clock": null, "left": [0, 0],
                "paused": false, "ending": {"result": "1-0", "reason": ""}, "last": 0,
            },
        });
        for (pointer, value) in changes {
            *saved.pointer_mut(pointer).expect(pointer) = value.clone();
        }
        saved.to_string()
    }

    fn results_of(games: &[String]) -> Results {
        let files = Arc::new(MemoryFiles::default());
        for (number, text) in games.iter().enumerate() {
            let number: String =
                format!("{number:03}").bytes().map(|it| char::from(it + 49)).collect();
            files.write(&format!("abcdefghj{number}.json"), text).expect("room");
        }
        let (mut own, store) = (OwnGames::default(), Store::new(files));
        assert_eq!((own.read(&store), own.read(&store)), (0, 0));
        own.results().remove(&Variant::Masonic).unwrap_or_default()
    }

    #[test]
    fn only_games_against_a_level_without_help_count() {
        let set_up = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
        for (changes, score, rated, others) in [
            (vec![], Some(1.0), true, 0),
            (vec![("/play/people", json!([false, true]))], Some(0.0), true, 0),
            (vec![("/play/ending/result", json!("1/2-1/2"))], Some(0.5), true, 0),
            // Full strength has no rating.
            (vec![("/play/elo", json!(null))], Some(1.0), false, 0),
            (vec![("/play/elo", json!(4_000_000_000_u32))], None, false, 1),
            (vec![("/start", json!(set_up))], None, false, 1),
            (vec![("/play/ending/result", json!("*"))], None, false, 1),
            (vec![("/tags", json!([["Date", "2026.13.01"]]))], None, false, 1),
            (vec![("/play/ending", json!(null))], None, false, 0),
            (vec![("/play/people", json!([true, true]))], None, false, 0),
            (vec![("/play", json!(null))], None, false, 0),
            (vec![("/play", json!("none"))], None, false, 0),
        ] {
            let results = results_of(&[saved(&changes)]);
            let game = results.games.first();
            assert_eq!(game.map(|game| game.score), score, "{changes:?}");
            let found = (game.is_some_and(|game| game.rating.is_some()), results.others);
            assert_eq!(found, (rated, others), "{changes:?}");
        }
        let helped = saved(&[]).replace("\"paused\"", "\"helped\":true,\"paused\"");
        assert_eq!(results_of(&[helped]).others, 1);
    }

    #[test]
    fn the_rating_nears_the_level_that_is_as_strong() {
        let game = |number: u32, elo: u32| {
            let result = if number.is_multiple_of(2) { "1-0" } else { "0-1" };
            let date = json!([["Date", format!("2026.11.{:02}", 1 + number / 10)]]);
            let result = ("/play/ending/result", json!(result));
            saved(&[("/play/elo", json!(elo)), result, ("/tags", date)])
        };
        for elo in [800, 1500, 2400] {
            // The order of the files says nothing.
            let games: Vec<_> = (0..100).rev().map(|number| game(number, elo)).collect();
            let results = results_of(&games);
            assert!(results.games.is_sorted_by_key(|game| game.day));
            let ratings: Vec<_> = results.games.iter().filter_map(|game| game.rating).collect();
            let [rating, error] = ratings[99];
            assert!((rating - f64::from(elo)).abs() < error && error < 150.0, "{elo}: {rating}");
            assert!(ratings[0][1] > 400.0, "{ratings:?}");
        }
    }

    #[test]
    fn a_rating_grows_uncertain_with_the_years() {
        let errors = |year: u32| {
            let mut games = vec![saved(&[]); 60];
            games.push(saved(&[("/tags", json!([["Date", format!("{year}.11.29")]]))]));
            let results = results_of(&games);
            results.games[60].rating.map(|[_, error]| error)
        };
        let [next_day, next_year, late] =
            [2026, 2027, 9999].map(|year| errors(year).expect("rated"));
        assert!(next_day < next_year && next_year < late && late < 700.0, "{late}");
    }

    #[test]
    fn dates_are_counted_in_days() {
        for (date, day) in [
            ("1970.01.01", Some(0)),
            ("2000.03.01", Some(11_017)),
            ("2026.11.28", Some(20_785)),
            ("????.??.??", None),
            ("2026.00.10", None),
            ("2026.11", None),
            ("", None),
        ] {
            assert_eq!(day_of(date), day, "{date}");
        }
    }
}
