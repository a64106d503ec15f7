//! Instantiates the searches for the evaluations of this crate.
//!
//! The search is generic over the evaluation. Its entry point is never inlined, so the compiler
//! reuses an instance from a crate below. A small program that uses these evaluations compiles in
//! 0.8 instead of 4.4 s.

use crate::{AlquerqueEvaluation, Evaluation, MasonicEvaluation};
use qirkat_game::{Evaluate, GameState, Rules};
use qirkat_search::{Reporter, SearchControl, SearchLimits, SearchResult, Searcher};

type Search<E, G = <E as Evaluate>::Game> = fn(
    &mut Searcher<E>,
    &SearchControl,
    &GameState<G>,
    &[<G as Rules>::Move],
    &SearchLimits,
    &mut Reporter<'_, G>,
) -> SearchResult<G>;

#[used]
static COMPILED: (Search<Evaluation>, Search<MasonicEvaluation>, Search<AlquerqueEvaluation>) =
    (Searcher::search_under, Searcher::search_under, Searcher::search_under);
