//! Looking ahead: iterative deepening alpha-beta on several threads that
//! share a transposition table ("Lazy SMP").
//!
//! The search prints nothing. It tells its lines to a [`Reporter`], is held
//! by a [`SearchControl`], and ends with a [`SearchResult`].

mod control;
mod deepening;
mod limits;
mod ordering;
mod principal;
mod quiescence;
mod report;
mod root;
mod table;
mod tree;
mod window;
mod worker;

pub use control::SearchControl;
pub use limits::{Clock, SearchLimits, TimeBudget};
pub use report::{Reporter, SearchLine, SearchResult, nodes_per_second};
pub use table::{Bound, TableEntry, TableMemoryError, TranspositionTable};

use std::sync::Mutex;

use rayon::ThreadPool;

use crate::distance::{Depth, Ply};
use crate::position::{Game, GameHistory, Position};
use crate::score::Score;
use worker::Worker;

/// What all threads of one search share.
pub struct SearchTask<'a> {
    /// Where to start.
    pub position: &'a Position,
    /// How the game came there.
    pub history: &'a GameHistory,
    /// When to end.
    pub limits: &'a SearchLimits,
    /// What others hold the search by.
    pub control: &'a SearchControl,
    /// What earlier searches found out.
    pub table: &'a TranspositionTable,
}

impl<'a> SearchTask<'a> {
    /// The task of searching where a game stands.
    pub fn new(
        game: &'a Game,
        limits: &'a SearchLimits,
        control: &'a SearchControl,
        table: &'a TranspositionTable,
    ) -> SearchTask<'a> {
        SearchTask { position: game.position(), history: game.history(), limits, control, table }
    }
}

/// Whether a pool has more threads than the machine has cores.
fn is_crowded(pool: &ThreadPool) -> bool {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    pool.current_num_threads() > cores
}

/// Searches on all threads of the pool until a limit is reached or the
/// control stops it. The first thread reports and decides.
pub fn search(
    pool: &ThreadPool,
    task: &SearchTask<'_>,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    task.control.begin_search();
    let crowded = is_crowded(pool);
    let reporter = Mutex::new(Some(reporter));
    let results = pool.broadcast(|context| {
        let reporter = match reporter.lock() {
            Ok(mut reporter) if context.index() == 0 => reporter.take(),
            _ => None,
        };
        Worker::new(task, context.index(), crowded).run(reporter)
    });
    let mut best = results.into_iter().next().unwrap_or_default();
    best.nodes = task.control.nodes() - task.control.nodes_before_search();
    best
}
