//! The alpha-beta search: the work at each node before its moves are
//! tried.

use super::correction::CorrectionIndex;
use super::counters::Stopped;
use super::history::PieceTo;
use super::moves::PLY_PARTS;
use super::node::{Node, NodeKind, NonPv};
use super::picker::MovePicker;
use super::quiescence::QsearchState;
use super::tt_entry::{Bound, TtEntry};
use super::update::NodeResult;
use super::window::Window;
use super::worker::Worker;
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Searchable};

impl<E: Evaluate> Worker<'_, E> {
    /// The score of a position searched `depth` plies deep, exact within the
    /// window and a bound outside. `cut_node` says that it is expected to
    /// reach beta.
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
            self.path.principal.clear(ply);
        }
        let must_respond = self.path.stack[ply].must_respond;
        let excluded = self.path.stack[ply].excluded;
        if !N::IS_ROOT {
            if let Some(score) = self.settled_score(position, ply) {
                return Ok(score);
            }
            if ply.0 >= MAX_PLY - 1 {
                return Ok(if must_respond { Score::DRAW } else { self.evaluate(position, ply) });
            }
            // Mate distance pruning (MDP): no line from here is better than mate at
            // the next ply or worse than being mated here.
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
            && entry.decides(window)
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
        if excluded.is_none() && !self.full_width {
            depth = self.depth_without_tt_move::<N>(&node, depth);
        }
        self.try_moves::<N>(&node, depth, window)
    }

    /// The score of a position that needs no search: a draw, or one that the
    /// tablebase knows.
    #[inline]
    pub(super) fn settled_score(&self, position: &E::Game, ply: Ply) -> Option<Score> {
        if self.path.is_draw(position, ply) {
            return Some(Score::DRAW);
        }
        self.known_score(position, ply)
    }

    /// Internal iterative reduction (IIR): without a move of the table the order is poor
    /// and the time better spent once the table knows more (E. Schröder).
    #[inline]
    fn depth_without_tt_move<N: NodeKind>(&self, node: &Node<'_, E::Game>, depth: Depth) -> Depth {
        let expects_much = N::IS_PV || node.cut_node;
        let is_deep = depth.plies() >= self.params().iir_depth;
        if expects_much && node.tt_move.is_none() && is_deep { depth - Depth(1) } else { depth }
    }

    /// The facts about a node before its moves are tried.
    fn describe_node<'p, N: NodeKind>(
        &mut self,
        position: &'p E::Game,
        ply: Ply,
        tt_entry: Option<TtEntry>,
        cut_node: bool,
    ) -> Node<'p, E::Game> {
        let before = self.path.stack.moves_before(ply);
        let tt_move = if N::IS_ROOT {
            Some(self.root.moves.first_move(self.root.rank))
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
            // The same position has been evaluated a moment ago.
            node.estimate = self.path.stack[ply].evaluation.unwrap_or_default();
        } else {
            let index = CorrectionIndex::of(position, before[0], before[1]);
            let raw = tt_entry.and_then(|entry| entry.evaluation);
            let raw = raw.unwrap_or_else(|| self.evaluate(position, ply));
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

    /// Ways to be done with a node without trying its moves.
    fn prune_node(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, ply, .. } = *node;
        let plies = depth.plies();
        let Window { alpha, beta } = window;
        // Where the tablebase has found a win or a loss, only a mate counts more, and
        // no estimate foretells one.
        if alpha.is_table() || beta.is_table() {
            return Ok(None);
        }
        let params = self.params();

        // Razoring: so far below that only captures could help, and they do
        // not (J. Birmingham, P. Kent, 1977).
        if plies <= params.razoring_depth
            && !alpha.is_mate()
            && node.estimate + params.razoring_margin * plies < alpha
        {
            let score = self.quiescence::<NonPv>(position, ply, window, QsearchState::START)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        // Reverse futility pruning (RFP): so far above that no reply will bring it down.
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

    /// Null move pruning (NMP): if the side to move is above beta even after passing, it
    /// will be with a move (C. Donninger, "Null Move and Deep Search", 1993).
    /// The game says where there is none, as where having to move may be what
    /// loses.
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
        let below = Depth((plies - reduction / PLY_PARTS) as i16);
        let null_window = Window::below(beta);

        let score = -self.descend_to(position, ply, PieceTo::NONE, &next, |worker, next| {
            worker.negamax::<NonPv>(next, below, ply.next(), null_window.flipped(), false)
        })?;
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not one.
        let score = if score.is_win() { beta } else { score };
        if plies < params.null_move_verification_depth || self.path.null_move_from > Ply::ROOT {
            return Ok(Some(score));
        }
        // Deep ones are verified, with null moves forbidden for a while.
        self.path.null_move_from = Ply(ply.0 + 3 * below.0.max(0) as u16 / 4);
        let verified = self.negamax::<NonPv>(position, below, ply, null_window, false);
        self.path.null_move_from = Ply::ROOT;
        Ok((verified? >= beta).then_some(score))
    }

    /// ProbCut: a capture that holds far above beta at a lower depth will hold
    /// above beta at this one (M. Buro, 1995).
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
        let reduced = depth - Depth(4);
        let null_window = Window::below(raised);
        let flipped = null_window.flipped();
        let mut picker = MovePicker::new(node.moves_start, node.tt_move, false, needed);
        while let Some(mv) = self.next_move(&mut picker, position, &node.before) {
            if picker.is_at_bad_noisy() {
                break;
            }
            if self.overlooks(position, mv) {
                continue;
            }
            let score = -self.descend(position, ply, mv, |worker, next| {
                let below = ply.next();
                let score =
                    worker.quiescence::<NonPv>(next, below, flipped, QsearchState::START)?;
                if -score < raised || reduced <= Depth(0) {
                    return Ok(score);
                }
                worker.negamax::<NonPv>(next, reduced, below, flipped, !node.cut_node)
            })?;
            if score >= raised {
                let result = NodeResult { score, best_move: Some(mv) };
                self.tt_store(node, depth - Depth(3), &result, null_window);
                let is_proved = score.is_win();
                let margin = self.params().probcut_margin;
                return Ok(Some(if is_proved { score } else { score - margin }));
            }
        }
        Ok(None)
    }
}

impl TtEntry {
    /// Whether the kept score decides the window, so that the node is cut off.
    pub(super) fn decides(&self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }

    /// The kept score in place of an evaluation that it contradicts.
    pub(super) fn refine(&self, evaluation: Score) -> Score {
        let says_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > evaluation,
            Bound::Upper => self.score < evaluation,
        };
        if says_more { self.score } else { evaluation }
    }
}
