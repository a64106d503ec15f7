//! The counts of a thread, and how it learns that the search has to end.

use std::time::Duration;

use super::control::SearchControl;
use super::helpers::give_way;
use super::search_limits::TimeBudget;
use qirkat_game::distance::Ply;

/// Positions between two looks at the clock: under a millisecond.
const NODES_BETWEEN_CHECKS: u64 = 512;

/// The search has to end; nothing found since the last finished move counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// One thread's nodes, and the limits they count towards.
pub(super) struct Counters<'a> {
    control: &'a SearchControl,
    time: TimeBudget,
    /// Positions that all threads together may visit.
    max_nodes: Option<u64>,
    /// Whether there are more threads than cores.
    oversubscribed: bool,
    /// Positions that this thread has visited.
    pub nodes: u64,
    /// The nodes that the control had counted before this search.
    nodes_before: u64,
    /// The part of `nodes` that the control has counted.
    reported_nodes: u64,
    /// The furthest ply from the root so far.
    pub selective_depth: Ply,
}

impl<'a> Counters<'a> {
    pub fn new(
        control: &'a SearchControl,
        time: TimeBudget,
        max_nodes: Option<u64>,
        oversubscribed: bool,
    ) -> Counters<'a> {
        Counters {
            control,
            time,
            max_nodes,
            oversubscribed,
            nodes: 0,
            nodes_before: control.nodes_before_search(),
            reported_nodes: 0,
            selective_depth: Ply::ROOT,
        }
    }

    /// Counts a visited position, and checks every now and then whether the
    /// search has to end.
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
            // With more threads than cores nobody should wait for a whole
            // time slice of each of them: not the input, not the stop.
            give_way();
        }
        Ok(())
    }

    /// Adds the nodes that the control has not counted yet.
    pub fn report_nodes(&mut self) {
        self.control.add_nodes(self.nodes - self.reported_nodes);
        self.reported_nodes = self.nodes;
    }

    /// Positions visited by all threads, and the time it took.
    pub fn progress(&self) -> (u64, Duration) {
        (self.control.nodes() + self.nodes - self.reported_nodes, self.control.elapsed())
    }
}
