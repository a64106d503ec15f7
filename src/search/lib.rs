//! The search: iterative deepening alpha-beta with a transposition table, on
//! several threads that share it ("Lazy SMP"), for any [`Searchable`](qirkat_game::Searchable).
//!
//! A [`Searcher`] is all that is needed to search. It prints nothing: it
//! reports its lines to a [`Reporter`], can be stopped through a
//! [`SearchControl`], and returns a [`SearchResult`]. It knows no rules and no evaluation,
//! which come with the type parameter, and no clock, threads or tablebase but those that its
//! features and its caller give it.
//!
//! # Where to begin reading
//!
//! `searcher` starts the threads; each is a `worker`, which goes one ply deeper each time
//! (`deepening`) and walks the tree. All that happens at a node, with the heuristics that prune,
//! extend and reduce, is in `negamax`, in the order in which it happens; the leaves are
//! `quiescence`. Moves are ordered by `picker` and by what `history` knows of them, which has
//! the correction of the evaluation, too. The parameters of all heuristics are in `params`.
#![warn(missing_docs)]

mod control;
mod deepening;
#[cfg(feature = "threads")]
mod helpers;
mod history;
mod negamax;
mod params;
mod picker;
mod quiescence;
mod root;
mod search_limits;
mod search_report;
mod searcher;
mod short_mates;
mod tablebase;
mod transposition_table;
mod worker;

pub use control::SearchControl;
#[cfg(feature = "threads")]
pub use helpers::{MAX_THREADS, on_search_threads};
#[cfg(feature = "tuning")]
pub use params::{SEARCH_PARAMS, SearchParams};
pub use qirkat_system::machine::{ResourceError, TableMemoryError};
pub use search_limits::{Clock, Handicap, SearchLimits, TimeBudget};
pub use search_report::{Reporter, SearchLine, SearchResult, nodes_per_second};
pub use searcher::{DEFAULT_HASH_MEGABYTES, Searcher};
pub use transposition_table::{Bound, TranspositionTable, TtEntry};

/// The stack of a thread that searches. Deep enough for the deepest line: a
/// node takes about 1.2 kB of the stack in a release build, and up to four of
/// them share a ply (singular extension, null move and its verification), so
/// that 128 plies stay below a megabyte.
pub const SEARCH_STACK_BYTES: usize = 4 << 20;

/// A search on the caller's thread alone.
#[cfg(not(feature = "threads"))]
mod helpers {
    use qirkat_system::machine::ThreadsError;

    /// There will be one thread, however many are wanted.
    pub(super) fn reserve(_wanted: usize) -> Result<usize, ThreadsError> {
        Ok(1)
    }

    pub(super) fn for_each<T>(items: &[T], work: &dyn Fn(&T)) {
        items.iter().for_each(work);
    }

    /// There is nobody to give way to.
    pub(super) fn give_way() {}

    pub(super) fn run_together<R, T>(
        _threads: usize,
        only_first: T,
        search: &impl Fn(usize, Option<T>) -> R,
        _is_over: &impl Fn() -> bool,
    ) -> Vec<R> {
        vec![search(0, Some(only_first))]
    }
}
