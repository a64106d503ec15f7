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
//! (`deepening`) and walks the tree. At a node `tree` sees to what can be done before any
//! move is tried, `move_loop` tries the moves in the order of `picker`, and `moves` decides
//! how each is searched. The leaves are `quiescence`. Heuristics and where they are:
//!
//! | usual name | | where |
//! |---|---|---|
//! | aspiration windows | | `deepening` |
//! | principal variation search | PVS | `moves` |
//! | transposition table cutoffs | TT | `tree`, `quiescence`, `tt_access` |
//! | mate distance pruning | MDP | `tree` |
//! | razoring | | `tree` |
//! | reverse futility pruning (static null move) | RFP | `tree` |
//! | null move pruning, verified | NMP | `tree` |
//! | ProbCut | | `tree` |
//! | internal iterative reduction | IIR | `tree` |
//! | late move pruning (move count) | LMP | `moves` |
//! | futility pruning | FP | `moves` |
//! | history pruning | | `moves` |
//! | pruning by static exchange evaluation | SEE | `moves` |
//! | late move reduction | LMR | `moves` |
//! | singular extension, multi-cut | SE | `moves` |
//! | check extension | | `moves` |
//! | stand pat, delta pruning | | `quiescence` |
//! | butterfly, capture and continuation history | | `history` |
//! | correction history | | `correction` |
//!
//! Their parameters are in `params`.
#![warn(missing_docs)]

mod control;
mod correction;
mod counters;
mod deepening;
mod handicap;
#[cfg(feature = "threads")]
mod helpers;
mod history;
mod move_loop;
mod moves;
#[cfg(not(feature = "threads"))]
mod no_helpers;
mod node;
mod params;
mod path;
mod picker;
mod quiescence;
mod root;
mod root_report;
mod search_limits;
mod search_report;
mod searcher;
mod short_mates;
mod stack;
mod tablebase;
mod timing;
mod transposition_table;
mod tree;
mod tt_access;
mod tt_entry;
mod update;
mod vote;
mod window;
mod worker;

pub use control::SearchControl;
pub use handicap::Handicap;
#[cfg(feature = "threads")]
pub use helpers::{MAX_THREADS, on_search_threads};
#[cfg(feature = "tuning")]
pub use params::{SEARCH_PARAMS, SearchParams};
pub use search_limits::{Clock, SearchLimits, TimeBudget};
pub use search_report::{Reporter, SearchLine, SearchResult, nodes_per_second};
pub use searcher::{DEFAULT_HASH_MEGABYTES, Searcher};
pub use stack::SEARCH_STACK_BYTES;
pub use transposition_table::TranspositionTable;
pub use tt_entry::{Bound, TtEntry};
pub use qirkat_system::machine::{ResourceError, TableMemoryError};

#[cfg(not(feature = "threads"))]
use no_helpers as helpers;
