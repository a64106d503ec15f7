//! What a thread notes of the moves at the root while it searches them, and
//! what it tells of them.

use super::window::Window;
use super::worker::Worker;
use super::{Depth, Ply, Score, SearchLine};
use crate::position::{GameHistory, Move, Outcome, Position};

/// Match tools take a score of zero with a line of one move to mean that the
/// move ends the game in a draw. Where it does not, any reply is added.
fn complete_short_draw(
    position: &Position,
    history: &GameHistory,
    score: Score,
    line: &mut Vec<Move>,
) {
    let &[mv] = line.as_slice() else { return };
    if score != Score::DRAW {
        return;
    }
    let mut history = history.clone();
    history.push(position);
    let next = position.play(mv);
    let drawn = matches!(next.outcome(&history), Some(Outcome::Draw(_)));
    if !drawn && let Some(&reply) = next.legal_moves().first() {
        line.push(reply);
    }
}

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
        complete_short_draw(self.task.position, self.task.history, root_move.score, &mut moves);
        SearchLine {
            depth,
            selective_depth: self.selective_depth.max(Ply::ROOT.next()),
            rank: rank + 1,
            score: root_move.score,
            bound: root_move.bound,
            nodes,
            time,
            permille_full: self.task.table.permille_full(),
            moves,
        }
    }
}
