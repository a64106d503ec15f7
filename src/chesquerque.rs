//! Chesquerque, the game that this program plays, searched by its own
//! evaluation: the generic types of [`search`](crate::search) by short names.

use crate::evaluation::Evaluation;
use crate::position::Position;
use crate::search;

/// All that is needed to search.
pub type Searcher = search::Searcher<Evaluation>;
/// What all threads of one search share.
pub type SearchTask<'a> = search::SearchTask<'a, Evaluation>;
/// Threads that search together.
pub type SearchThreads = search::SearchThreads<Position>;
/// What bounds a search.
pub type SearchLimits = search::SearchLimits<Position>;
/// One line of play with its score.
pub type SearchLine = search::SearchLine<Position>;
/// What a search has come to.
pub type SearchResult = search::SearchResult<Position>;
