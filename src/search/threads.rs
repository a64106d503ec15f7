//! The threads of a search ("Lazy SMP") and the histories that each of them
//! keeps between moves. How threads are had from the system is the business of
//! `helpers`; without the feature `threads` there is only the caller's.

use std::sync::{Mutex, PoisonError};

use super::helpers::{for_each, run_together, start};
use super::histories::Histories;
use super::search_limits::{SearchLimits, TimeBudget};
use super::search_report::{Reporter, SearchResult};
use super::search_task::SearchTask;
use super::tablebase::{RootKnowledge, probe_root};
use super::vote::{Verdict, choose};
use super::worker::Worker;
use qirkat_game::{Evaluate, Game};
use qirkat_system::machine::{ThreadsError, cores};

/// Threads that search together, kept for as long as an engine plays. What stays
/// from one search to the next is their histories; the threads themselves start
/// with each search, so that hundreds of them take no time in between.
pub struct SearchThreads<G: Game> {
    /// One for each core from the beginning, others from their first search on:
    /// to find gigabytes for hundreds of threads takes seconds. Even of the first the
    /// memory is at hand only after [`SearchThreads::clear`], or once it is used.
    histories: Vec<Mutex<Option<Histories<G>>>>,
}

impl<G: Game> SearchThreads<G> {
    /// Sees whether the system gives so many threads, and makes ready for them.
    /// The first of them is the one that calls [`SearchThreads::search_unless_known`]; its
    /// stack should have [`SEARCH_STACK_BYTES`](super::SEARCH_STACK_BYTES). Without
    /// the feature `threads` it is the only one.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(threads: usize) -> Result<SearchThreads<G>, ThreadsError> {
        let threads = start(threads.max(1))?;
        let cores = cores();
        let histories = |index| Mutex::new((index < cores).then(Histories::new));
        Ok(SearchThreads { histories: (0..threads).map(histories).collect() })
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
        for_each(&self.histories, &clear);
    }

    /// Whether there are more threads than the machine has cores.
    fn is_oversubscribed(&self) -> bool {
        self.count() > cores()
    }

    /// Searches, unless the tables tell all there is to know.
    pub fn search_unless_known<E: Evaluate<Game = G>>(
        &self,
        task: SearchTask<'_, E>,
        reporter: &mut dyn Reporter<G>,
    ) -> SearchResult<G> {
        match probe_root(&task, reporter) {
            RootKnowledge::Answer(result) => result,
            RootKnowledge::Nothing => self.search(&task, reporter),
            RootKnowledge::Draw(search_moves) => {
                let limits = SearchLimits { search_moves, ..task.limits.clone() };
                self.search(&SearchTask { limits: &limits, ..task }, reporter)
            }
        }
    }

    /// Searches on all threads until a limit is reached or the control stops
    /// it. The first thread reports and ends the search; all of them vote.
    fn search<E: Evaluate<Game = G>>(
        &self,
        task: &SearchTask<'_, E>,
        reporter: &mut dyn Reporter<G>,
    ) -> SearchResult<G> {
        let started = task.control.elapsed();
        log::debug!("search of {} by {} threads, {:?}", task.position, self.count(), task.limits);
        if !task.control.has_clock() && task.limits.time != TimeBudget::default() {
            log::warn!("there is no clock: a search that is bounded by time ends at once");
        }
        task.control.begin_search();
        let mut verdicts = self.verdicts(task, reporter);
        // Several lines, a mate search and a weaker player's choice
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
        run_together(
            self.count(),
            || self.search_as(0, task, Some(reporter)),
            &|index| self.search_as(index, task, None),
            &|| task.control.search_is_over(),
        )
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
