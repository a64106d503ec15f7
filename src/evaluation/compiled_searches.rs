//! The searches by the evaluations of this crate, compiled with it.
//!
//! The search is generic over the evaluation. Its entry is never inlined, and of such a function
//! the compiler takes the copy of a crate below where it finds one. So a small program that uses
//! these evaluations takes 0.8 instead of 4.4 s to compile.

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
