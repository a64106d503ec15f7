//! The traces that the search of a node leaves: updates of the histories, of the
//! evaluation's correction and of the transposition table.

use super::correction::CorrectionIndex;
use super::node::Node;
use super::tt_entry::{Bound, TtEntry};
use super::window::Window;
use super::worker::{MoveOf, Worker};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, PackedMove, Searchable};

/// The result of trying the moves of a node.
pub(super) struct NodeResult<M> {
    pub score: Score,
    /// The move that raised alpha last, if any did.
    pub best_move: Option<M>,
}

impl<E: Evaluate> Worker<'_, E> {
    /// An evaluation, corrected by what searches have found in such positions.
    #[inline]
    pub fn corrected(&self, raw: Score, index: &CorrectionIndex) -> Score {
        raw + self.histories.corrections.correction(index, self.params())
    }

    /// Updates the histories of the moves of a node after a beta cutoff: the
    /// best move gains, those tried before it lose.
    pub fn update_histories(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        best: MoveOf<E>,
        quiet: &[MoveOf<E>],
        noisy: &[MoveOf<E>],
    ) {
        let Node { position, before, .. } = node;
        let params = self.params();
        let bonus = (params.history_bonus_slope * depth.plies() - params.history_bonus_offset)
            .clamp(0, params.history_bonus_max);
        let malus = -bonus * params.history_malus / 128;
        let moves = &mut self.histories.moves;
        if position.is_noisy(best) {
            moves.update_noisy(position, best, bonus);
        } else {
            moves.update_quiet(position, best, before, bonus);
            for &mv in quiet {
                moves.update_quiet(position, mv, before, malus);
            }
        }
        for &mv in noisy {
            moves.update_noisy(position, mv, malus);
        }
    }

    /// The evaluation is corrected by what the search found, unless it was a
    /// capture that made the difference or the bound says nothing about it.
    pub fn update_correction(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        result: &NodeResult<MoveOf<E>>,
        original: Window,
    ) {
        let evaluation = self.path.stack[node.ply].evaluation;
        let Some((evaluation, index)) = evaluation.zip(node.correction) else { return };
        let score = result.score;
        let says_nothing = match original.bound_of(score) {
            Bound::Lower => score <= evaluation,
            Bound::Upper => score >= evaluation,
            Bound::Exact => false,
        };
        if says_nothing
            || score.is_mate()
            || result.best_move.is_some_and(|mv| node.position.is_noisy(mv))
        {
            return;
        }
        self.histories.corrections.update(&index, depth.plies(), score, evaluation);
    }

    /// Keeps what the search of a node found in the table.
    pub fn tt_store(
        &self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        result: &NodeResult<MoveOf<E>>,
        original: Window,
    ) {
        let entry = TtEntry {
            mv: result.best_move.map_or(PackedMove::NONE, |mv| node.position.pack(mv)),
            score: result.score,
            bound: original.bound_of(result.score),
            depth,
            evaluation: node.raw_evaluation,
            tt_pv: node.tt_pv,
        };
        self.tt.store(node.position, node.ply, entry);
    }

    /// Keeps an evaluation, which is what takes the time, in the table. Where
    /// it need not respond to anything the side to move can stand pat.
    pub fn tt_store_evaluation(&self, position: &E::Game, ply: Ply, raw: Score, corrected: Score) {
        let entry = TtEntry {
            mv: PackedMove::NONE,
            score: corrected,
            bound: Bound::Lower,
            depth: Depth(0),
            evaluation: Some(raw),
            tt_pv: false,
        };
        self.tt.store(position, ply, entry);
    }
}
