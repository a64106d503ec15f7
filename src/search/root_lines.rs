//! What a thread notes of the moves at the root while it searches them, and
//! what it tells of them.

use super::window::Window;
use super::worker::{Worker, is_drawn_by_rule};
use super::{Bound, Depth, Ply, Score, SearchLine};
use crate::position::{GameHistory, Move, Position};

impl Worker<'_> {
    /// Notes what the search of a root move found.
    pub fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        window: Window,
        is_first: bool,
        nodes_before: u64,
    ) {
        if is_first || score > window.alpha {
            self.principal.extend(Ply::ROOT, mv);
        }
        let nodes = self.nodes - nodes_before;
        let line = self.principal.root_line();
        let Some(root_move) = self.root.of(mv) else { return };
        root_move.nodes += nodes;
        if is_first || score > window.alpha {
            root_move.score = score;
            root_move.bound = window.bound_of(score);
            root_move.line.clear();
            root_move.line.extend_from_slice(line);
        }
    }

    /// The line of the root move at `rank`, ready to be reported.
    pub fn line(&self, rank: usize, depth: Depth) -> SearchLine {
        let root_move = self.root.at(rank);
        let (nodes, time) = self.progress();
        let mut moves = root_move.line.clone();
        let score = root_move.score;
        let mut is_drawn = false;
        if score == Score::DRAW {
            let (end, ends_drawn) = end_of(self.task.position, self.task.history, &moves);
            is_drawn = ends_drawn && root_move.bound == Bound::Exact;
            // Match tools take a score of zero with a line of one move to mean
            // that the move ends the game in a draw. Where it does not, any
            // reply is added.
            if moves.len() == 1
                && !ends_drawn
                && let Some(&reply) = end.legal_moves().first()
            {
                moves.push(reply);
            }
        }
        SearchLine {
            depth,
            selective_depth: self.selective_depth.max(Ply::ROOT.next()),
            rank: rank + 1,
            score,
            bound: root_move.bound,
            nodes,
            time,
            permille_full: self.task.table.permille_full(),
            moves,
            is_drawn,
        }
    }
}

/// Where a line leads: the position, and whether the search takes it for a draw.
fn end_of(root: &Position, history: &GameHistory, line: &[Move]) -> (Position, bool) {
    let (mut position, mut history) = (*root, history.clone());
    let mut ply = Ply::ROOT;
    for &mv in line {
        history.push(&position);
        position.make(mv);
        ply = ply.next();
    }
    let in_check = position.in_check();
    let is_drawn = is_drawn_by_rule(&position, &history, ply, in_check)
        || !in_check && !position.has_legal_moves();
    (position, is_drawn)
}
