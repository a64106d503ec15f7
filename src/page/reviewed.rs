//! What a review has found, in the form in which it is kept and told.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::move_texts::texts_of;
use qirkat_analysis::review::{AnnotationStyle, GameReview, MoveReview, ReviewData, annotate};
use qirkat_notation::pgn::PgnGame;

/// What a review has found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    /// Whether all moves are reviewed.
    pub(crate) is_complete: bool,
    /// The review and the annotated game, as they are kept.
    pub(crate) kept: Value,
    /// What was found of the first move.
    pub(crate) first: Option<ReviewedMove>,
}

/// What was found of a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct ReviewedMove {
    /// The move and what follows, by their points.
    pub line: Vec<String>,
    /// Moves to mate for the side that made it; negative when it is mated.
    pub mate: Option<i16>,
    /// Expected points that it lost, from 0 to 1.
    pub loss: f64,
    /// Whether that is enough for a mark.
    pub is_marked: bool,
}

impl Reviewed {
    /// The review of a game.
    ///
    /// # Errors
    /// When it cannot be written down, which should not happen.
    pub(crate) fn of(game: &PgnGame, review: &GameReview) -> Result<Reviewed, serde_json::Error> {
        let annotated = annotate(game, review, AnnotationStyle::default());
        let data = serde_json::to_value(ReviewData::of(game, review))?;
        Ok(Reviewed {
            is_complete: review.is_complete(),
            kept: json!({"review": data, "pgn": annotated.to_string()}),
            first: review.moves.first().map(ReviewedMove::of),
        })
    }
}

impl ReviewedMove {
    fn of(review: &MoveReview) -> ReviewedMove {
        ReviewedMove {
            line: texts_of(&review.line.moves),
            mate: review.line.score.moves_to_mate(),
            loss: review.loss,
            is_marked: review.mark.is_some(),
        }
    }
}
