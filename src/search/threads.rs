//! The threads of a search and what each of them remembers between moves.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use super::memory::ThreadMemory;
use super::vote::{Verdict, choose};
use super::worker::Worker;
use super::{Reporter, SearchResult, SearchTask};

/// The machine does not give the threads.
#[derive(Debug, Error)]
#[error("cannot start {threads} threads: {reason}")]
pub struct ThreadsError {
    /// How many were wanted.
    pub threads: usize,
    /// What the system says.
    pub reason: String,
}

/// Deep enough for the deepest line with a full move list at each ply.
const STACK_BYTES: usize = 16 << 20;

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
pub struct SearchThreads {
    pool: ThreadPool,
    memories: Vec<Mutex<ThreadMemory>>,
}

impl SearchThreads {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(threads: usize) -> Result<SearchThreads, ThreadsError> {
        let pool = thread_pool(threads)?;
        let memories = (0..threads).map(|_| Mutex::new(ThreadMemory::new())).collect();
        Ok(SearchThreads { pool, memories })
    }

    /// The threads themselves, for other work while nothing is searched.
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// Forgets what was learned in earlier searches.
    pub fn forget(&self) {
        self.pool.broadcast(|context| {
            let memory = &self.memories[context.index()];
            memory.lock().unwrap_or_else(PoisonError::into_inner).forget();
        });
    }

    /// Whether there are more threads than the machine has cores.
    fn is_crowded(&self) -> bool {
        self.memories.len() > cores()
    }

    /// Searches on all threads until a limit is reached or the control stops
    /// it. The first thread reports and ends the search; all of them vote.
    pub fn search(&self, task: &SearchTask<'_>, reporter: &mut dyn Reporter) -> SearchResult {
        task.control.begin_search();
        let crowded = self.is_crowded();
        let shared = Mutex::new(&mut *reporter);
        let mut verdicts = self.pool.broadcast(|context| {
            let index = context.index();
            let memory = &self.memories[index];
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            let worker = Worker::new(task, &mut memory, index, crowded);
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
        let told = verdicts.first().and_then(|leader| Some(leader.line.as_ref()?.depth));
        let Verdict { mut result, line } = verdicts.swap_remove(chosen);
        // What is played should be what was told last.
        let is_another = chosen != 0 || (limits.handicap.is_some() && limits.multi_pv <= 1);
        if is_another && let Some(mut line) = line {
            // Nothing that has been told goes back.
            line.depth = line.depth.max(told.unwrap_or_default());
            line.nodes = task.control.nodes();
            line.time = task.control.elapsed();
            reporter.line(&line);
        }
        result.nodes = task.control.nodes() - task.control.nodes_before_search();
        result
    }
}
