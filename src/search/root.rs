//! The moves at the root, each with the line and score found for it.

use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{Bound, Depth, Ply, Score, SearchLine, SearchResult};
use crate::evaluation::evaluate;
use crate::position::{GameHistory, Move, Outcome, Position};

/// A move at the root.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// Nothing is known of it in this iteration when this is the lowest.
    score: Score,
    /// Its line, the move itself first.
    line: Vec<Move>,
}

/// The root moves, best first as far as they are ranked.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// The moves as the last whole iteration left them.
    completed: Vec<RootMove>,
}

impl RootMoves {
    /// The legal moves, or those of them that are wanted.
    pub fn new(position: &Position, wanted: &[Move]) -> RootMoves {
        let moves = position
            .legal_moves()
            .into_iter()
            .filter(|mv| wanted.is_empty() || wanted.contains(mv))
            .map(|mv| RootMove { mv, score: Score::LOWEST, line: vec![mv] })
            .collect();
        RootMoves { moves, completed: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The score of the best move.
    pub fn best_score(&self) -> Score {
        self.moves.first().map_or(Score::DRAW, |root_move| root_move.score)
    }

    /// Remembers an iteration that was not broken. Several lines are put in
    /// the order of their scores: what one line's search left in the table can
    /// lift the next above it.
    pub fn complete_iteration(&mut self, lines: usize) {
        self.moves[..lines].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
        self.completed.clone_from(&self.moves);
    }

    /// Goes back to the last whole iteration.
    pub fn restore_completed(&mut self) {
        self.moves.clone_from(&self.completed);
    }

    /// Sorts the moves from `rank` on by score; equals keep their order.
    pub fn rank_from(&mut self, rank: usize) {
        self.moves[rank..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
    }

    /// Whether the best line is another than after the last whole iteration.
    pub fn first_line_changed(&self) -> bool {
        let line = |moves: &[RootMove]| moves.first().map(|first| first.line.clone());
        line(&self.moves) != line(&self.completed)
    }

    /// Gives the moves that no search has looked at the score they have at
    /// sight. The best comes first, a searched one if only one is wanted.
    pub fn score_unsearched(&mut self, position: &Position, wanted: usize) {
        let sort_all = wanted > 1 || self.best_score() == Score::LOWEST;
        for root_move in &mut self.moves {
            if root_move.score == Score::LOWEST {
                root_move.score = -evaluate(&position.play(root_move.mv));
            }
        }
        if sort_all {
            self.rank_from(0);
        }
    }

    /// What the search has come to.
    pub fn result(&self, depth: Depth) -> SearchResult {
        let Some(first) = self.moves.first() else { return SearchResult::default() };
        SearchResult {
            best: Some(first.mv),
            ponder: first.line.get(1).copied(),
            score: first.score,
            nodes: 0,
            depth,
        }
    }

    /// The line of the move at `rank`, ready to be reported.
    pub fn line(&self, worker: &Worker<'_>, rank: usize, depth: Depth) -> SearchLine {
        let root_move = &self.moves[rank];
        let (nodes, time) = worker.progress();
        let mut moves = root_move.line.clone();
        complete_short_draw(worker.task.position, worker.task.history, root_move.score, &mut moves);
        SearchLine {
            depth,
            selective_depth: worker.selective_depth,
            rank: rank + 1,
            score: root_move.score,
            bound: Bound::Exact,
            nodes,
            time,
            permille_full: worker.task.table.permille_full(),
            moves,
        }
    }
}

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
    /// Searches all root moves from `rank` on, those before it being taken
    /// by better lines.
    pub fn search_root(
        &mut self,
        root: &mut RootMoves,
        rank: usize,
        depth: Depth,
    ) -> Result<(), Stopped> {
        let position = self.task.position;
        let mut window = Window::FULL;
        // Of moves not searched in this iteration nothing is known, but the
        // order they are in stays.
        let previous: Vec<Score> = root.moves[rank..].iter().map(|mv| mv.score).collect();
        for root_move in &mut root.moves[rank..] {
            root_move.score = Score::LOWEST;
        }
        self.history.push(position);
        for index in rank..root.moves.len() {
            let mv = root.moves[index].mv;
            let mut next = *position;
            next.make(mv);
            self.principal.clear(Ply::ROOT.next());
            let is_first = index == rank;
            let result =
                self.search_move::<true>(&next, depth - Depth(1), Ply::ROOT, window, is_first);
            let score = match result {
                Ok(score) => score,
                Err(stopped) => {
                    if is_first {
                        // Nothing new at all: keep what the last iteration said.
                        for (root_move, score) in root.moves[rank..].iter_mut().zip(previous) {
                            root_move.score = score;
                        }
                    }
                    return Err(stopped);
                }
            };
            if is_first || score > window.alpha {
                window.alpha = score;
                self.principal.extend(Ply::ROOT, mv);
                root.moves[index].score = score;
                root.moves[index].line = self.principal.root_line().to_vec();
            }
        }
        self.history.pop();
        Ok(())
    }
}
