//! What an opening book knows about a position, in JSON.

use serde::Serialize;

use crate::search::ScoreJson;
use qirkat_engine::book::{Book, BookResults};
use qirkat_rules::variant::AnyPosition;

/// Scores are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KnownJson {
    #[serde(flatten)]
    score: ScoreJson,
    games: BookResults,
    moves: Vec<BookMoveJson>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct BookMoveJson {
    lan: String,
    san: String,
    #[serde(flatten)]
    score: ScoreJson,
    games: BookResults,
}

impl KnownJson {
    /// The entry of a position with its moves, best first; none if it is not in the book.
    pub fn of(book: &Book, position: &AnyPosition) -> Option<KnownJson> {
        let known = book.probe(position)?;
        let moves = known.moves.iter().map(|known| BookMoveJson {
            lan: known.mv.to_string(),
            san: position.san(known.mv),
            score: ScoreJson::of(known.score),
            games: known.results,
        });
        let score = ScoreJson::of(known.entry.score);
        Some(KnownJson { score, games: known.entry.results, moves: moves.collect() })
    }
}
