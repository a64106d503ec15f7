//! The alpha-beta search: what is done at each node before and after its
//! moves are tried.

use super::correction::CorrectionPlaces;
use super::history::Arrival;
use super::node::{Node, NodeKind, NonPv};
use super::picker::MovePicker;
use super::quiescence::Capturing;
use super::reduction::PLY_PARTS;
use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{Bound, Depth, Ply, Score, TableEntry};
use crate::distance::MAX_PLY;
use crate::position::{Move, PieceKind, Position};

impl Worker<'_> {
    /// The score of a position searched `depth` plies deep, exact within the
    /// window and a bound outside. `cut_node` says that it is expected to
    /// reach beta.
    pub fn negamax<N: NodeKind>(
        &mut self,
        position: &Position,
        mut depth: Depth,
        ply: Ply,
        mut window: Window,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        if depth <= Depth(0) {
            return self.quiescence::<N>(position, ply, window, Capturing::START);
        }
        self.count_node(ply)?;
        if N::IS_PV {
            self.principal.clear(ply);
        }
        let in_check = self.stack[ply].in_check;
        let excluded = self.stack[ply].excluded;
        if !N::IS_ROOT {
            if self.is_draw(position, ply) {
                return Ok(Score::DRAW);
            }
            if ply.0 >= MAX_PLY - 1 {
                return Ok(if in_check { Score::DRAW } else { self.evaluate(position, ply) });
            }
            // Mate distance pruning: no line from here is better than mate at
            // the next ply or worse than being mated here.
            window.alpha = window.alpha.max(Score::mated_at(ply));
            window.beta = window.beta.min(Score::mating_at(ply.next()));
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
        }

        let known = match excluded {
            None => self.probe(position, ply),
            Some(_) => None,
        };
        if !N::IS_PV
            && let Some(entry) = known
            && entry.depth >= depth
            && entry.decides(window)
        {
            return Ok(entry.score);
        }
        let node = self.look_at::<N>(position, ply, known, cut_node);
        self.stack.after(ply, 2).cutoffs = 0;

        if !N::IS_PV
            && !in_check
            && excluded.is_none()
            && !self.full_width
            && let Some(score) = self.prune_node(&node, depth, window)?
        {
            return Ok(score);
        }
        // Internal iterative reduction: without a table move the order is poor
        // and the time better spent once the table knows more (E. Schröder).
        if (N::IS_PV || cut_node)
            && excluded.is_none()
            && !self.full_width
            && node.table_move.is_none()
            && depth.plies() >= self.tunables().iir_depth
        {
            depth = depth - Depth(1);
        }
        self.try_moves::<N>(&node, depth, window)
    }

    /// What can be known of a node at sight.
    fn look_at<'p, N: NodeKind>(
        &mut self,
        position: &'p Position,
        ply: Ply,
        known: Option<TableEntry>,
        cut_node: bool,
    ) -> Node<'p> {
        let before = self.stack.moves_before(ply);
        let table_move = if N::IS_ROOT {
            Some(self.root.first_move(self.root_rank))
        } else {
            known.and_then(|entry| entry.mv)
        };
        let mut node = Node {
            position,
            ply,
            known,
            table_move,
            table_move_is_noisy: table_move.is_some_and(|mv| position.is_noisy(mv)),
            raw_evaluation: None,
            estimate: Score::mated_at(ply),
            places: None,
            improving: false,
            was_pv: N::IS_PV || known.is_some_and(|entry| entry.was_pv),
            cut_node,
            before,
        };
        if self.stack[ply].in_check {
            self.stack[ply].evaluation = None;
        } else if self.stack[ply].excluded.is_some() {
            // The same position has been judged a moment ago.
            node.estimate = self.stack[ply].evaluation.unwrap_or_default();
        } else {
            let places = CorrectionPlaces::of(position, before[0], before[1]);
            let raw = known.and_then(|entry| entry.evaluation);
            let raw = raw.unwrap_or_else(|| self.evaluate(position, ply));
            let corrected = self.corrected(raw, &places);
            if known.is_none() {
                self.keep_evaluation(position, ply, raw, corrected);
            }
            node.raw_evaluation = Some(raw);
            node.estimate = known.map_or(corrected, |entry| entry.refine(corrected));
            node.places = Some(places);
            self.stack[ply].evaluation = Some(corrected);
            node.improving = self.stack.is_improving(ply);
        }
        node
    }

    /// Ways to be done with a node without trying its moves.
    fn prune_node(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, ply, .. } = *node;
        let plies = depth.plies();
        let Window { alpha, beta } = window;
        let numbers = self.tunables();

        // Razoring: so far below that only captures could help, and they do
        // not (J. Birmingham, P. Kent, 1977).
        if plies <= numbers.razoring_depth
            && !alpha.is_mate()
            && node.estimate + numbers.razoring_margin * plies < alpha
        {
            let score = self.quiescence::<NonPv>(position, ply, window, Capturing::START)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        // Reverse futility: so far above that no reply will bring it down.
        let margin = numbers.reverse_futility_margin * plies
            - if node.improving { numbers.reverse_futility_improving } else { 0 };
        if plies <= numbers.reverse_futility_depth
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

    /// Null move: if the side to move is above beta even after passing, it
    /// will be with a move (C. Donninger, "Null Move and Deep Search", 1993).
    /// Not where having to move may be what loses: with nothing but pawns and
    /// minor pieces few, which win endings by zugzwang in this game.
    fn null_move(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, ply, .. } = *node;
        let numbers = self.tunables();
        let plies = depth.plies();
        let beta = window.beta;
        let static_bound = beta + numbers.null_move_offset - numbers.null_move_deficit * plies;
        if plies < numbers.null_move_depth
            || ply < self.null_move_from
            || node.before[0] == Arrival::NONE
            || beta.is_loss()
            || node.estimate < beta
            || self.stack[ply].evaluation.is_none_or(|evaluation| evaluation < static_bound)
            || !has_spare_moves(position)
        {
            return Ok(None);
        }
        let lead = (node.estimate - beta) * PLY_PARTS / numbers.null_move_margin;
        let reduction =
            numbers.null_move_base + numbers.null_move_slope * plies + lead.min(3 * PLY_PARTS);
        let below = Depth((plies - reduction / PLY_PARTS) as i16);
        let null_window = Window::below(beta);

        let next = position.play_null();
        self.stack[ply].arrival = Arrival::NONE;
        self.stack.after(ply, 1).in_check = false;
        self.history.push(position);
        let score =
            -self.negamax::<NonPv>(&next, below, ply.next(), null_window.flipped(), false)?;
        self.history.pop();
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not one.
        let score = if score.is_win() { beta } else { score };
        if plies < numbers.null_move_verification_depth || self.null_move_from > Ply::ROOT {
            return Ok(Some(score));
        }
        // Deep ones are verified, with null moves forbidden for a while.
        self.null_move_from = Ply(ply.0 + 3 * below.0.max(0) as u16 / 4);
        let verified = self.negamax::<NonPv>(position, below, ply, null_window, false)?;
        self.null_move_from = Ply::ROOT;
        Ok((verified >= beta).then_some(score))
    }

    /// ProbCut: a capture that holds far above beta at a lower depth will hold
    /// above beta at this one (M. Buro, 1995).
    fn probcut(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, ply, .. } = *node;
        let numbers = self.tunables();
        let raised = window.beta + numbers.probcut_margin;
        let reduced = depth - Depth(4);
        if depth.plies() < numbers.probcut_depth
            || window.beta.is_mate()
            || node
                .known
                .is_some_and(|entry| entry.depth >= depth - Depth(3) && entry.score < raised)
        {
            return Ok(None);
        }
        let needed = raised - self.stack[ply].evaluation.unwrap_or_default();
        let mut picker = MovePicker::winning(node.table_move, needed);
        let null_window = Window::below(raised);
        while let Some(mv) = picker.next(position, &self.memory.moves, &node.before) {
            if picker.is_at_bad_noisy() {
                break;
            }
            let next = self.enter(position, ply, mv);
            let mut score = -self.quiescence::<NonPv>(
                &next,
                ply.next(),
                null_window.flipped(),
                Capturing::START,
            )?;
            if score >= raised && reduced > Depth(0) {
                score = -self.negamax::<NonPv>(
                    &next,
                    reduced,
                    ply.next(),
                    null_window.flipped(),
                    !node.cut_node,
                )?;
            }
            self.history.pop();
            if score >= raised {
                self.remember(node, depth - Depth(3), score, Some(mv), null_window);
                let is_proved = score.is_win();
                return Ok(Some(if is_proved { score } else { score - numbers.probcut_margin }));
            }
        }
        Ok(None)
    }

    /// What all searched moves have taught about their order.
    pub fn learn_order(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        best: Move,
        quiet: &[Move],
        noisy: &[Move],
    ) {
        let Node { position, before, .. } = node;
        let numbers = self.tunables();
        let bonus = (numbers.history_bonus_slope * depth.plies() - numbers.history_bonus_offset)
            .clamp(0, numbers.history_bonus_max);
        let malus = -bonus * numbers.history_malus / 128;
        let moves = &mut self.memory.moves;
        if position.is_noisy(best) {
            moves.learn_noisy(position, best, bonus);
        } else {
            moves.learn_quiet(position, best, before, bonus);
            for &mv in quiet {
                moves.learn_quiet(position, mv, before, malus);
            }
        }
        for &mv in noisy {
            moves.learn_noisy(position, mv, malus);
        }
    }

    /// Keeps what the search of a node found in the table.
    pub fn remember(
        &self,
        node: &Node<'_>,
        depth: Depth,
        score: Score,
        mv: Option<Move>,
        window: Window,
    ) {
        let entry = TableEntry {
            mv,
            score,
            bound: window.bound_of(score),
            depth,
            evaluation: node.raw_evaluation,
            was_pv: node.was_pv,
        };
        self.store(node.position, node.ply, entry);
    }
}

/// Whether the side to move has pieces enough that it will not be short of a
/// harmless move.
fn has_spare_moves(position: &Position) -> bool {
    let own = position.of_color(position.side_to_move());
    let minor = own & (position.of_kind(PieceKind::Knight) | position.of_kind(PieceKind::Bishop));
    let heavy = own
        & (position.of_kind(PieceKind::Rook)
            | position.of_kind(PieceKind::Archbishop)
            | position.of_kind(PieceKind::Queen));
    heavy.any() || minor.several()
}

impl TableEntry {
    /// Whether the kept score settles the question that the window asks.
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
