//! One thread of a search: the state it carries, and how it knows when to end.

use std::time::Duration;

use super::history::Arrival;
use super::memory::ThreadMemory;
use super::principal::PrincipalVariation;
use super::root::RootMoves;
use super::stack::Stack;
use super::tunables::Tunables;
use super::{Depth, Score, SearchTask};
use crate::distance::Ply;
use crate::network::Evaluator;
use crate::position::{GameHistory, Move, Position};

/// Positions between two looks at the clock: under a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// One thread's part in a search.
pub(super) struct Worker<'a> {
    pub task: &'a SearchTask<'a>,
    /// What judges positions, if it is a network.
    pub network: Option<Evaluator<'a>>,
    /// What this thread remembers from earlier searches.
    pub memory: &'a mut ThreadMemory,
    pub root: RootMoves,
    /// The line being searched, of several; moves before it are taken.
    pub root_rank: usize,
    /// The depth of the current iteration.
    pub root_depth: Depth,
    /// The last depth that was reported.
    pub told_depth: Depth,
    pub stack: Stack,
    /// Whether nothing may be skipped or searched less, as when a mate is to
    /// be proved or excluded.
    pub full_width: bool,
    /// Before this ply no null move is tried.
    pub null_move_from: Ply,
    /// The game so far, and the path from the root while searching.
    pub history: GameHistory,
    pub principal: PrincipalVariation,
    pub nodes: u64,
    /// What the control had counted before this search.
    nodes_before: u64,
    /// The part of `nodes` that the control has heard of.
    told_nodes: u64,
    pub selective_depth: Ply,
    /// Which thread this is; 0 reports and decides.
    pub index: usize,
    /// Positions that all threads together may visit.
    most_nodes: Option<u64>,
    /// Whether there are more threads than cores.
    crowded: bool,
}

/// The search has to end; nothing found since the last finished move counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

impl<'a> Worker<'a> {
    pub fn new(
        task: &'a SearchTask<'a>,
        memory: &'a mut ThreadMemory,
        index: usize,
        crowded: bool,
    ) -> Worker<'a> {
        let mut stack = Stack::new();
        stack[Ply::ROOT].in_check = task.position.in_check();
        Worker {
            task,
            network: task.network.map(|network| Evaluator::new(network, task.position)),
            memory,
            root: RootMoves::new(task.position, &task.limits.search_moves),
            root_rank: 0,
            root_depth: Depth::default(),
            told_depth: Depth::default(),
            stack,
            full_width: task.limits.mate.is_some(),
            null_move_from: Ply::ROOT,
            history: task.history.clone(),
            principal: PrincipalVariation::new(),
            nodes: 0,
            nodes_before: task.control.nodes_before_search(),
            told_nodes: 0,
            selective_depth: Ply::ROOT,
            index,
            most_nodes: task.limits.most_nodes(),
            crowded,
        }
    }

    /// The numbers that tune the search.
    #[cfg(not(feature = "tuning"))]
    #[inline]
    pub const fn tunables(&self) -> &'static Tunables {
        &Tunables::DEFAULT
    }

    /// The numbers that tune the search.
    #[cfg(feature = "tuning")]
    #[inline]
    pub fn tunables(&self) -> &'a Tunables {
        self.task.tunables
    }

    /// Counts a visited position, and looks every now and then whether the
    /// search has to end.
    #[inline]
    pub fn count_node(&mut self, ply: Ply) -> Result<(), Stopped> {
        if let Some(most) = self.most_nodes
            && self.task.control.nodes() - self.nodes_before + (self.nodes - self.told_nodes)
                >= most
        {
            self.task.control.end_search();
            return Err(Stopped);
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) { self.look_around() } else { Ok(()) }
    }

    fn look_around(&mut self) -> Result<(), Stopped> {
        self.tell_nodes();
        let control = self.task.control;
        if control.hard_limit_passed(self.task.limits.time) {
            control.end_search();
        }
        if control.search_is_over() {
            return Err(Stopped);
        }
        if self.crowded {
            // With more threads than cores nobody should wait for a whole
            // time slice of each of them: not the input, not the stop.
            std::thread::yield_now();
        }
        Ok(())
    }

    /// Tells the control of the nodes it has not heard of.
    pub fn tell_nodes(&mut self) {
        self.task.control.add_nodes(self.nodes - self.told_nodes);
        self.told_nodes = self.nodes;
    }

    /// Makes a move and notes it on the path. What the history has noted must
    /// be popped when the move has been searched.
    #[inline]
    pub fn enter(&mut self, position: &Position, ply: Ply, mv: Move) -> Position {
        let mut next = *position;
        next.make(mv);
        self.prefetch(&next);
        self.stack[ply].arrival = Arrival::of(position, mv);
        self.stack.after(ply, 1).in_check = next.in_check();
        self.history.push(position);
        next
    }

    /// Positions visited by all threads, and the time it took.
    pub fn progress(&self) -> (u64, Duration) {
        let control = self.task.control;
        (control.nodes() + self.nodes - self.told_nodes, control.elapsed())
    }

    /// Whether the position is drawn by rule, where it is not at the root.
    #[inline]
    pub fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        is_drawn_by_rule(position, &self.history, ply, self.stack[ply].in_check)
    }

    /// Mate or stalemate.
    pub fn score_without_moves(in_check: bool, ply: Ply) -> Score {
        if in_check { Score::mated_at(ply) } else { Score::DRAW }
    }
}

/// Whether a position that a search has come to is dead, repeated, or at the
/// end of the 100 plies without being mate.
///
/// One repetition is enough within the searched path, since what was possible
/// once is possible again; positions before the root have to come for the third
/// time.
#[inline]
pub(super) fn is_drawn_by_rule(
    position: &Position,
    history: &GameHistory,
    ply: Ply,
    in_check: bool,
) -> bool {
    if position.is_dead() {
        return true;
    }
    if position.is_clock_drawn() {
        return !in_check || position.has_legal_moves();
    }
    let mut repetitions = history.repetitions(position);
    repetitions
        .next()
        .is_some_and(|distance| distance < ply.index() || repetitions.next().is_some())
}
