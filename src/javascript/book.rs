//! What an opening book knows about a position, in JSON.

use serde::Serialize;

use crate::search::ScoreJson;
use qirkat_engine::book::{Book, BookResults};
use qirkat_game::score::Score;
use qirkat_rules::variant::AnyPosition;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KnownJson {
    #[serde(flatten)]
    value: ValueJson,
    moves: Vec<MoveJson>,
}

/// Scores are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct ValueJson {
    #[serde(flatten)]
    score: ScoreJson,
    games: GamesJson,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct GamesJson {
    white: u32,
    draws: u32,
    black: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct MoveJson {
    lan: String,
    san: String,
    #[serde(flatten)]
    value: ValueJson,
}

impl ValueJson {
    fn of(score: Score, results: BookResults) -> ValueJson {
        let BookResults { white_wins: white, draws, black_wins: black } = results;
        ValueJson { score: ScoreJson::of(score), games: GamesJson { white, draws, black } }
    }
}

impl KnownJson {
    /// The entry of a position with its moves, best first; none if it is not in the book.
    pub fn of(book: &Book, position: &AnyPosition) -> Option<KnownJson> {
        let known = book.probe(position)?;
        let moves = known.moves.iter().map(|known| MoveJson {
            lan: known.mv.to_string(),
            san: position.san(known.mv),
            value: ValueJson::of(known.score, known.results),
        });
        let value = ValueJson::of(known.entry.score, known.entry.results);
        Some(KnownJson { value, moves: moves.collect() })
    }
}
