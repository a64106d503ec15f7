//! The searches that are compiled with this crate: by the evaluations of its own games.

use crate::{AlquerqueEvaluation, Evaluation, MasonicEvaluation};
use qirkat_game::Evaluate;
use qirkat_search::{CompiledSearch, Reporter, SearchResult, SearchTask, SearchThreads};

/// An implementation for each, since a generic one would be compiled where it is used.
macro_rules! compiled_search {
    ($($evaluation:ty),*) => {$(
        impl CompiledSearch for $evaluation {
            fn search(
                threads: &SearchThreads<<Self as Evaluate>::Game>,
                task: SearchTask<'_, Self>,
                reporter: &mut dyn Reporter<<Self as Evaluate>::Game>,
            ) -> SearchResult<<Self as Evaluate>::Game> {
                threads.search_unless_known(task, reporter)
            }
        }
    )*};
}

compiled_search!(Evaluation, MasonicEvaluation, AlquerqueEvaluation);
