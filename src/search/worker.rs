//! One thread of a search: iterative deepening, and the state it carries.

use std::time::Duration;

use super::principal::PrincipalVariation;
use super::root::RootMoves;
use super::{Reporter, Score, SearchResult, SearchTask};
use crate::distance::{Depth, Ply};
use crate::position::{GameHistory, Position};

/// Positions between two looks at the clock: under a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// One thread's part in a search.
pub(super) struct Worker<'a> {
    pub task: &'a SearchTask<'a>,
    /// The game so far, and the path from the root while searching.
    pub history: GameHistory,
    pub principal: PrincipalVariation,
    pub nodes: u64,
    /// The part of `nodes` that the control has heard of.
    told_nodes: u64,
    pub selective_depth: Ply,
    /// Which thread this is; 0 reports and decides.
    index: usize,
}

/// The search has to end; nothing found since the last finished move counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

impl<'a> Worker<'a> {
    pub fn new(task: &'a SearchTask<'a>, index: usize) -> Worker<'a> {
        Worker {
            task,
            history: task.history.clone(),
            principal: PrincipalVariation::new(),
            nodes: 0,
            told_nodes: 0,
            selective_depth: Ply::ROOT,
            index,
        }
    }

    /// Deepens until a limit is reached. The thread with the reporter ends
    /// the others.
    pub fn run(mut self, reporter: Option<&mut dyn Reporter>) -> SearchResult {
        let mut root = RootMoves::new(self.task.position, &self.task.limits.search_moves);
        let mut finished = Depth::default();
        match reporter {
            Some(reporter) if !root.is_empty() => {
                finished = self.deepen(&mut root, Some(reporter));
                self.task.control.end_search();
            }
            _ => {
                self.deepen(&mut root, None);
            }
        }
        self.task.control.add_nodes(self.nodes - self.told_nodes);
        root.result(finished)
    }

    fn deepen(&mut self, root: &mut RootMoves, mut reporter: Option<&mut dyn Reporter>) -> Depth {
        let limits = &self.task.limits;
        let wanted = limits.multi_pv.clamp(1, root.len().max(1));
        let last = self.last_depth();
        // Helpers start on different depths, so that they run ahead of the
        // first thread and fill the table for it.
        let mut depth = Depth(1 + (self.index % 2) as i16);
        let mut finished = Depth::default();
        while depth <= last && !root.is_empty() {
            root.start_iteration();
            for rank in 0..wanted {
                let result = self.search_root(root, rank, depth);
                root.rank_from(rank);
                if result.is_err() {
                    if let Some(reporter) = reporter.as_deref_mut() {
                        self.report_unfinished(root, wanted, depth, finished, reporter);
                    }
                    return finished;
                }
            }
            finished = depth;
            if let Some(reporter) = reporter.as_deref_mut() {
                for rank in 0..wanted {
                    reporter.line(&root.line(self, rank, depth));
                }
                if self.enough(root, depth) {
                    break;
                }
            }
            depth = depth + Depth(1);
        }
        finished
    }

    /// Tells of the first line again if the broken iteration changed it, and
    /// of some line when not even one iteration was finished.
    fn report_unfinished(
        &self,
        root: &mut RootMoves,
        wanted: usize,
        depth: Depth,
        finished: Depth,
        reporter: &mut dyn Reporter,
    ) {
        if finished == Depth::default() {
            root.score_unsearched(self.task.position);
            for rank in 0..wanted {
                reporter.line(&root.line(self, rank, depth));
            }
        } else if root.first_line_changed() {
            reporter.line(&root.line(self, 0, depth));
        }
    }

    fn last_depth(&self) -> Depth {
        let limits = self.task.limits;
        let by_depth = limits.depth.unwrap_or(Depth::MAX);
        // A mate in n moves is 2n - 1 plies away, one more to see that there
        // is no way out.
        let by_mate = limits.mate.map_or(Depth::MAX, |moves| {
            Depth(moves.saturating_mul(2).min(Depth::MAX.0 as u16) as i16)
        });
        by_depth.min(by_mate).clamp(Depth(1), Depth::MAX)
    }

    /// Whether the finished iteration is the last.
    fn enough(&self, root: &RootMoves, depth: Depth) -> bool {
        let limits = self.task.limits;
        if let Some(moves) = limits.mate
            && root
                .best_score()
                .moves_to_mate()
                .is_some_and(|found| found > 0 && found as u16 <= moves)
        {
            return true;
        }
        let on_the_clock = limits.time.soft.is_some();
        let single_reply = limits.hurry_single_reply && on_the_clock && root.len() == 1;
        // A forced mate that a whole iteration reaches past will not change.
        let mate_is_certain = on_the_clock
            && root
                .best_score()
                .plies_to_mate()
                .is_some_and(|plies| plies.unsigned_abs() < depth.0 as u16);
        if (single_reply || mate_is_certain) && !self.is_pondering() {
            return true;
        }
        self.task.control.soft_limit_passed(limits.time)
    }

    fn is_pondering(&self) -> bool {
        self.task.control.is_pondering()
    }

    /// Counts a visited position, and looks every now and then whether the
    /// search has to end.
    #[inline]
    pub fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let limits = self.task.limits;
        if let Some(most) = limits.nodes
            && self.task.control.nodes() + (self.nodes - self.told_nodes) > most
        {
            self.task.control.end_search();
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) { self.look_around() } else { Ok(()) }
    }

    fn look_around(&mut self) -> Result<(), Stopped> {
        let control = self.task.control;
        control.add_nodes(self.nodes - self.told_nodes);
        self.told_nodes = self.nodes;
        if control.hard_limit_passed(self.task.limits.time) {
            control.end_search();
        }
        if control.search_is_over() { Err(Stopped) } else { Ok(()) }
    }

    /// Positions visited by all threads, and the time it took.
    pub fn progress(&self) -> (u64, Duration) {
        let control = self.task.control;
        (control.nodes() + self.nodes - self.told_nodes, control.elapsed())
    }

    /// Whether the position is drawn by rule, where it is not at the root:
    /// dead, repeated, or at the end of the 100 plies without being mate.
    ///
    /// One repetition is enough within the searched path, since what was
    /// possible once is possible again; positions before the root have to
    /// come for the third time.
    pub fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        if position.is_dead() {
            return true;
        }
        if position.is_clock_drawn() {
            return !position.in_check() || position.has_legal_moves();
        }
        let mut repetitions = self.history.repetitions(position);
        repetitions
            .next()
            .is_some_and(|distance| distance < ply.index() || repetitions.next().is_some())
    }

    /// Mate or stalemate.
    pub fn score_without_moves(in_check: bool, ply: Ply) -> Score {
        if in_check { Score::mated_at(ply) } else { Score::DRAW }
    }
}
