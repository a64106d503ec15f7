//! What a search reports while it runs, and its result.

use std::time::Duration;

use super::table_entry::Bound;
use qirkat_game::Rules;
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;

/// One line of play with its score.
#[derive(Clone, Debug)]
pub struct SearchLine<G: Rules> {
    /// The iteration it comes from.
    pub depth: Depth,
    /// The furthest any line has been looked at.
    pub selective_depth: Ply,
    /// Its place among several lines, from 1.
    pub rank: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    /// How the score is to be understood.
    pub bound: Bound,
    /// Positions visited so far by all threads.
    pub nodes: u64,
    /// Time since the search started.
    pub time: Duration,
    /// Part of the transposition table in use, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables so far.
    pub table_hits: u64,
    /// The moves, all legal, the first at the root.
    pub moves: Vec<G::Move>,
    /// Whether a rule of the game or an endgame table makes a draw of the line, so that
    /// nothing is left to chance.
    pub is_drawn: bool,
}

impl<G: Rules> SearchLine<G> {
    /// Positions visited each second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }

    /// The same line with its moves in another type.
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
            table_hits: self.table_hits,
            moves: self.moves.iter().map(|&own| mv(own)).collect(),
            is_drawn: self.is_drawn,
        }
    }
}

/// A rate that is never divided by zero.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64
}

/// Receives the lines of a running search, best first within an iteration.
pub trait Reporter<G: Rules>: Send {
    /// A line was finished.
    fn line(&mut self, line: &SearchLine<G>);
}

impl<G: Rules, F: FnMut(&SearchLine<G>) + Send> Reporter<G> for F {
    fn line(&mut self, line: &SearchLine<G>) {
        self(line);
    }
}

/// What a search has come to.
#[derive(Clone, Debug)]
pub struct SearchResult<G: Rules> {
    /// The move to play; none when there is no legal move.
    pub best: Option<G::Move>,
    /// The reply to expect.
    pub ponder: Option<G::Move>,
    /// The score of the best move.
    pub score: Score,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// The last finished iteration.
    pub depth: Depth,
}

impl<G: Rules> Default for SearchResult<G> {
    /// Nothing was found.
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
    /// The answer where nothing could be searched: any legal move is better
    /// than none.
    pub fn unsearched(position: &G) -> SearchResult<G> {
        SearchResult { best: first_legal_move(position), ..SearchResult::default() }
    }
}

/// Any legal move.
pub(super) fn first_legal_move<G: Rules>(position: &G) -> Option<G::Move> {
    position.legal_moves().first().copied()
}
