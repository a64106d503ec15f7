//! The threads of a search ("Lazy SMP") and the histories that each of them
//! keeps between moves.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use super::histories::Histories;
use super::vote::{Verdict, choose};
use super::worker::Worker;
use super::{Reporter, SearchResult, SearchTask};
use crate::game::{Evaluate, Game};

/// The machine does not give the threads.
#[derive(Debug, Error)]
#[error("cannot start {threads} threads: {reason}")]
pub struct ThreadsError {
    /// How many were wanted.
    pub threads: usize,
    /// What the system says.
    pub reason: String,
}

/// Deep enough for the deepest line: a node takes about 1.2 kB of the stack in a
/// release build, and up to four of them share a ply (singular extension, null
/// move and its verification), so that 128 plies stay below a megabyte.
const STACK_BYTES: usize = 4 << 20;

/// More threads than any machine has today.
pub const MAX_THREADS: usize = 1024;

/// How many cores the machine has, as far as it tells.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Starts threads with a stack that suits a search.
///
/// # Errors
/// When the system refuses.
pub fn thread_pool(threads: usize) -> Result<ThreadPool, ThreadsError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .thread_name(|index| format!("search {index}"))
        .build()
        .map_err(|error| ThreadsError { threads, reason: error.to_string() })
}

/// Threads that search together, kept for as long as an engine plays.
pub struct SearchThreads<G: Game> {
    /// None where there is only one: that searches on its caller's thread.
    pool: Option<ThreadPool>,
    histories: Vec<Mutex<Histories<G>>>,
}

impl<G: Game> SearchThreads<G> {
    /// Starts the threads. A single one needs none started: it searches on its
    /// caller's thread, which should have a stack of a megabyte or more.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(threads: usize) -> Result<SearchThreads<G>, ThreadsError> {
        let threads = threads.max(1);
        let pool = if threads > 1 { Some(thread_pool(threads)?) } else { None };
        let histories = (0..threads).map(|_| Mutex::new(Histories::new())).collect();
        Ok(SearchThreads { pool, histories })
    }

    /// Runs something on each thread, by its number.
    fn on_each<R: Send>(&self, run: impl Fn(usize) -> R + Sync) -> Vec<R> {
        match &self.pool {
            Some(pool) => pool.broadcast(|context| run(context.index())),
            None => vec![run(0)],
        }
    }

    /// Clears what was learned in earlier searches.
    pub fn forget(&self) {
        self.on_each(|index| {
            self.histories[index].lock().unwrap_or_else(PoisonError::into_inner).clear();
        });
    }

    /// Whether there are more threads than the machine has cores.
    fn is_oversubscribed(&self) -> bool {
        self.histories.len() > cores()
    }

    /// Searches on all threads until a limit is reached or the control stops
    /// it. The first thread reports and ends the search; all of them vote.
    pub fn search<E: Evaluate<Game = G>>(
        &self,
        task: &SearchTask<'_, E>,
        reporter: &mut dyn Reporter<G>,
    ) -> SearchResult<G> {
        task.control.begin_search();
        let oversubscribed = self.is_oversubscribed();
        let shared = Mutex::new(&mut *reporter);
        let mut verdicts = self.on_each(|index| {
            let histories = &self.histories[index];
            let mut histories = histories.lock().unwrap_or_else(PoisonError::into_inner);
            let worker = Worker::new(task, &mut histories, index, oversubscribed);
            if index == 0 {
                let mut reporter = shared.lock().unwrap_or_else(PoisonError::into_inner);
                worker.run(Some(&mut **reporter))
            } else {
                worker.run(None)
            }
        });
        // Several lines, a mate that was asked for and a weaker player's choice
        // are the first thread's.
        let limits = task.limits;
        let is_open = limits.multi_pv <= 1 && limits.mate.is_none() && limits.handicap.is_none();
        let chosen = if is_open { choose(&verdicts) } else { 0 };
        let reported = verdicts.first().and_then(|leader| Some(leader.line.as_ref()?.depth));
        let Verdict { mut result, line } = verdicts.swap_remove(chosen);
        // What is played should be what was reported last.
        let is_another = chosen != 0 || (limits.handicap.is_some() && limits.multi_pv <= 1);
        if is_another && let Some(mut line) = line {
            // Nothing that has been reported goes back.
            line.depth = line.depth.max(reported.unwrap_or_default());
            line.nodes = task.control.nodes();
            line.time = task.control.elapsed();
            reporter.line(&line);
        }
        result.nodes = task.control.nodes() - task.control.nodes_before_search();
        result
    }
}
