//! The end of each line: captures go on until the position is quiet, so that
//! nothing is judged in the middle of an exchange.

use super::ordering::OrderedMoves;
use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{Ply, Score};
use crate::distance::MAX_PLY;
use crate::position::{Move, Point, Position};

/// Plies after which only recaptures on the same point are looked at. Where
/// dozens of pieces hang on both sides, the captures never end otherwise.
const ANY_CAPTURES: u16 = 4;
/// Plies after which the position is judged as it stands.
const LONGEST_EXCHANGE: u16 = 16;

/// How far the captures have gone on.
#[derive(Clone, Copy)]
pub(super) struct Capturing {
    plies: u16,
    last_point: Option<Point>,
}

impl Capturing {
    /// At the end of the full search.
    pub const START: Capturing = Capturing { plies: 0, last_point: None };

    fn after(self, mv: Move) -> Capturing {
        Capturing { plies: self.plies + 1, last_point: Some(mv.to) }
    }

    fn is_too_wild(self, mv: Move) -> bool {
        self.plies >= ANY_CAPTURES && self.last_point != Some(mv.to)
    }
}

impl Worker<'_> {
    /// The score of a position after all captures that win material. In check
    /// every move is looked at, since standing still is not allowed.
    pub fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        ply: Ply,
        mut window: Window,
        capturing: Capturing,
    ) -> Result<Score, Stopped> {
        self.count_node(ply)?;
        if PV {
            self.principal.clear(ply);
        }
        if self.is_draw(position, ply) {
            return Ok(Score::DRAW);
        }
        if ply.0 >= MAX_PLY - 1 || capturing.plies >= LONGEST_EXCHANGE {
            return Ok(self.judge(position));
        }
        let in_check = position.in_check();
        let mut best = if in_check { Score::mated_at(ply) } else { self.judge(position) };
        if best >= window.beta {
            return Ok(best);
        }
        window.alpha = window.alpha.max(best);

        let mut moves = OrderedMoves::new();
        if in_check {
            moves.fill(position, None);
        } else {
            moves.fill_winning(position);
        }
        if moves.is_empty() && !in_check && !position.has_legal_moves() {
            return Ok(Score::DRAW);
        }
        self.history.push(position);
        for mv in moves {
            if !in_check && capturing.is_too_wild(mv) {
                continue;
            }
            let mut next = *position;
            next.make(mv);
            let score =
                -self.quiescence::<PV>(&next, ply.next(), window.flipped(), capturing.after(mv))?;
            if score > best {
                best = score;
                if score > window.alpha {
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
        Ok(best)
    }
}
