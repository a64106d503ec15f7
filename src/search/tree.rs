//! The alpha-beta search below the root.

use super::ordering::OrderedMoves;
use super::quiescence::Capturing;
use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{Bound, Depth, Ply, Score, TableEntry};
use crate::distance::MAX_PLY;
use crate::evaluation::evaluate;
use crate::position::{Key, Move, Position};

impl Worker<'_> {
    /// The score of a position searched `depth` plies deep, exact within the
    /// window and a bound outside. `PV` is set where the window is open: only
    /// there are lines kept and table scores not believed, so that the lines
    /// are whole.
    pub fn negamax<const PV: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: Ply,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        if PV {
            self.principal.clear(ply);
        }
        if self.is_draw(position, ply) {
            self.count_node(ply)?;
            return Ok(Score::DRAW);
        }
        let in_check = position.in_check();
        // A check has few answers: look at them all before judging.
        let depth = if in_check { depth + Depth(1) } else { depth };
        if depth <= Depth(0) || ply.0 >= MAX_PLY - 1 {
            return self.quiescence::<PV>(position, ply, window, Capturing::START);
        }
        self.count_node(ply)?;

        // Mate distance pruning: no line from here is better than mate at
        // the next ply or worse than being mated here.
        window.alpha = window.alpha.max(Score::mated_at(ply));
        window.beta = window.beta.min(Score::mating_at(ply.next()));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        let known = self.task.table.probe(table_key(position), ply);
        if !PV
            && let Some(entry) = known
            && entry.depth >= depth
            && entry.decides(window)
        {
            return Ok(entry.score);
        }

        let mut moves = OrderedMoves::new();
        moves.fill(position, known.and_then(|entry| entry.mv));
        if moves.is_empty() {
            return Ok(Self::score_without_moves(in_check, ply));
        }
        let lowest = window.alpha;
        let mut best = Score::LOWEST;
        let mut best_move = None;
        self.history.push(position);
        for (index, mv) in moves.enumerate() {
            let mut next = *position;
            next.make(mv);
            let score = self.search_move::<PV>(&next, depth - Depth(1), ply, window, index == 0)?;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if PV {
                        self.principal.extend(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        self.history.pop();
        self.remember(position, ply, depth, best, best_move, Window { alpha: lowest, ..window });
        Ok(best)
    }

    /// Principal variation search: the first move gets the whole window, the
    /// others must first prove better with a null window.
    pub fn search_move<const PV: bool>(
        &mut self,
        next: &Position,
        depth: Depth,
        ply: Ply,
        window: Window,
        is_first: bool,
    ) -> Result<Score, Stopped> {
        let below = ply.next();
        if !PV {
            return Ok(-self.negamax::<false>(next, depth, below, window.flipped())?);
        }
        if !is_first {
            let score = -self.negamax::<false>(next, depth, below, window.null().flipped())?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        Ok(-self.negamax::<true>(next, depth, below, window.flipped())?)
    }

    fn remember(
        &self,
        position: &Position,
        ply: Ply,
        depth: Depth,
        score: Score,
        mv: Option<Move>,
        window: Window,
    ) {
        let bound = if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.task.table.store(table_key(position), ply, TableEntry { mv, score, bound, depth });
    }

    /// What the evaluation says, at the end of a line.
    #[inline]
    pub fn judge(&self, position: &Position) -> Score {
        evaluate(position)
    }
}

/// From this clock on a position is kept in the table for its clock alone:
/// what it is worth depends on how near the 100 plies are.
const CLOCK_MATTERS: u16 = 60;
/// Sets the clocks apart: a large odd number.
const CLOCK_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The key under which the table keeps a position.
#[inline]
fn table_key(position: &Position) -> Key {
    let clock = position.halfmove_clock();
    let key = position.key();
    if clock < CLOCK_MATTERS { key } else { Key(key.0 ^ u64::from(clock).wrapping_mul(CLOCK_STEP)) }
}

impl TableEntry {
    /// Whether the kept score settles the question that the window asks.
    fn decides(&self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }
}
