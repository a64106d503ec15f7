//! What a thread notes of the moves at the root while it searches them, and
//! what it reports of them.

use super::report::first_legal_move;
use super::window::Window;
use super::worker::Worker;
use super::{Depth, Ply, Score, SearchLine};
use crate::game::{Evaluate, Game, GameHistory, Terminal};

/// Match tools take a score of zero with a line of one move to mean that the
/// move ends the game in a draw. Where it does not, any reply is added.
fn complete_short_draw<G: Game>(
    position: &G,
    history: &GameHistory,
    score: Score,
    line: &mut Vec<G::Move>,
) {
    let &[mv] = line.as_slice() else { return };
    if score != Score::DRAW {
        return;
    }
    let mut history = history.clone();
    history.push(position);
    let next = position.after(mv);
    let drawn = next.terminal(&history) == Some(Terminal::Drawn);
    if !drawn && let Some(reply) = first_legal_move(&next) {
        line.push(reply);
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Notes what the search of a root move found.
    pub fn note_root_move(
        &mut self,
        mv: <E::Game as Game>::Move,
        score: Score,
        window: Window,
        is_first: bool,
        nodes_before: u64,
    ) {
        if is_first || score > window.alpha {
            self.path.principal.extend(Ply::ROOT, mv);
        }
        let nodes = self.counters.nodes - nodes_before;
        let line = self.path.principal.root_line();
        let Some(root_move) = self.root.moves.of(mv) else { return };
        root_move.nodes += nodes;
        if is_first || score > window.alpha {
            root_move.score = score;
            root_move.bound = window.bound_of(score);
            root_move.line.clear();
            root_move.line.extend_from_slice(line);
        }
    }

    /// The line of the root move at `rank`, ready to be reported.
    pub fn line(&self, rank: usize, depth: Depth) -> SearchLine<E::Game> {
        let root_move = self.root.moves.at(rank);
        let (nodes, time) = self.counters.progress();
        let mut moves = root_move.line.clone();
        complete_short_draw(self.task.position, self.task.history, root_move.score, &mut moves);
        SearchLine {
            depth,
            selective_depth: self.counters.selective_depth.max(Ply::ROOT.next()),
            rank: rank + 1,
            score: root_move.score,
            bound: root_move.bound,
            nodes,
            time,
            hashfull: self.task.table.hashfull(),
            moves,
        }
    }
}
