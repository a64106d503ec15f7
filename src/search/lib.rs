//! The search: iterative deepening alpha-beta with a transposition table, on
//! several threads that share it ("Lazy SMP"), for any [`Game`](qirkat_game::Game).
//!
//! A [`Searcher`] is all that is needed to search. It prints nothing: it
//! reports its lines to a [`Reporter`], can be stopped through a
//! [`SearchControl`], and returns a [`SearchResult`].

mod compiled_search;
mod control;
mod correction;
mod counters;
mod deepening;
mod handicap;
#[cfg(feature = "threads")]
mod helpers;
mod histories;
mod history;
mod huge_pages;
mod move_loop;
mod moves;
#[cfg(not(feature = "threads"))]
mod no_helpers;
mod node;
mod params;
mod path;
mod picker;
mod principal;
mod quiescence;
mod reduction;
mod root;
mod root_report;
mod search_limits;
mod search_report;
mod search_task;
mod searcher;
mod short_mates;
mod stack;
mod stopwatch;
mod table_access;
mod table_entry;
mod tablebase;
mod thread_stack;
mod threads;
mod timing;
mod transposition_table;
mod tree;
mod update;
mod vote;
mod window;
mod worker;

pub use compiled_search::CompiledSearch;
pub use control::SearchControl;
pub use handicap::Handicap;
#[cfg(feature = "threads")]
pub use helpers::MAX_THREADS;
#[cfg(feature = "tuning")]
pub use params::{SEARCH_PARAMS, SearchParams};
pub use search_limits::{Clock, SearchLimits, TimeBudget};
pub use search_report::{Reporter, SearchLine, SearchResult, nodes_per_second};
pub use searcher::{DEFAULT_HASH_MEGABYTES, ResourceError, Searcher};
pub use table_entry::{Bound, TableEntry};
pub use thread_stack::SEARCH_STACK_BYTES;
pub use transposition_table::{TableMemoryError, TranspositionTable};

pub use search_task::SearchTask;
pub use threads::SearchThreads;

#[cfg(not(feature = "threads"))]
use no_helpers as helpers;
