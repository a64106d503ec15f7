//! The root moves, each with its line and score.

use super::search_limits::{CANDIDATES, Handicap, SearchLimits};
use super::search_report::SearchResult;
use super::transposition_table::Bound;
use qirkat_game::Searchable;
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;

#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    mv: M,
    /// [`Score::LOWEST`] while it has no score in this iteration.
    pub score: Score,
    /// Its score in the last complete iteration; [`Score::LOWEST`] if it had none there.
    pub last_score: Score,
    pub bound: Bound,
    /// Whether its score is proved and no other move can be better, so that it is final.
    pub is_proved: bool,
    pub nodes: u64,
    pub line: Vec<M>,
}

/// The root moves, the ranked ones first, best first, and the state of their search.
pub(super) struct RootMoves<G: Searchable> {
    moves: Vec<RootMove<G::Move>>,
    completed: Vec<RootMove<G::Move>>,
    /// Whether some legal moves are excluded.
    is_restricted: bool,
    /// The line being searched (MultiPV); the moves before it are excluded.
    pub rank: usize,
    pub depth: Depth,
    pub reported_depth: Depth,
}

impl<G: Searchable> RootMoves<G> {
    /// The legal moves, only those in `search_moves` unless that is empty. A weaker player considers
    /// only those that it sees, or all if it sees none.
    pub fn new(position: &G, search_moves: &[G::Move], limits: &SearchLimits) -> RootMoves<G> {
        let mut chosen = position.legal_moves();
        let all = chosen.len();
        chosen.retain(|mv| search_moves.is_empty() || search_moves.contains(mv));
        if let Some(handicap) = &limits.handicap {
            let sees = |mv: &G::Move| !handicap.overlooks(position, *mv);
            if chosen.iter().any(sees) {
                chosen.retain(sees);
            }
        }
        let moves: Vec<RootMove<G::Move>> = chosen
            .into_iter()
            .map(|mv| RootMove {
                mv,
                score: Score::LOWEST,
                last_score: Score::LOWEST,
                bound: Bound::Upper,
                is_proved: false,
                nodes: 0,
                line: vec![mv],
            })
            .collect();
        RootMoves {
            is_restricted: moves.len() < all,
            moves,
            completed: Vec::new(),
            rank: 0,
            depth: Depth::default(),
            reported_depth: Depth::default(),
        }
    }

    pub fn at(&self, rank: usize) -> &RootMove<G::Move> {
        &self.moves[rank]
    }

    pub fn find_mut(&mut self, mv: G::Move) -> Option<&mut RootMove<G::Move>> {
        self.moves.iter_mut().find(|root_move| root_move.mv == mv)
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether a search of the moves from `rank` on excludes legal moves.
    pub fn excludes_moves(&self, rank: usize) -> bool {
        rank > 0 || self.is_restricted
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    pub fn all(&self) -> Vec<G::Move> {
        self.moves.iter().map(|root_move| root_move.mv).collect()
    }

    /// Puts a proved mate first, with its line and exact score; no move can be better.
    pub fn set_proved_mate(&mut self, mv: G::Move, line: &[G::Move]) {
        if let Some(root_move) = self.find_mut(mv) {
            root_move.score = Score::mating_at(Ply(line.len() as u16));
            root_move.bound = Bound::Exact;
            root_move.is_proved = true;
            root_move.line = line.to_vec();
        }
        self.sort_from(0);
    }

    pub fn best_score(&self) -> Score {
        self.at(0).score
    }

    /// The first move of the line at `rank`, which must exist.
    pub fn first_move(&self, rank: usize) -> G::Move {
        self.at(rank).mv
    }

    /// Whether a move may be searched for the line at `rank`.
    pub fn is_wanted(&self, mv: G::Move, rank: usize) -> bool {
        self.moves[rank..].iter().any(|root_move| root_move.mv == mv)
    }

    /// The best move's share of all nodes so far, from 0 to 1.
    pub fn best_share(&self) -> f64 {
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        self.at(0).nodes as f64 / all.max(1) as f64
    }

    /// Begins a search of the moves from `rank` on: resets the scores of unproved moves, but keeps
    /// their order. Returns the old scores.
    pub fn begin(&mut self, rank: usize) -> Vec<(Score, Bound)> {
        self.moves[rank..]
            .iter_mut()
            .map(|root_move| {
                let known = (root_move.score, root_move.bound);
                if !root_move.is_proved {
                    root_move.score = Score::LOWEST;
                }
                known
            })
            .collect()
    }

    /// Undoes [`RootMoves::begin`] if not even the first move was searched.
    pub fn undo_begin(&mut self, rank: usize, known: Vec<(Score, Bound)>) {
        let moves = &mut self.moves[rank..];
        if moves.first().is_some_and(|first| first.score == Score::LOWEST) {
            for (root_move, (score, bound)) in moves.iter_mut().zip(known) {
                root_move.score = score;
                root_move.bound = bound;
            }
        }
    }

    /// Completes an iteration. Several lines are sorted by score: table entries from one line's
    /// search can lift a later line above it.
    pub fn complete_iteration(&mut self, lines: usize) {
        sort_by_score(&mut self.moves[..lines]);
        for root_move in &mut self.moves {
            root_move.last_score = root_move.score;
        }
        self.completed.clone_from(&self.moves);
    }

    pub fn restore_completed(&mut self) {
        self.moves.clone_from(&self.completed);
    }

    /// Sorts the moves from this rank on by score.
    pub fn sort_from(&mut self, rank: usize) {
        sort_by_score(&mut self.moves[rank..]);
    }

    /// Whether the best line differs from that of the last complete iteration.
    pub fn first_line_changed(&self) -> bool {
        let line = |moves: &[RootMove<G::Move>]| moves.first().map(|first| first.line.clone());
        line(&self.moves) != line(&self.completed)
    }

    /// Scores unsearched moves by their static evaluation and sorts all moves, unless only one line
    /// is wanted and its move was searched: that move stays first.
    pub fn score_unsearched(&mut self, lines: usize, evaluate: &mut dyn FnMut(G::Move) -> Score) {
        let sort_all = lines > 1 || self.best_score() == Score::LOWEST;
        for root_move in &mut self.moves {
            if root_move.score == Score::LOWEST {
                root_move.score = evaluate(root_move.mv);
                root_move.bound = Bound::Exact;
            }
        }
        if sort_all {
            self.sort_from(0);
        }
    }

    /// Puts a weaker player's choice first.
    pub fn choose_by(&mut self, handicap: &Handicap, position: &G) {
        let searched = self.moves.iter().take(CANDIDATES);
        let known = searched.take_while(|root_move| root_move.score > Score::LOWEST);
        let weighed = known.map(|root_move| (root_move.score, position.gain(root_move.mv)));
        let chosen = handicap.choose(weighed);
        if let Some(moves) = self.moves.get_mut(..=chosen) {
            moves.rotate_right(1);
        }
    }

    pub fn result(&self, depth: Depth) -> SearchResult<G> {
        let first = self.at(0);
        SearchResult {
            best: Some(first.mv),
            ponder: first.line.get(1).copied(),
            score: first.score,
            nodes: 0,
            depth,
        }
    }
}

/// Sorts moves by score; the sort is stable.
fn sort_by_score<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
}
