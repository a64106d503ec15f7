//! The threads of a search ("Lazy SMP") and the histories that each of them
//! keeps between moves.

use std::io;
use std::iter;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use rayon::prelude::*;

use super::histories::Histories;
use super::vote::{Verdict, choose};
use super::worker::Worker;
use super::{Reporter, SearchResult, SearchTask};
use crate::game::{Evaluate, Game};
use crate::machine::{ThreadsError, cores};

/// The stack of a thread that searches. Deep enough for the deepest line: a
/// node takes about 1.2 kB of the stack in a release build, and up to four of
/// them share a ply (singular extension, null move and its verification), so
/// that 128 plies stay below a megabyte.
pub const SEARCH_STACK_BYTES: usize = 4 << 20;

/// More threads than any machine has today.
pub const MAX_THREADS: usize = 1024;

/// Threads that search together, kept for as long as an engine plays. What stays
/// from one search to the next is their histories; the threads themselves start
/// with each search, so that hundreds of them take no time in between.
pub struct SearchThreads<G: Game> {
    /// One for each core from the beginning, others from their first search on:
    /// to find gigabytes for hundreds of threads takes seconds.
    histories: Vec<Mutex<Option<Histories<G>>>>,
}

impl<G: Game> SearchThreads<G> {
    /// Sees whether the system gives so many threads, and makes ready for them.
    /// The first of them is the one that calls [`SearchThreads::search`]; its
    /// stack should have [`SEARCH_STACK_BYTES`].
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(threads: usize) -> Result<SearchThreads<G>, ThreadsError> {
        start_together(threads.saturating_sub(1))
            .map_err(|error| ThreadsError { threads, reason: error.to_string() })?;
        let cores = cores();
        let histories = |index| Mutex::new((index < cores).then(Histories::new));
        let threads = SearchThreads { histories: (0..threads.max(1)).map(histories).collect() };
        threads.clear();
        Ok(threads)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.histories.len()
    }

    /// Clears what was learned in earlier searches. What is left has its memory
    /// at hand, so that the next search does not wait for the system to find it.
    pub fn clear(&self) {
        let clear = |histories: &Mutex<Option<Histories<G>>>| {
            let mut histories = histories.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(histories) = histories.as_mut() {
                histories.clear();
            }
        };
        match &self.histories[..] {
            [only] => clear(only),
            several => several.par_iter().for_each(clear),
        }
    }

    /// Whether there are more threads than the machine has cores.
    fn is_oversubscribed(&self) -> bool {
        self.count() > cores()
    }

    /// Searches on all threads until a limit is reached or the control stops
    /// it. The first thread reports and ends the search; all of them vote.
    pub fn search<E: Evaluate<Game = G>>(
        &self,
        task: &SearchTask<'_, E>,
        reporter: &mut dyn Reporter<G>,
    ) -> SearchResult<G> {
        let started = task.control.elapsed();
        log::debug!("search of {:?} by {} threads, {:?}", task.position, self.count(), task.limits);
        task.control.begin_search();
        let mut verdicts = self.verdicts(task, reporter);
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
    fn verdicts<E: Evaluate<Game = G>>(
        &self,
        task: &SearchTask<'_, E>,
        reporter: &mut dyn Reporter<G>,
    ) -> Vec<Verdict<G>> {
        std::thread::scope(|scope| {
            // The helpers start beside the first search: hundreds take a while.
            let starter =
                (self.count() > 1).then(|| spawn(1, scope, move || self.search_with_helpers(task)));
            let first = self.search_as(0, task, Some(reporter));
            let helped = starter.flatten().map(join).unwrap_or_default();
            iter::once(first).chain(helped).collect()
        })
    }

    /// Searches as the second thread, once the others have been started.
    fn search_with_helpers<E: Evaluate<Game = G>>(
        &self,
        task: &SearchTask<'_, E>,
    ) -> Vec<Verdict<G>> {
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (2..self.count())
                .take_while(|_| !task.control.search_is_over())
                .map_while(|index| spawn(index, scope, move || self.search_as(index, task, None)))
                .collect();
            let second = self.search_as(1, task, None);
            iter::once(second).chain(helpers.into_iter().map(join)).collect()
        })
    }

    /// Searches as one of the threads.
    fn search_as<E: Evaluate<Game = G>>(
        &self,
        index: usize,
        task: &SearchTask<'_, E>,
        reporter: Option<&mut dyn Reporter<G>>,
    ) -> Verdict<G> {
        let mut histories = self.histories[index].lock().unwrap_or_else(PoisonError::into_inner);
        let histories = histories.get_or_insert_with(Histories::new);
        Worker::new(task, histories, index, self.is_oversubscribed()).run(reporter)
    }
}

/// A thread with a stack that suits a search.
fn thread_builder(index: usize) -> Builder {
    Builder::new().name(format!("search {index}")).stack_size(SEARCH_STACK_BYTES)
}

/// Starts a helper. Without one a search goes on with those that are there.
fn spawn<'scope, R: Send + 'scope>(
    index: usize,
    scope: &'scope Scope<'scope, '_>,
    run: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    thread_builder(index)
        .spawn_scoped(scope, run)
        .inspect_err(|error| log::warn!("search thread {index} is missing: {error}"))
        .ok()
}

/// What a helper returns, or the panic that ended it.
fn join<R>(helper: ScopedJoinHandle<'_, R>) -> R {
    helper.join().unwrap_or_else(|panic| resume_unwind(panic))
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
