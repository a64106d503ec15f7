//! Monomorphisation of the search: where it is compiled for an evaluation.

use super::search_report::{Reporter, SearchResult};
use super::search_task::SearchTask;
use super::threads::SearchThreads;
use qirkat_game::Evaluate;

/// An evaluation that a [`Searcher`](super::Searcher) can search by. Your own needs no more
/// than `impl CompiledSearch for MyEvaluation {}`.
///
/// The search is generic over the evaluation, so it is compiled in each program that uses
/// one. For the evaluations of this crate it is compiled with the crate: a small program
/// that uses them takes 0.8 instead of 4.4 s to compile.
pub trait CompiledSearch: Evaluate + Sized {
    /// Searches on these threads. Within this crate an implementation without type
    /// parameters repeats this line, and so is compiled here.
    #[doc(hidden)]
    fn search(
        threads: &SearchThreads<Self::Game>,
        task: SearchTask<'_, Self>,
        reporter: &mut dyn Reporter<Self::Game>,
    ) -> SearchResult<Self::Game> {
        threads.search_unless_known(task, reporter)
    }
}
