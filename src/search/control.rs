//! Controls a running search from other threads: stop, ponder hit, clock and node count.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::search_limits::{SearchLimits, TimeBudget};
use super::search_threads::yield_core;
use qirkat_game::PackedMove;
use qirkat_game::distance::Ply;

/// Shared by a search and its caller: stop, ponder hit, time and node count.
pub struct SearchControl {
    /// Returns the time since the start, by the system's clock or the caller's.
    stopwatch: Option<Box<dyn Fn() -> Duration + Send + Sync>>,
    /// How many nodes count as a millisecond of a time limit; 0: the stopwatch counts.
    nodes_per_ms: u64,
    stop: Arc<AtomicBool>,
    /// Set by the search when it is done or a limit is reached, or by a ponder hit that ends it.
    ended: AtomicBool,
    /// Guards changes to `infinite` and `pondering`, for which a finished search waits.
    waiting: Mutex<()>,
    changed: Condvar,
    infinite: AtomicBool,
    pondering: AtomicBool,
    /// Whether only pondering keeps the search from ending, so that a ponder hit ends it.
    stop_on_ponder_hit: AtomicBool,
    nodes: AtomicU64,
    nodes_before: AtomicU64,
    tablebase_hits: AtomicU64,
    /// The root move being searched: its number and the packed move.
    root_move: AtomicU32,
}

impl Default for SearchControl {
    /// A control for a search that answers as soon as it is finished.
    fn default() -> SearchControl {
        SearchControl::new(false, false)
    }
}

impl SearchControl {
    /// A control for a search that starts now. With `infinite` its answer waits for a stop, with
    /// `pondering` for a ponder hit or a stop. The feature `clock` gives it a clock.
    pub fn new(infinite: bool, pondering: bool) -> SearchControl {
        #[cfg(feature = "clock")]
        let started = qirkat_system::host::Instant::now();
        SearchControl {
            #[cfg(feature = "clock")]
            stopwatch: Some(Box::new(move || started.elapsed())),
            #[cfg(not(feature = "clock"))]
            stopwatch: None,
            nodes_per_ms: 0,
            stop: Arc::default(),
            ended: AtomicBool::new(false),
            waiting: Mutex::new(()),
            changed: Condvar::new(),
            infinite: AtomicBool::new(infinite),
            pondering: AtomicBool::new(pondering),
            stop_on_ponder_hit: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            nodes_before: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
            root_move: AtomicU32::new(0),
        }
    }

    /// A control for a search that starts now and also ends when `stop` is set.
    pub fn with_stop_flag(stop: Arc<AtomicBool>) -> SearchControl {
        SearchControl { stop, ..SearchControl::default() }
    }

