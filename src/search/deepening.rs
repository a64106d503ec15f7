//! Iterative deepening: the same search one ply deeper each time, until a
//! limit is reached.

use super::root::RootMoves;
use super::worker::Worker;
use super::{Depth, Reporter, SearchResult};

impl Worker<'_> {
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
        self.tell_nodes();
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
            root.complete_iteration(wanted);
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
            root.score_unsearched(self.task.position, wanted);
            for rank in 0..wanted {
                reporter.line(&root.line(self, rank, depth));
            }
        } else if wanted > 1 {
            // Lines of two iterations do not go together.
            root.restore_completed();
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
        if (single_reply || mate_is_certain) && !self.task.control.is_pondering() {
            return true;
        }
        self.task.control.soft_limit_passed(limits.time)
    }
}
