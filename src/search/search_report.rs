//! The lines that a running search reports, and its result.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::transposition_table::Bound;
use qirkat_game::Rules;
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct SearchLine<G: Rules> {
    pub depth: Depth,
    /// The selective depth: the furthest ply searched.
    pub selective_depth: Ply,
    /// The MultiPV number, from 1.
    pub rank: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    pub bound: Bound,
    /// Nodes visited so far by all threads, in all searches under the same control.
    pub nodes: u64,
    pub time: Duration,
    /// Usage of the transposition table, in permille.
    pub hashfull: u32,
    pub tablebase_hits: u64,
    /// The moves, all legal, from the root. Converting them to text needs the game.
    #[serde(skip)]
    pub moves: Vec<G::Move>,
    /// Whether the line ends in a draw by the rules or the tablebase; one repetition is not enough.
    pub is_drawn: bool,
}

impl<G: Rules> SearchLine<G> {
    /// A best line with an exact score and no statistics.
    pub fn new(depth: Depth, score: Score, moves: Vec<G::Move>) -> SearchLine<G> {
        SearchLine {
            depth,
            selective_depth: Ply(moves.len() as u16),
            rank: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tablebase_hits: 0,
            moves,
            is_drawn: false,
        }
    }

    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }

    /// The same line with moves of another type.
    pub fn converted<P: Rules>(&self, mv: impl Fn(G::Move) -> P::Move) -> SearchLine<P> {
        SearchLine {
            depth: self.depth,
            selective_depth: self.selective_depth,
            rank: self.rank,
            score: self.score,
            bound: self.bound,
            nodes: self.nodes,
            time: self.time,
            hashfull: self.hashfull,
            tablebase_hits: self.tablebase_hits,
            moves: self.moves.iter().map(|&own| mv(own)).collect(),
            is_drawn: self.is_drawn,
        }
    }
}

/// Nodes per second, safe for a time of zero.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64
}

/// Receives the lines of a running search, best first within an iteration.
pub type Reporter<'a, G> = dyn FnMut(&SearchLine<G>) + Send + 'a;

#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchResult<G: Rules> {
    /// The move to play; none when there is no legal move.
    pub best: Option<G::Move>,
    /// The expected reply.
    pub ponder: Option<G::Move>,
    pub score: Score,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// The depth of the last complete iteration.
    pub depth: Depth,
}

impl<G: Rules> Default for SearchResult<G> {
    fn default() -> SearchResult<G> {
        SearchResult {
            best: None,
            ponder: None,
            score: Score::DRAW,
            nodes: 0,
            depth: Depth::default(),
        }
    }
}

impl<G: Rules> SearchResult<G> {
    /// The result if nothing could be searched: any legal move is better than none.
    pub fn unsearched(position: &G) -> SearchResult<G> {
        SearchResult { best: position.legal_moves().first().copied(), ..SearchResult::default() }
    }

    pub fn of_line(line: &SearchLine<G>) -> SearchResult<G> {
        SearchResult {
            best: line.moves.first().copied(),
            ponder: line.moves.get(1).copied(),
            score: line.score,
            nodes: line.nodes,
            depth: line.depth,
        }
    }

    /// The same result with moves of another type.
    pub fn converted<P: Rules>(&self, mv: impl Fn(G::Move) -> P::Move) -> SearchResult<P> {
        SearchResult {
            best: self.best.map(&mv),
            ponder: self.ponder.map(&mv),
            score: self.score,
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}
