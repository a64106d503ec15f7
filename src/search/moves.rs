//! How each move of a node is searched: which are pruned, which are extended
//! or reduced.

use once_cell::sync::Lazy;

use super::counters::Stopped;
use super::node::{Node, NodeKind, NonPv, Pv};
use super::picker::MovePicker;
use super::tt_entry::Bound;
use super::window::Window;
use super::worker::{MoveOf, Worker};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Searchable};

/// A move about to be tried.
pub(super) struct Candidate<M> {
    pub mv: M,
    /// Its place in the order, from 1.
    pub number: usize,
    pub is_quiet: bool,
    pub history: i32,
}

/// How much deeper a move is to be searched.
pub(super) enum Extension {
    /// By this many plies, or less deep if it is negative.
    By(i16),
    /// Not at all: other moves reach beta too.
    Cut(Score),
}

impl<E: Evaluate> Worker<'_, E> {
    /// A move with what is known of it before it is tried.
    #[inline]
    pub fn candidate(
        &self,
        node: &Node<'_, E::Game>,
        mv: MoveOf<E>,
        number: usize,
    ) -> Candidate<MoveOf<E>> {
        let position = node.position;
        let is_quiet = !position.is_noisy(mv);
        let moves = &self.histories.moves;
        let history = if is_quiet {
            moves.quiet(position, mv, &node.before)
        } else {
            moves.noisy(position, mv)
        };
        Candidate { mv, number, is_quiet, history }
    }

    /// Whether a move is not worth searching.
    pub fn prune_move(
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
            // SEE pruning: a capture that loses more than the depth can make good.
            return plies <= params.see_pruning_depth
                && picker.is_at_bad_noisy()
                && !position.see_ge(candidate.mv, -params.see_noisy_slope * plies);
        }
        // Late move pruning (LMP): after this many moves of no use there is none. This
        // one is the last.
        let most = params.late_move_base + params.late_move_slope * plies * plies / 16;
        let most = if node.improving { most } else { most / 2 };
        if plies <= params.late_move_depth && candidate.number as i32 > most {
            picker.skip_quiet();
        }
        let reduced = reduction(plies, candidate.number, params.lmr_base, params.lmr_slope)
            - candidate.history * PLY_PARTS / params.lmr_history;
        let left = (plies - reduced / PLY_PARTS).max(0);
        // Futility pruning: a quiet move will not lift a score this far below alpha.
        if left <= params.futility_depth
            && let Some(evaluation) = self.path.stack[ply].evaluation
            && evaluation + params.futility_base + params.futility_slope * left <= window.alpha
            && !position.gives_check(candidate.mv)
        {
            picker.skip_quiet();
            return true;
        }
        // History pruning: a quiet move that has failed nearly always.
        if left <= params.history_pruning_depth
            && candidate.history < -params.history_pruning_slope * left.max(1)
        {
            return true;
        }
        // SEE pruning of a quiet move that would be captured.
        plies <= params.see_pruning_depth
            && !position.see_ge(candidate.mv, -params.see_quiet_slope * left * left)
    }

    /// How much deeper a move is searched: the move of the table by how singular it
    /// is, every move where the side to move must respond (check extension).
    #[inline]
    pub fn extension<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
        mv: MoveOf<E>,
    ) -> Result<Extension, Stopped> {
        let mut plies = 0;
        if !N::IS_ROOT && Some(mv) == node.tt_move && node.ply.0 < 2 * self.root.depth.0 as u16 {
            match self.singularity::<N>(node, depth, window)? {
                Extension::By(by) => plies = by,
                cut @ Extension::Cut(_) => return Ok(cut),
            }
        }
        if self.path.stack[node.ply].must_respond && self.params().check_extension > 0 {
            plies = plies.max(1);
        }
        Ok(Extension::By(plies))
    }

    /// Singular extension (SE): the move of the table is searched deeper if without it
    /// all others fall clearly behind (T. Anantharaman, M. Campbell, F. Hsu,
    /// "Singular Extensions", 1990; in Stockfish's form).
    fn singularity<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        window: Window,
    ) -> Result<Extension, Stopped> {
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
            return Ok(Extension::By(0));
        };
        let singular_beta = entry.score - params.singular_margin * plies / 64;
        let half = Depth(((plies - 1) / 2) as i16);
        let null_window = Window::below(singular_beta);
        self.path.stack[ply].excluded = node.tt_move;
        let result = self.negamax::<NonPv>(position, half, ply, null_window, node.cut_node);
        self.path.stack[ply].excluded = None;
        let score = result?;
        Ok(if score < singular_beta {
            let far_behind = !N::IS_PV && score < singular_beta - params.double_extension;
            Extension::By(if far_behind { 2 } else { 1 })
        } else if score >= window.beta && !score.is_mate() {
            // Multi-cut: another move reaches beta as well.
            Extension::Cut(score)
        } else if entry.score >= window.beta {
            Extension::By(-2)
        } else if node.cut_node {
            Extension::By(-1)
        } else {
            Extension::By(0)
        })
    }

    /// Principal variation search (PVS): the first move gets the whole window, the
    /// others must first prove better with a null window, late ones at less
    /// depth. `depth` is that of this node, `below` that of the `next`.
    pub fn search_move<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        next: &E::Game,
        depth: Depth,
        below: Depth,
        window: Window,
        candidate: &Candidate<MoveOf<E>>,
    ) -> Result<Score, Stopped> {
        let params = self.params();
        let child = node.ply.next();
        let null_window = window.null();
        let mut score = Score::LOWEST;
        if candidate.number > 1 && depth.plies() >= params.lmr_depth && !self.full_width {
            let less = self.late_move_reduction(node, depth, candidate);
            let reduced =
                Depth((below.plies() - less / PLY_PARTS).clamp(1, below.plies().max(1)) as i16);
            score = -self.negamax::<NonPv>(next, reduced, child, null_window.flipped(), true)?;
            if score > window.alpha && reduced < below {
                // A move that turned out well is looked at more closely.
                let deeper = i16::from(score > window.alpha + params.lmr_deeper);
                let shallower = i16::from(score < window.alpha + params.lmr_shallower);
                let again = below + Depth(deeper - shallower);
                if again > reduced {
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
                below,
                child,
                null_window.flipped(),
                !node.cut_node,
            )?;
        }
        if N::IS_PV && (candidate.number == 1 || score > window.alpha) {
            self.path.principal.clear(child);
            score = -self.negamax::<Pv>(next, below, child, window.flipped(), false)?;
        }
        Ok(score)
    }

    /// Late move reduction (LMR): how much less deep a move is searched, in parts of a ply.
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
        let mut less = reduction(depth.plies(), candidate.number, base, slope);
        less -= candidate.history * PLY_PARTS / params.lmr_history;
        let next = &self.path.stack[node.ply.next()];
        let mut add = |condition: bool, parts: i32| less += if condition { parts } else { 0 };
        add(node.tt_pv, -params.lmr_pv);
        add(node.cut_node, params.lmr_cut_node);
        add(!node.improving, params.lmr_not_improving);
        add(next.must_respond, -params.lmr_check);
        add(next.cutoffs > 3, params.lmr_cutoffs);
        add(node.tt_move_is_noisy, params.lmr_noisy_table_move);
        less.max(0)
    }
}

/// Plies and reductions are counted in this many parts.
pub(super) const PLY_PARTS: i32 = 1024;

const SIZE: usize = 64;

/// `ln depth × ln number` in parts of a ply.
static LOGARITHMS: Lazy<Vec<[i32; SIZE]>> = Lazy::new(|| {
    let ln = |number: usize| (number.max(1) as f64).ln();
    (0..SIZE)
        .map(|depth| {
            std::array::from_fn(|number| (ln(depth) * ln(number) * f64::from(PLY_PARTS)) as i32)
        })
        .collect()
});

/// The reduction of a move by its depth and number, in parts of a ply: the
/// form is Stockfish's, `base + slope · ln depth · ln number`.
#[inline]
fn reduction(depth: i32, number: usize, base: i32, slope: i32) -> i32 {
    let depth = (depth.max(0) as usize).min(SIZE - 1);
    base + slope * LOGARITHMS[depth][number.min(SIZE - 1)] / PLY_PARTS
}
