//! The threads of a search and what each of them remembers between moves.

use std::io;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread::Builder;

use rayon::prelude::*;
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

/// Threads that search together, kept for as long as an engine plays: the first
/// with what all of them remember. The others, its helpers, start with each
/// search, so that hundreds of them take no time while nothing is searched.
pub struct SearchThreads {
    /// The first thread. Others would spin and look for work at each other.
    leader: ThreadPool,
    /// One for each core from the beginning, others from their first search on:
    /// to find gigabytes for hundreds of threads takes seconds.
    memories: Vec<Mutex<Option<ThreadMemory>>>,
}

impl SearchThreads {
    /// Sees whether the system gives so many threads, and makes ready for them.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(threads: usize) -> Result<SearchThreads, ThreadsError> {
        let leader = thread_pool(1)?;
        start_together(threads.saturating_sub(1))
            .map_err(|error| ThreadsError { threads, reason: error.to_string() })?;
        let cores = cores();
        let memory = |index| Mutex::new((index < cores).then(ThreadMemory::new));
        let threads = SearchThreads { leader, memories: (0..threads.max(1)).map(memory).collect() };
        threads.forget();
        Ok(threads)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.memories.len()
    }

    /// Forgets what was learned in earlier searches. What is left has its memory
    /// at hand, so that the next search does not wait for the system to find it.
    pub fn forget(&self) {
        let forget = |memory: &Mutex<Option<ThreadMemory>>| {
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(memory) = memory.as_mut() {
                memory.forget();
            }
        };
        match &self.memories[..] {
            [only] => forget(only),
            several => several.par_iter().for_each(forget),
        }
    }

    /// Whether there are more threads than the machine has cores.
    fn is_crowded(&self) -> bool {
        self.count() > cores()
    }

    /// Searches on all threads until a limit is reached or the control stops
    /// it. The first thread reports and ends the search; all of them vote.
    pub fn search(&self, task: &SearchTask<'_>, reporter: &mut dyn Reporter) -> SearchResult {
        let started = task.control.elapsed();
        log::debug!("search of {} by {} threads, {:?}", task.position, self.count(), task.limits);
        task.control.begin_search();
        let mut verdicts = self.verdicts(task, reporter);
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
        log::debug!(
            "search ended{}: depth {}, {}, {} nodes, {:.3} s, best {}",
            if task.control.stopped() { " by a stop" } else { "" },
            result.depth.0,
            result.score,
            result.nodes,
            (task.control.elapsed() - started).as_secs_f64(),
            result.best.map_or_else(|| "none".to_owned(), |mv| mv.to_string())
        );
        result
    }

    /// What each thread has come to, the first thread's first.
    fn verdicts(&self, task: &SearchTask<'_>, reporter: &mut dyn Reporter) -> Vec<Verdict> {
        let crowded = self.is_crowded();
        let search = |index: usize, reporter: Option<&mut dyn Reporter>| {
            let mut memory = self.memories[index].lock().unwrap_or_else(PoisonError::into_inner);
            let memory = memory.get_or_insert_with(ThreadMemory::new);
            Worker::new(task, memory, index, crowded).run(reporter)
        };
        std::thread::scope(|scope| {
            let mut first = None;
            let mut helpers = Vec::new();
            self.leader.in_place_scope(|leader| {
                leader.spawn(|_| first = Some(search(0, Some(reporter))));
                for index in 1..self.count() {
                    if task.control.search_is_over() {
                        break;
                    }
                    match thread_builder(index).spawn_scoped(scope, move || search(index, None)) {
                        Ok(helper) => helpers.push(helper),
                        Err(error) => {
                            log::warn!("search thread {index} is missing: {error}");
                            break;
                        }
                    }
                }
            });
            let helped = helpers
                .into_iter()
                .map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            first.into_iter().chain(helped).collect()
        })
    }
}

/// A thread with a stack that suits a search.
fn thread_builder(index: usize) -> Builder {
    Builder::new().name(format!("search {index}")).stack_size(STACK_BYTES)
}

/// Has so many threads exist at one time, and end.
fn start_together(threads: usize) -> io::Result<()> {
    let gate = RwLock::new(());
    std::thread::scope(|scope| {
        let _closed = gate.write();
        (0..threads).try_for_each(|index| {
            thread_builder(index).spawn_scoped(scope, || drop(gate.read())).map(drop)
        })
    })
}
