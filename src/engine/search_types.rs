//! The types of [`search`] for any game, by short names.

use qirkat_evaluation::{Chances, WdlModel};
use qirkat_rules::variant::{AnyPosition, Variant};

/// What bounds a search.
pub type SearchLimits = qirkat_search::SearchLimits<AnyPosition>;
/// One line of play with its score.
pub type SearchLine = qirkat_search::SearchLine<AnyPosition>;
/// What a search has come to.
pub type SearchResult = qirkat_search::SearchResult<AnyPosition>;

/// The chances of the side that begins a line, by the model of the game.
pub fn line_chances(variant: Variant, line: &SearchLine) -> Chances {
    if line.is_drawn { Chances::DRAWN } else { WdlModel::fitted(variant).chances(line.score) }
}
