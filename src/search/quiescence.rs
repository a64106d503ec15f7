//! The end of each line: captures go on until the position is quiet, so that
//! nothing is judged in the middle of an exchange.

use super::correction::CorrectionPlaces;
use super::node::NodeKind;
use super::picker::{MovePicker, gain_at_sight};
use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{Depth, Ply, Score, TableEntry};
use crate::distance::MAX_PLY;
use crate::position::{Move, PieceKind, Point, Position};

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
    /// every move is looked at until one holds, since standing still is not
    /// allowed.
    pub fn quiescence<N: NodeKind>(
        &mut self,
        position: &Position,
        ply: Ply,
        mut window: Window,
        capturing: Capturing,
    ) -> Result<Score, Stopped> {
        self.count_node(ply)?;
        if N::IS_PV {
            self.principal.clear(ply);
        }
        if self.is_draw(position, ply) {
            return Ok(Score::DRAW);
        }
        if ply.0 >= MAX_PLY - 1 || capturing.plies >= LONGEST_EXCHANGE {
            return Ok(self.evaluate(position, ply));
        }
        let known = self.probe(position, ply);
        if !N::IS_PV
            && let Some(entry) = known
            && entry.decides(window)
        {
            return Ok(entry.score);
        }
        let in_check = self.stack[ply].in_check;
        let before = self.stack.moves_before(ply);
        let mut raw = None;
        let mut best = Score::mated_at(ply);
        if !in_check {
            let places = CorrectionPlaces::of(position, before[0], before[1]);
            let evaluation = known.and_then(|entry| entry.evaluation);
            let evaluation = evaluation.unwrap_or_else(|| self.evaluate(position, ply));
            raw = Some(evaluation);
            best = self.corrected(evaluation, &places);
            best = known
                .filter(|entry| !entry.score.is_mate())
                .map_or(best, |entry| entry.refine(best));
            if best >= window.beta {
                if known.is_none() {
                    self.keep_evaluation(position, ply, evaluation, best);
                }
                return Ok(best);
            }
        }
        let asked = window;
        let standing = best;
        window.alpha = window.alpha.max(best);

        let table_move = known.and_then(|entry| entry.mv);
        let mut picker =
            if in_check { MovePicker::all(table_move) } else { MovePicker::winning(table_move, 0) };
        let mut best_move = None;
        let mut has_moves = false;
        while let Some(mv) = picker.next(position, &self.memory.moves, &before) {
            if !in_check && picker.is_at_bad_noisy() {
                break;
            }
            has_moves = true;
            if !in_check {
                if capturing.is_too_wild(mv) {
                    continue;
                }
                // Delta pruning: this capture will not lift the score to alpha.
                let gain = gain_at_sight(position, mv);
                let hope = standing + self.tunables().quiescence_margin + gain;
                if !best.is_mate() && hope <= window.alpha {
                    best = best.max(hope);
                    continue;
                }
            }
            let next = self.enter(position, ply, mv);
            let score =
                -self.quiescence::<N>(&next, ply.next(), window.flipped(), capturing.after(mv))?;
            self.history.pop();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if N::IS_PV {
                        self.principal.extend(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
            // One way out of check that is no mate is enough to go by.
            if in_check && !best.is_loss() {
                picker.skip_quiet();
            }
        }
        if !has_moves && !in_check && may_be_stuck(position) && !position.has_legal_moves() {
            return Ok(Score::DRAW);
        }
        let entry = TableEntry {
            mv: best_move,
            score: best,
            bound: asked.bound_of(best),
            depth: Depth(0),
            evaluation: raw,
            was_pv: known.is_some_and(|entry| entry.was_pv),
        };
        self.store(position, ply, entry);
        Ok(best)
    }
}

/// Whether stalemate is at all likely: it is asked for only where a side has
/// hardly a piece left, since asking takes as long as making all moves.
fn may_be_stuck(position: &Position) -> bool {
    let own = position.of_color(position.side_to_move());
    let kings_and_pawns = position.of_kind(PieceKind::King) | position.of_kind(PieceKind::Pawn);
    !(own & !kings_and_pawns).several()
}
