//! The search: iterative deepening alpha-beta with a transposition table, on several threads that
//! share it ("Lazy SMP"), for any [`Searchable`](qirkat_game::Searchable).
//!
//! A [`Searcher`] holds all that a search needs. It prints nothing: it sends its lines to a
//! [`Reporter`], can be stopped through a [`SearchControl`], and returns a [`SearchResult`]. Its
//! type parameter supplies the rules and the evaluation. Clock and threads are optional features;
//! the caller may set a tablebase or its own clock.
//!
//! # Where to begin reading
//!
//! `searcher` starts the threads. Each is a `worker` that deepens iteratively (`deepening`).
//! `negamax` has all steps of a node, in order: pruning, extensions and reductions; the leaves call
//! `quiescence`. `picker` orders moves by the statistics of `history`, which also corrects the
//! evaluation. `params` has the parameters of all heuristics.

mod control;
mod deepening;
mod history;
mod negamax;
mod params;
mod picker;
mod quiescence;
mod root;
mod search_limits;
mod search_report;
#[cfg(feature = "threads")]
mod search_threads;
mod searcher;
mod short_mates;
mod tablebase;
mod transposition_table;
mod worker;

pub use control::SearchControl;
#[cfg(feature = "tuning")]
pub use params::{SEARCH_PARAMS, SearchParams};
pub use qirkat_system::machine::{ResourceError, TableMemoryError};
pub use search_limits::{Clock, Handicap, SearchLimits, TimeBudget};
pub use search_report::{Reporter, SearchLine, SearchResult, nodes_per_second};
#[cfg(feature = "threads")]
pub use search_threads::{MAX_THREADS, on_search_threads};
pub use searcher::{DEFAULT_HASH_MEGABYTES, Searcher};
pub use transposition_table::{Bound, TranspositionTable, TtEntry};

/// The stack size of a search thread, enough for the deepest line: a node takes about 1.2 kB in a
/// release build, and up to three share a ply (a node, the verification of its null move, and the
/// singular search in that), so 128 plies stay below a megabyte.
pub const SEARCH_STACK_BYTES: usize = 4 << 20;

/// Without threads, the search runs on the caller's thread.
#[cfg(not(feature = "threads"))]
mod search_threads {
    use qirkat_system::machine::ThreadsError;

    pub(super) fn usable_threads(_wanted: usize) -> Result<usize, ThreadsError> {
        Ok(1)
    }

    pub(super) fn for_each<T>(items: &[T], work: &dyn Fn(&T)) {
        items.iter().for_each(work);
    }

    pub(super) fn yield_core() {}

    pub(super) fn run_together<R, T>(
        _threads: usize,
        only_first: T,
        search: &impl Fn(usize, Option<T>) -> R,
        _is_over: &impl Fn() -> bool,
    ) -> Vec<R> {
        vec![search(0, Some(only_first))]
    }
}
