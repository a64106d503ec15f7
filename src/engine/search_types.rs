//! The types of [`search`] for any game, by short names.

use crate::evaluation::{Wdl, wdl};
use crate::search;
use crate::variant::AnyPosition;

/// What bounds a search.
pub type SearchLimits = search::SearchLimits<AnyPosition>;
/// One line of play with its score.
pub type SearchLine = search::SearchLine<AnyPosition>;
/// What a search has come to.
pub type SearchResult = search::SearchResult<AnyPosition>;

/// How often a line's score is won, drawn and lost.
pub fn line_wdl(line: &SearchLine) -> Wdl {
    if line.is_drawn { Wdl::DRAW } else { wdl(line.score) }
}
