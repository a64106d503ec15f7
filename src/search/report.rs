//! What a search tells while it runs.

use std::time::Duration;

use super::{Bound, Depth, Ply, Score};
use crate::evaluation::{Wdl, wdl};
use crate::position::{Move, Position};

/// One line of play with its score.
#[derive(Clone, Debug)]
pub struct SearchLine {
    /// The iteration it comes from.
    pub depth: Depth,
    /// The furthest any line has been looked at.
    pub selective_depth: Ply,
    /// Its place among several lines, from 1.
    pub rank: usize,
    /// What it is worth to the side to move at the root.
    pub score: Score,
    /// How the score is to be understood.
    pub bound: Bound,
    /// Positions visited so far by all threads.
    pub nodes: u64,
    /// Time since the search started.
    pub time: Duration,
    /// Part of the transposition table in use, in thousandths.
    pub permille_full: u32,
    /// The moves, all legal, the first at the root.
    pub moves: Vec<Move>,
    /// Whether a rule of the game makes a draw of the line, so that nothing is
    /// left to chance.
    pub is_drawn: bool,
}

impl SearchLine {
    /// How often such a score is won, drawn and lost.
    pub fn wdl(&self) -> Wdl {
        if self.is_drawn { Wdl::DRAW } else { wdl(self.score) }
    }

    /// Positions visited each second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// A rate that is never divided by zero.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64
}

/// Hears the lines of a running search, best first within an iteration.
pub trait Reporter: Send {
    /// A line was finished.
    fn line(&mut self, line: &SearchLine);
}

impl<F: FnMut(&SearchLine) + Send> Reporter for F {
    fn line(&mut self, line: &SearchLine) {
        self(line);
    }
}

/// What a search has come to.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The move to play; none when there is no legal move.
    pub best: Option<Move>,
    /// The reply to expect.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// The last finished iteration.
    pub depth: Depth,
}

impl SearchResult {
    /// The answer where nothing could be searched: any legal move is better
    /// than none.
    pub fn unsearched(position: &Position) -> SearchResult {
        SearchResult { best: position.legal_moves().first().copied(), ..SearchResult::default() }
    }
}
