//! Quiescence search: at the end of each line, captures are searched until the position is quiet,
//! so that none is evaluated in the middle of an exchange.

use super::control::Stopped;
use super::history::correction_indices;
use super::picker::MovePicker;
use super::transposition_table::TtEntry;
use super::worker::{MoveOf, NodeKind, Window, Worker, score_without_moves};
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator, PackedMove, Rules, Searchable, Terminal};

/// Plies after which only recaptures are searched, so that the search ends.
const ALL_CAPTURES_PLIES: u16 = 4;
/// Plies after which the position is evaluated without further search, even where the side to move
/// must respond.
const MAX_QSEARCH_PLIES: u16 = 16;

#[derive(Clone, Copy)]
pub(super) struct QsearchState<M> {
    plies: u16,
    last: Option<M>,
}

impl<M: Copy> QsearchState<M> {
    /// At a leaf of the main search.
    pub const START: QsearchState<M> = QsearchState { plies: 0, last: None };

    fn after(self, mv: M) -> QsearchState<M> {
        QsearchState { plies: self.plies + 1, last: Some(mv) }
    }

    /// Whether to skip a capture: the line is long, and it is no recapture.
    fn skips_capture<G: Searchable<Move = M>>(self, position: &G, mv: M) -> bool {
        self.plies >= ALL_CAPTURES_PLIES
            && !self.last.is_some_and(|last| position.is_recapture(mv, last))
    }
}

/// Whether the side to move is blocked in a game where that loses, so that it cannot stand pat.
#[inline]
fn is_lost_without_moves<G: Searchable>(position: &G) -> bool {
    position.may_lack_moves()
        && position.without_moves() == Terminal::Lost
        && !position.has_legal_moves()
}

impl<E: Evaluate> Worker<'_, E> {
    /// The score after captures that do not lose material. A side that must respond cannot stand
    /// pat: its quiet moves are searched too, until a move does not lose at once.
    pub fn quiescence<N: NodeKind>(
        &mut self,
        position: &E::Game,
        ply: Ply,
        mut window: Window,
        state: QsearchState<MoveOf<E>>,
    ) -> Result<Score, Stopped> {
        self.counters.count_node(ply)?;
        if N::IS_PV {
            self.path.clear_line(ply);
        }
        if let Some(score) = self.settled_score(position, ply, Depth(0)) {
            return Ok(score);
        }
        if ply.0 >= MAX_PLY - 1 || state.plies >= MAX_QSEARCH_PLIES {
            return Ok(self.evaluator.evaluate(position, ply));
        }
        let tt_entry = self.tt.probe(position, ply);
        if !N::IS_PV
            && let Some(entry) = tt_entry
            && window.is_decided_by(&entry)
        {
            return Ok(entry.score);
        }
        let must_respond = self.path.stack[ply].must_respond;
        let before = self.path.stack.moves_before(ply);
        let mut raw = None;
        let mut stand_pat = Score::mated_at(ply);
        if !must_respond {
            if is_lost_without_moves(position) {
                return Ok(stand_pat);
            }
            let evaluation = tt_entry.and_then(|entry| entry.evaluation);
            let evaluation = evaluation.unwrap_or_else(|| self.evaluator.evaluate(position, ply));
            raw = Some(evaluation);
            // Uses the correction history, or the TT score where that says more.
            let index = correction_indices(position, before[0], before[1]);
            let corrected = self.corrected(evaluation, &index);
            stand_pat = tt_entry
                .filter(|entry| !entry.score.is_mate())
                .map_or(corrected, |entry| entry.refine(corrected));
            if stand_pat >= window.beta {
                if tt_entry.is_none() {
                    self.tt_store_evaluation(position, ply, evaluation, stand_pat);
                }
                return Ok(stand_pat);
            }
        }

        let original = window;
        let mut best = stand_pat;
        window.alpha = window.alpha.max(best);
        let mut best_move = None;
        let mut has_moves = false;
        let tt_move = tt_entry.and_then(|entry| position.unpack(entry.mv));
        // Losing captures come last only where all moves are searched. Elsewhere they are left out,
        // which is tested below, since most captures need no SEE.
        let threshold = must_respond.then_some(0);
        let mut picker = MovePicker::new(self.path.moves.top(), tt_move, must_respond, threshold);
        while let Some(mv) = self.next_move(&mut picker, position, &before) {
            has_moves = true;
            if !must_respond {
                if state.skips_capture(position, mv) || self.overlooks(position, mv) {
                    continue;
                }
                // Delta pruning: this capture will not raise the score to alpha.
                let hope = stand_pat + self.params().quiescence_margin + position.gain(mv);
                let is_futile = !best.is_mate() && hope <= window.alpha;
                if (is_futile && hope <= best) || (Some(mv) != tt_move && !position.see_ge(mv, 0)) {
                    continue;
                }
                if is_futile {
                    best = hope;
                    continue;
                }
            }
            let score = -self.descend(position, ply, mv, |worker, next| {
                worker.quiescence::<N>(next, ply.next(), window.flipped(), state.after(mv))
            })?;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if N::IS_PV {
                        self.path.extend_line(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
            // One response that does not lose at once is enough.
            if must_respond && !best.is_loss() {
                picker.skip_quiet();
            }
        }
        if !has_moves && !must_respond && position.may_lack_moves() && !position.has_legal_moves() {
            return Ok(score_without_moves(position, ply));
        }
        let entry = TtEntry {
            mv: best_move.map_or(PackedMove::NONE, |mv| position.pack(mv)),
            score: best,
            bound: original.bound_of(best),
            depth: Depth(0),
            evaluation: raw,
            tt_pv: tt_entry.is_some_and(|entry| entry.tt_pv),
        };
        self.tt.store(position, ply, entry);
        Ok(best)
    }
}