    /// Uses the caller's clock instead, starting now. It returns the time since any fixed moment,
    /// and is called every few hundred nodes.
    ///
    /// A search without a clock treats every time limit as passed: it ends at once with a legal
    /// move. Limits of nodes and depth need no clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> SearchControl {
        let started = clock();
        let stopwatch = Box::new(move || clock().saturating_sub(started));
        SearchControl { stopwatch: Some(stopwatch), ..self }
    }

    /// This many nodes count as a millisecond of a time limit, so that a search on one thread is
    /// reproducible; 0: the clock counts. Reports still give clock time.
    #[must_use]
    pub fn with_nodes_as_time(self, nodes_per_ms: u64) -> SearchControl {
        SearchControl { nodes_per_ms, ..self }
    }

    /// Stops the search; each thread notices within a few hundred nodes.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let _lock = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.infinite.store(false, Ordering::SeqCst);
        self.pondering.store(false, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// The opponent has played the expected move: time limits apply, counted from the start.
    pub fn ponder_hit(&self) {
        let _lock = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.pondering.swap(false, Ordering::SeqCst)
            && self.stop_on_ponder_hit.load(Ordering::SeqCst)
        {
            self.end_search();
        }
        self.changed.notify_all();
    }

    /// Blocks while the search has to wait for a stop or a ponder hit.
    #[cfg(feature = "threads")]
    pub fn wait_until_answer_is_due(&self) {
        let lock = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(lock, |()| self.holds_answer_back()));
    }

    /// Whether a finished search must not answer yet.
    pub fn holds_answer_back(&self) -> bool {
        self.infinite.load(Ordering::SeqCst) || self.is_pondering()
    }

    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the search was stopped from outside.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Begins another search under this control; they run one after another. Time, nodes and tablebase
    /// hits go on counting; only node limits count from here.
    pub(super) fn begin_search(&self) {
        self.nodes_before.store(self.nodes(), Ordering::Relaxed);
        self.ended.store(false, Ordering::Relaxed);
    }

    pub(super) fn count_tablebase_hit(&self) {
        self.tablebase_hits.fetch_add(1, Ordering::Relaxed);
    }

    pub fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Ordering::Relaxed)
    }

    pub(super) fn nodes_before_search(&self) -> u64 {
        self.nodes_before.load(Ordering::Relaxed)
    }

    pub(super) fn end_search(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether the search has to end, for any reason.
    #[inline]
    pub(super) fn search_is_over(&self) -> bool {
        self.stopped() || self.ended.load(Ordering::Relaxed)
    }

    /// Time since the control was created, or got its clock; zero without a clock.
    pub fn elapsed(&self) -> Duration {
        self.stopwatch.as_ref().map_or(Duration::ZERO, |elapsed| elapsed())
    }

    pub(super) fn has_clock(&self) -> bool {
        self.stopwatch.is_some() || self.nodes_per_ms > 0
    }

    /// Whether this time has passed; always true without a clock, so that the search ends.
    fn has_passed(&self, time: Duration) -> bool {
        if self.nodes_per_ms > 0 {
            let nodes = u128::from(self.nodes_per_ms) * time.as_micros() / 1000;
            return u128::from(self.nodes()) >= nodes;
        }
        self.stopwatch.as_ref().is_none_or(|elapsed| elapsed() >= time)
    }

    /// Whether no new iteration should start, given `factor` times the planned time.
    pub(super) fn soft_limit_passed(&self, budget: TimeBudget, factor: f64) -> bool {
        budget.soft.is_some_and(|soft| self.has_passed(soft.mul_f64(factor)))
    }

    pub(super) fn hard_limit_passed(&self, budget: TimeBudget) -> bool {
        budget.hard.is_some_and(|hard| self.has_passed(hard)) && !self.is_pondering()
    }

    /// Stores whether the search has done enough; returns whether it ends for that reason.
    /// While pondering it continues until the ponder hit.
    pub(super) fn end_unless_pondering(&self, is_enough: bool) -> bool {
        self.stop_on_ponder_hit.store(is_enough, Ordering::SeqCst);
        is_enough && !self.is_pondering()
    }

    fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::SeqCst)
    }

    /// Stores the root move being searched and its number, from 1.
    pub(super) fn set_current_root_move(&self, number: usize, mv: PackedMove) {
        let noted = (number as u32) << 16 | u32::from(mv.0);
        self.root_move.store(noted, Ordering::Relaxed);
    }

    /// The root move being searched and its number from 1; none before the first.
    pub fn current_root_move(&self) -> Option<(usize, PackedMove)> {
        let noted = self.root_move.load(Ordering::Relaxed);
        let mv = PackedMove((noted & 0xFFFF) as u16);
        (mv != PackedMove::NONE).then_some(((noted >> 16) as usize, mv))
    }

    /// Nodes visited so far, as reported by the threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// Nodes between two checks of the limits: under a millisecond.
const NODES_BETWEEN_CHECKS: u64 = 512;

/// The search must end; results since the last finished root move are discarded. In a proof of a
/// short mate it can also mean only that the proof's share of nodes is used up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// A thread's node count, and the limits it is checked against.
pub(super) struct Counters<'a> {
    control: &'a SearchControl,
    time: TimeBudget,
    max_nodes: Option<u64>,
    oversubscribed: bool,
    pub nodes: u64,
    /// The nodes that the control had counted before this search.
    nodes_before: u64,
    reported_nodes: u64,
    /// The selective depth: the furthest ply from the root so far.
    pub selective_depth: Ply,
}

impl<'a> Counters<'a> {
    pub fn new(
        control: &'a SearchControl,
        limits: &SearchLimits,
        oversubscribed: bool,
    ) -> Counters<'a> {
        Counters {
            control,
            time: limits.time,
            max_nodes: limits.max_nodes(),
            oversubscribed,
            nodes: 0,
            nodes_before: control.nodes_before_search(),
            reported_nodes: 0,
            selective_depth: Ply::ROOT,
        }
    }

    /// Counts a node, and checks from time to time whether the search has to end.
    #[inline]
    pub fn count_node(&mut self, ply: Ply) -> Result<(), Stopped> {
        if let Some(max) = self.max_nodes
            && self.control.nodes() - self.nodes_before + (self.nodes - self.reported_nodes) >= max
        {
            self.control.end_search();
            return Err(Stopped);
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) { self.check_limits() } else { Ok(()) }
    }

    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.report_nodes();
        if self.control.hard_limit_passed(self.time) {
            self.control.end_search();
        }
        if self.control.search_is_over() {
            return Err(Stopped);
        }
        if self.oversubscribed {
            // With more threads than cores, input must not wait for each thread's time slice.
            yield_core();
        }
        Ok(())
    }

    /// Adds the nodes since the last report to the control's count.
    pub fn report_nodes(&mut self) {
        self.control.nodes.fetch_add(self.nodes - self.reported_nodes, Ordering::Relaxed);
        self.reported_nodes = self.nodes;
    }

    /// Nodes visited by all threads, and the time used.
    pub fn progress(&self) -> (u64, Duration) {
        (self.control.nodes() + self.nodes - self.reported_nodes, self.control.elapsed())
    }
}
