//! The generic types of [`search`] for Chesquerque and its
//! [`Evaluation`], by short names.

use crate::chesquerque::Position;
use crate::evaluation::{Evaluation, Wdl, wdl};
use crate::search;

/// All that is needed to search.
pub type Searcher = search::Searcher<Evaluation>;
/// What bounds a search.
pub type SearchLimits = search::SearchLimits<Position>;
/// One line of play with its score.
pub type SearchLine = search::SearchLine<Position>;
/// What a search has come to.
pub type SearchResult = search::SearchResult<Position>;

/// How often a line's score is won, drawn and lost.
pub fn line_wdl(line: &SearchLine) -> Wdl {
    if line.is_drawn { Wdl::DRAW } else { wdl(line.score) }
}
