//! The alpha-beta search. A node's steps, in order: scores that need no search, pruning of the
//! node, then its moves, each pruned, extended or reduced.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use once_cell::sync::Lazy;

use super::control::Stopped;
use super::history::{CorrectionIndices, PieceTo, correction_indices};
use super::picker::MovePicker;
use super::quiescence::QsearchState;
use super::transposition_table::{Bound, TtEntry};
use super::worker::{MoveOf, Node, NodeKind, NonPv, Pv, Window, Worker, score_without_moves};
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator, PackedMove, Searchable};

/// Reductions are counted in 1024ths of a ply.
const PLY_PARTS: i32 = 1024;

const MAX_TRIED: usize = 64;
type Tried<M> = ArrayVec<M, MAX_TRIED>;

struct Candidate<M> {
    mv: M,
    /// Its number in the move order, from 1.
    number: usize,
    is_quiet: bool,
    history: i32,
}

impl<E: Evaluate> Worker<'_, E> {
    /// The score of a position searched to `depth`, exact inside the window and a bound outside.
    /// `cut_node`: a fail high is expected.
    pub fn negamax<N: NodeKind>(
        &mut self,
        position: &E::Game,
        mut depth: Depth,
        ply: Ply,
        mut window: Window,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        if depth <= Depth(0) {
            return self.quiescence::<N>(position, ply, window, QsearchState::START);
        }
        self.counters.count_node(ply)?;
        if N::IS_PV {
            self.path.clear_line(ply);
        }
        let must_respond = self.path.stack[ply].must_respond;
        let excluded = self.path.stack[ply].excluded;
        if !N::IS_ROOT {
            if let Some(score) = self.settled_score(position, ply, depth) {
                return Ok(score);
            }
            if ply.0 >= MAX_PLY - 1 {
                return Ok(if must_respond {
                    Score::DRAW
                } else {
                    self.evaluator.evaluate(position, ply)
                });
            }
            // Mate distance pruning (MDP): nothing is better than mate at the next ply.
            window.alpha = window.alpha.max(Score::mated_at(ply));
            window.beta = window.beta.min(Score::mating_at(ply.next()));
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
        }

        let tt_entry = match excluded {
            None => self.tt.probe(position, ply),
            Some(_) => None,
        };
        if !N::IS_PV
            && let Some(entry) = tt_entry
            && entry.depth >= depth
            && window.is_decided_by(&entry)
        {
            return Ok(entry.score);
        }
        let node = self.describe_node::<N>(position, ply, tt_entry, cut_node);
        self.path.stack.after(ply, 2).cutoffs = 0;

        if !N::IS_PV
            && !must_respond
            && excluded.is_none()
            && !self.full_width
            && let Some(score) = self.prune_node(&node, depth, window)?
        {
            return Ok(score);
        }
        // Internal iterative reduction (IIR): without a table move the move order is poor, and the
        // time is better spent once the table knows more (E. Schröder).
        if excluded.is_none()
            && !self.full_width
            && (N::IS_PV || cut_node)
            && node.tt_move.is_none()
            && depth.plies() >= self.params().iir_depth
        {
            depth = depth - Depth(1);
        }
        self.try_moves::<N>(&node, depth, window)
    }

    /// The score of a position that needs no search: a draw, or a tablebase hit.
    #[inline]
    pub fn settled_score(&self, position: &E::Game, ply: Ply, depth: Depth) -> Option<Score> {
        if self.path.is_draw(position, ply) {
            return Some(Score::DRAW);
        }
        self.known_score(position, ply, depth)
    }

    fn describe_node<'p, N: NodeKind>(
        &mut self,
        position: &'p E::Game,
        ply: Ply,
        tt_entry: Option<TtEntry>,
        cut_node: bool,
    ) -> Node<'p, E::Game> {
        let before = self.path.stack.moves_before(ply);
        let tt_move = if N::IS_ROOT {
            Some(self.root.first_move(self.root.rank))
        } else {
            tt_entry.and_then(|entry| position.unpack(entry.mv))
        };
        let mut node = Node {
            position,
            ply,
            tt_entry,
            tt_move,
            tt_move_is_noisy: tt_move.is_some_and(|mv| position.is_noisy(mv)),
            raw_evaluation: None,
            estimate: Score::mated_at(ply),
            correction: None,
            improving: false,
            tt_pv: N::IS_PV || tt_entry.is_some_and(|entry| entry.tt_pv),
            cut_node,
            before,
            moves_start: self.path.moves.top(),
        };
        if self.path.stack[ply].must_respond {
            self.path.stack[ply].evaluation = None;
        } else if self.path.stack[ply].excluded.is_some() {
            // The same position was just evaluated.
            node.estimate = self.path.stack[ply].evaluation.unwrap_or_default();
        } else {
            let index = correction_indices(position, before[0], before[1]);
            let raw = tt_entry.and_then(|entry| entry.evaluation);
            let raw = raw.unwrap_or_else(|| self.evaluator.evaluate(position, ply));
            let corrected = self.corrected(raw, &index);
            if tt_entry.is_none() {
                self.tt_store_evaluation(position, ply, raw, corrected);
            }
            node.raw_evaluation = Some(raw);
            node.estimate = tt_entry.map_or(corrected, |entry| entry.refine(corrected));
            node.correction = Some(index);
            self.path.stack[ply].evaluation = Some(corrected);
            node.improving = self.path.stack.is_improving(ply);
        }
        node
    }

    fn prune_node(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, ply, .. } = *node;
        let plies = depth.plies();
        let Window { alpha, beta } = window;
        // If the window touches tablebase scores, only a mate can change the result: no pruning.
        if alpha.is_tablebase() || beta.is_tablebase() {
            return Ok(None);
        }
        let params = self.params();

        // Razoring: so far below alpha that only captures could help, and they do not (J.
        // Birmingham, P. Kent, 1977).
        if plies <= params.razoring_depth
            && !alpha.is_mate()
            && node.estimate + params.razoring_margin * plies < alpha
        {
            let score = self.quiescence::<NonPv>(position, ply, window, QsearchState::START)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        // Reverse futility pruning (RFP): so far above beta that no reply will bring it down.
        let margin = params.reverse_futility_margin * plies
            - if node.improving { params.reverse_futility_improving } else { 0 };
        if plies <= params.reverse_futility_depth
            && !beta.is_mate()
            && !node.estimate.is_mate()
            && node.estimate - margin >= beta
        {
            return Ok(Some(beta + (node.estimate - beta) / 3));
        }
        if let Some(score) = self.null_move(node, depth, window)? {
            return Ok(Some(score));
        }
        self.probcut(node, depth, window)
    }

    /// Null move pruning (NMP): if the side to move is above beta even after passing, a move will
    /// be too (C. Donninger, "Null Move and Deep Search", 1993). The game decides where it is not
    /// used, such as where zugzwang is likely.
    fn null_move(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, ply, .. } = *node;
        let params = self.params();
        let plies = depth.plies();
        let beta = window.beta;
        let static_bound = beta + params.null_move_offset - params.null_move_deficit * plies;
        if plies < params.null_move_depth
            || ply < self.path.null_move_from
            || node.before[0] == PieceTo::NONE
            || beta.is_loss()
            || node.estimate < beta
            || self.path.stack[ply].evaluation.is_none_or(|evaluation| evaluation < static_bound)
        {
            return Ok(None);
        }
        let Some(next) = position.null_move() else { return Ok(None) };
        let lead = (node.estimate - beta) * PLY_PARTS / params.null_move_margin;
        let reduction =
            params.null_move_base + params.null_move_slope * plies + lead.min(3 * PLY_PARTS);
        let child_depth = Depth((plies - reduction / PLY_PARTS) as i16);
        let null_window = Window::null_at_beta(beta);

        let score = -self.descend_to(position, ply, PieceTo::NONE, &next, |worker, next| {
            worker.negamax::<NonPv>(next, child_depth, ply.next(), null_window.flipped(), false)
        })?;
        if score < beta {
            return Ok(None);
        }
        // A mate or tablebase win found after passing is not proved.
        let score = if score.is_win() || score.is_tablebase() { beta } else { score };
        if plies < params.null_move_verification_depth || self.path.null_move_from > Ply::ROOT {
            return Ok(Some(score));
        }
        // At high depth it is verified by a search in which null moves are disabled for some plies.
        self.path.null_move_from = Ply(ply.0 + 3 * child_depth.0.max(0) as u16 / 4);
        let verified = self.negamax::<NonPv>(position, child_depth, ply, null_window, false);
        self.path.null_move_from = Ply::ROOT;
        Ok((verified? >= beta).then_some(score))
    }

    /// ProbCut: a capture that is far above beta at a lower depth will be above beta at this one
    /// (M. Buro, 1995).
    fn probcut(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let params = self.params();
        let raised = window.beta + params.probcut_margin;
        if depth.plies() < params.probcut_depth
            || window.beta.is_mate()
            || node
                .tt_entry
                .is_some_and(|entry| entry.depth >= depth - Depth(3) && entry.score < raised)
        {
            return Ok(None);
        }
        let Node { position, ply, .. } = *node;
        let needed = raised - self.path.stack[ply].evaluation.unwrap_or_default();
        let reduced_depth = depth - Depth(4);
        let null_window = Window::null_at_beta(raised);
        let flipped = null_window.flipped();
        let mut picker = MovePicker::new(node.moves_start, node.tt_move, false, Some(needed));
        while let Some(mv) = self.next_move(&mut picker, position, &node.before) {
            if picker.is_at_bad_noisy() {
                break;
            }
            if self.overlooks(position, mv) {
                continue;
            }
            let score = -self.descend(position, ply, mv, |worker, next| {
                let child = ply.next();
                let score =
                    worker.quiescence::<NonPv>(next, child, flipped, QsearchState::START)?;
                if -score < raised || reduced_depth <= Depth(0) {
                    return Ok(score);
                }
                worker.negamax::<NonPv>(next, reduced_depth, child, flipped, !node.cut_node)
            })?;
            if score >= raised {
                self.tt_store(node, depth - Depth(3), score, Some(mv), null_window);
                let margin = self.params().probcut_margin;
                return Ok(Some(if score.is_win() { score } else { score - margin }));
            }
        }
        Ok(None)
    }

    /// The move loop of a node: each move is picked, pruned or searched, and its score compared
    /// with the best. A singular search can return at once (multi-cut).
    fn try_moves<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        original: Window,
    ) -> Result<Score, Stopped> {
        let Node { position, ply, .. } = *node;
        let excluded = self.path.stack[ply].excluded;
        let mut window = original;
        let mut best = Score::LOWEST;
        let mut best_move = None;
        let mut number = 0;
        let mut overlooks_some = false;
        let mut tried_quiet = Tried::new();
        let mut tried_noisy = Tried::new();
        let mut picker = MovePicker::new(node.moves_start, node.tt_move, true, Some(0));
        while let Some(mv) = self.next_move(&mut picker, position, &node.before) {
            if Some(mv) == excluded || (N::IS_ROOT && !self.root.is_wanted(mv, self.root.rank)) {
                continue;
            }
            if !N::IS_ROOT && self.overlooks(position, mv) {
                overlooks_some = true;
                continue;
            }
            number += 1;
            if N::IS_ROOT && self.index == 0 {
                self.task.control.set_current_root_move(number, position.pack(mv));
            }
            let is_quiet = !position.is_noisy(mv);
            let histories = &self.histories;
            let history = if is_quiet {
                histories.quiet(position, mv, &node.before)
            } else {
                histories.noisy(position, mv)
            };
            let candidate = Candidate { mv, number, is_quiet, history };
            if !N::IS_ROOT
                && !self.full_width
                && !best.is_loss()
                && !window.alpha.is_win()
                && !window.alpha.is_tablebase()
                && self.prune_move(node, depth, window, &candidate, &mut picker)
            {
                continue;
            }
            let extension = match self.extension::<N>(node, depth, window, mv)? {
                ControlFlow::Continue(plies) => Depth(plies),
                ControlFlow::Break(score) => return Ok(score),
            };

            let nodes_before = self.counters.nodes;
            let child_depth = depth - Depth(1) + extension;
            let score = self.descend(position, ply, mv, |worker, next| {
                worker.search_move::<N>(node, next, depth, child_depth, window, &candidate)
            })?;
            if N::IS_ROOT {
                self.update_root_move(mv, score, window, number == 1, nodes_before);
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if N::IS_PV && !N::IS_ROOT {
                        self.path.extend_line(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
            if best_move != Some(mv) {
                let tried = if is_quiet { &mut tried_quiet } else { &mut tried_noisy };
                // If the list is full, later moves matter little.
                let _ = tried.try_push(mv);
            }
        }
        if number == 0 {
            return Ok(match excluded {
                Some(_) => original.alpha,
                // There are legal moves, but the weaker player overlooks all.
                None if overlooks_some => node.estimate,
                None => score_without_moves(position, ply),
            });
        }
        if let Some(mv) = best_move
            && best >= original.beta
        {
            self.path.stack[ply].cutoffs += 1;
            self.update_histories(node, depth, mv, &tried_quiet, &tried_noisy);
        }
        // A score from only some of the moves is not the position's score.
        let all_moves =
            excluded.is_none() && !(N::IS_ROOT && self.root.excludes_moves(self.root.rank));
        if all_moves {
            self.tt_store(node, depth, best, best_move, original);
            self.update_correction(node, depth, best, best_move, original);
        }
        Ok(best)
    }

    fn prune_move(
        &self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
        candidate: &Candidate<MoveOf<E>>,
        picker: &mut MovePicker<MoveOf<E>>,
    ) -> bool {
        let Node { position, ply, .. } = *node;
        let params = self.params();
        let plies = depth.plies();
        if !candidate.is_quiet {
            // SEE pruning: a capture that loses more than the depth can make up for.
            return plies <= params.see_pruning_depth
                && picker.is_at_bad_noisy()
                && !position.see_ge(candidate.mv, -params.see_noisy_slope * plies);
        }
        // Late move pruning (LMP): the quiet moves after this one are skipped.
        let most = params.late_move_base + params.late_move_slope * plies * plies / 16;
        let most = if node.improving { most } else { most / 2 };
        if plies <= params.late_move_depth && candidate.number as i32 > most {
            picker.skip_quiet();
        }
        let reduction_parts = reduction(plies, candidate.number, params.lmr_base, params.lmr_slope)
            - candidate.history * PLY_PARTS / params.lmr_history;
        let reduced_depth = (plies - reduction_parts / PLY_PARTS).max(0);
        // Futility pruning: a quiet move will not raise a score this far below alpha.
        if reduced_depth <= params.futility_depth
            && let Some(evaluation) = self.path.stack[ply].evaluation
            && evaluation + params.futility_base + params.futility_slope * reduced_depth
                <= window.alpha
            && !position.gives_check(candidate.mv)
        {
            picker.skip_quiet();
            return true;
        }
        // History pruning: a quiet move that has nearly always failed.
        if reduced_depth <= params.history_pruning_depth
            && candidate.history < -params.history_pruning_slope * reduced_depth.max(1)
        {
            return true;
        }
        // SEE pruning of a quiet move whose piece would be captured.
        plies <= params.see_pruning_depth
            && !position
                .see_ge(candidate.mv, -params.see_quiet_slope * reduced_depth * reduced_depth)
    }

    /// The extension of a move in plies, or a score that cuts the node off. Check extension applies
    /// to every move where the side to move must respond; singular extension (SE) to the table move
    /// if all others score clearly worse (T. Anantharaman, M. Campbell, F. Hsu, "Singular
    /// Extensions", 1990; in Stockfish's form).
    #[inline]
    fn extension<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
        mv: MoveOf<E>,
    ) -> Result<ControlFlow<Score, i16>, Stopped> {
        let mut plies = 0;
        if !N::IS_ROOT && Some(mv) == node.tt_move && node.ply.0 < 2 * self.root.depth.0 as u16 {
            match self.singularity::<N>(node, depth, window)? {
                ControlFlow::Continue(by) => plies = by,
                cut => return Ok(cut),
            }
        }
        if self.path.stack[node.ply].must_respond && self.params().check_extension > 0 {
            plies = plies.max(1);
        }
        Ok(ControlFlow::Continue(plies))
    }

    fn singularity<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
    ) -> Result<ControlFlow<Score, i16>, Stopped> {
        let Node { position, ply, .. } = *node;
        let params = self.params();
        let plies = depth.plies();
        let Some(entry) = node.tt_entry.filter(|entry| {
            plies >= params.singular_depth
                && !self.full_width
                && entry.bound != Bound::Upper
                && !entry.score.is_mate()
                && entry.depth >= depth - Depth(3)
        }) else {
            return Ok(ControlFlow::Continue(0));
        };
        let singular_beta = entry.score - params.singular_margin * plies / 64;
        let half = Depth(((plies - 1) / 2) as i16);
        let null_window = Window::null_at_beta(singular_beta);
        self.path.stack[ply].excluded = node.tt_move;
        let result = self.negamax::<NonPv>(position, half, ply, null_window, node.cut_node);
        self.path.stack[ply].excluded = None;
        let score = result?;
        Ok(ControlFlow::Continue(if score < singular_beta {
            let far_behind = !N::IS_PV && score < singular_beta - params.double_extension;
            if far_behind { 2 } else { 1 }
        } else if score >= window.beta && !score.is_mate() {
            // Multi-cut: another move reaches beta as well.
            return Ok(ControlFlow::Break(score));
        } else if entry.score >= window.beta {
            -2
        } else if node.cut_node {
            -1
        } else {
            0
        }))
    }

    /// Principal variation search (PVS): the first move gets the full window, the others a null
    /// window first, late ones at reduced depth. `child_depth` is the depth of `next`.
    fn search_move<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        next: &E::Game,
        depth: Depth,
        child_depth: Depth,
        window: Window,
        candidate: &Candidate<MoveOf<E>>,
    ) -> Result<Score, Stopped> {
        let params = self.params();
        let child = node.ply.next();
        let null_window = window.null_at_alpha();
        let mut score = Score::LOWEST;
        if candidate.number > 1 && depth.plies() >= params.lmr_depth && !self.full_width {
            let reduction = self.late_move_reduction(node, depth, candidate);
            let reduced_depth = Depth(
                (child_depth.plies() - reduction / PLY_PARTS).clamp(1, child_depth.plies().max(1))
                    as i16,
            );
            score =
                -self.negamax::<NonPv>(next, reduced_depth, child, null_window.flipped(), true)?;
            if score > window.alpha && reduced_depth < child_depth {
                // The re-search depth depends on how good the reduced score was.
                let deeper = i16::from(score > window.alpha + params.lmr_deeper);
                let shallower = i16::from(score < window.alpha + params.lmr_shallower);
                let again = child_depth + Depth(deeper - shallower);
                if again > reduced_depth {
                    score = -self.negamax::<NonPv>(
                        next,
                        again,
                        child,
                        null_window.flipped(),
                        !node.cut_node,
                    )?;
                }
            }
        } else if candidate.number > 1 || !N::IS_PV {
            score = -self.negamax::<NonPv>(
                next,
                child_depth,
                child,
                null_window.flipped(),
                !node.cut_node,
            )?;
        }
        if N::IS_PV && (candidate.number == 1 || score > window.alpha) {
            self.path.clear_line(child);
            score = -self.negamax::<Pv>(next, child_depth, child, window.flipped(), false)?;
        }
        Ok(score)
    }

    /// Late move reduction (LMR), in 1024ths of a ply.
    fn late_move_reduction(
        &self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        candidate: &Candidate<MoveOf<E>>,
    ) -> i32 {
        let params = self.params();
        let (base, slope) = if candidate.is_quiet {
            (params.lmr_base, params.lmr_slope)
        } else {
            (params.lmr_noisy_base, params.lmr_noisy_slope)
        };
        let mut reduction_parts = reduction(depth.plies(), candidate.number, base, slope);
        reduction_parts -= candidate.history * PLY_PARTS / params.lmr_history;
        let next = &self.path.stack[node.ply.next()];
        let mut add =
            |condition: bool, parts: i32| reduction_parts += if condition { parts } else { 0 };
        add(node.tt_pv, -params.lmr_pv);
        add(node.cut_node, params.lmr_cut_node);
        add(!node.improving, params.lmr_not_improving);
        add(next.must_respond, -params.lmr_check);
        add(next.cutoffs > 3, params.lmr_cutoffs);
        add(node.tt_move_is_noisy, params.lmr_noisy_tt_move);
        reduction_parts.max(0)
    }

    #[inline]
    pub fn corrected(&self, raw: Score, index: &CorrectionIndices) -> Score {
        raw + self.histories.correction(index, self.params())
    }

    /// Updates the histories after a beta cutoff: the best move gains, those tried before it lose.
    fn update_histories(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        best: MoveOf<E>,
        tried_quiet: &[MoveOf<E>],
        tried_noisy: &[MoveOf<E>],
    ) {
        let Node { position, before, .. } = *node;
        let params = self.params();
        let bonus = (params.history_bonus_slope * depth.plies() - params.history_bonus_offset)
            .clamp(0, params.history_bonus_max);
        let malus = -bonus * params.history_malus / 128;
        let histories = &mut self.histories;
        if position.is_noisy(best) {
            histories.update_noisy(position, best, bonus);
        } else {
            histories.update_quiet(position, best, &before, bonus);
            for &mv in tried_quiet {
                histories.update_quiet(position, mv, &before, malus);
            }
        }
        for &mv in tried_noisy {
            histories.update_noisy(position, mv, malus);
        }
    }

    /// Updates the correction history, unless a capture or a bound explains the difference.
    fn update_correction(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        score: Score,
        best_move: Option<MoveOf<E>>,
        original: Window,
    ) {
        let evaluation = self.path.stack[node.ply].evaluation;
        let Some((evaluation, index)) = evaluation.zip(node.correction) else { return };
        let says_nothing = match original.bound_of(score) {
            Bound::Lower => score <= evaluation,
            Bound::Upper => score >= evaluation,
            Bound::Exact => false,
        };
        if says_nothing || score.is_mate() || best_move.is_some_and(|mv| node.position.is_noisy(mv))
        {
            return;
        }
        self.histories.update_correction(&index, depth.plies(), score, evaluation);
    }

    fn tt_store(
        &self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        score: Score,
        best_move: Option<MoveOf<E>>,
        original: Window,
    ) {
        let entry = TtEntry {
            mv: best_move.map_or(PackedMove::NONE, |mv| node.position.pack(mv)),
            score,
            bound: original.bound_of(score),
            depth,
            evaluation: node.raw_evaluation,
            tt_pv: node.tt_pv,
        };
        self.tt.store(node.position, node.ply, entry);
    }

    /// Stores an evaluation, which is expensive, in the transposition table. Its score is a lower
    /// bound, since a side that need not respond can stand pat.
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

const TABLE_SIZE: usize = 64;

/// `ln depth × ln number` in 1024ths of a ply.
static LOGARITHMS: Lazy<Vec<[i32; TABLE_SIZE]>> = Lazy::new(|| {
    let ln = |number: usize| (number.max(1) as f64).ln();
    (0..TABLE_SIZE)
        .map(|depth| {
            std::array::from_fn(|number| (ln(depth) * ln(number) * f64::from(PLY_PARTS)) as i32)
        })
        .collect()
});

/// The reduction by depth and move number, in 1024ths of a ply, in Stockfish's form: `base + slope
/// · ln depth · ln number`.
#[inline]
fn reduction(depth: i32, number: usize, base: i32, slope: i32) -> i32 {
    let depth = (depth.max(0) as usize).min(TABLE_SIZE - 1);
    base + slope * LOGARITHMS[depth][number.min(TABLE_SIZE - 1)] / PLY_PARTS
}
