//! Trying the moves of a node: which are skipped, which are searched less or
//! more deeply, and what is learned from them.

use arrayvec::ArrayVec;

use super::node::{Node, NodeKind, NonPv, Pv};
use super::picker::MovePicker;
use super::reduction::{PLY_PARTS, reduction};
use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{Bound, Depth, Score};
use crate::evaluation::EXCHANGE_VALUES;
use crate::position::{Move, Position};

/// Moves of a node that are remembered as tried in vain.
const MOST_TRIED: usize = 64;
type Tried = ArrayVec<Move, MOST_TRIED>;

/// A move about to be tried.
struct Candidate {
    mv: Move,
    /// Its place in the order, from 1.
    number: usize,
    is_quiet: bool,
    history: i32,
}

/// How a move at the head of the table's order is to be searched.
enum Singularity {
    /// So many plies deeper, or less deep.
    Extend(i16),
    /// Not at all: other moves reach beta too.
    Cut(Score),
}

impl Worker<'_> {
    /// Searches the moves of a node. `depth` is what is left of the depth.
    pub fn try_moves<N: NodeKind>(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        let Node { position, ply, .. } = *node;
        let in_check = self.stack[ply].in_check;
        let excluded = self.stack[ply].excluded;
        let asked = window;
        let mut best = Score::LOWEST;
        let mut best_move = None;
        let mut number = 0;
        let mut quiet = Tried::new();
        let mut noisy = Tried::new();
        let mut picker = MovePicker::all(node.table_move);
        while let Some(mv) = picker.next(position, &self.memory.moves, &node.before) {
            if Some(mv) == excluded || (N::IS_ROOT && !self.root.is_wanted(mv, self.root_rank)) {
                continue;
            }
            number += 1;
            if N::IS_ROOT && self.index == 0 {
                self.task.control.note_root_move(number, mv);
            }
            let is_quiet = !position.is_noisy(mv);
            let history = if is_quiet {
                self.memory.moves.quiet(position, mv, &node.before)
            } else {
                self.memory.moves.noisy(position, mv)
            };
            let candidate = Candidate { mv, number, is_quiet, history };
            if !N::IS_ROOT
                && !self.full_width
                && !best.is_loss()
                && !window.alpha.is_win()
                && best > Score::LOWEST
                && self.skip_move(node, depth, window, &candidate, &mut picker)
            {
                continue;
            }
            let extension = if !N::IS_ROOT
                && Some(mv) == node.table_move
                && ply.0 < 2 * self.root_depth.0 as u16
            {
                match self.singularity::<N>(node, depth, window)? {
                    Singularity::Extend(plies) => Depth(plies),
                    Singularity::Cut(score) => return Ok(score),
                }
            } else {
                Depth(0)
            };
            let extension = if in_check && self.tunables().check_extension > 0 {
                extension.max(Depth(1))
            } else {
                extension
            };

            let nodes_before = self.nodes;
            let next = self.enter(position, ply, mv);
            let below = depth - Depth(1) + extension;
            let score = self.search_move::<N>(node, &next, depth, below, window, &candidate)?;
            self.history.pop();

            if N::IS_ROOT {
                self.note_root_move(mv, score, window, number == 1, nodes_before);
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if N::IS_PV && !N::IS_ROOT {
                        self.principal.extend(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
            if Some(mv) != best_move {
                let tried = if is_quiet { &mut quiet } else { &mut noisy };
                // The list may be full; what comes that late matters little.
                let _ = tried.try_push(mv);
            }
        }
        if number == 0 {
            return Ok(match excluded {
                Some(_) => window.alpha,
                None => Self::score_without_moves(in_check, ply),
            });
        }
        if let Some(mv) = best_move
            && best >= window.beta
        {
            self.stack[ply].cutoffs += 1;
            self.learn_order(node, depth, mv, &quiet, &noisy);
        }
        // What some moves alone are worth says nothing of the position.
        let all_moves =
            excluded.is_none() && !(N::IS_ROOT && self.root.some_left_out(self.root_rank));
        if all_moves {
            self.remember(node, depth, best, best_move, asked);
            self.learn_correction(node, depth, best, best_move, asked);
        }
        Ok(best)
    }

    /// The evaluation is corrected by what the search found, unless it was a
    /// capture that made the difference or the bound says nothing about it.
    fn learn_correction(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        best: Score,
        best_move: Option<Move>,
        asked: Window,
    ) {
        let Some((evaluation, places)) = self.stack[node.ply].evaluation.zip(node.places) else {
            return;
        };
        let says_nothing = match asked.bound_of(best) {
            Bound::Lower => best <= evaluation,
            Bound::Upper => best >= evaluation,
            Bound::Exact => false,
        };
        if says_nothing || best.is_mate() || best_move.is_some_and(|mv| node.position.is_noisy(mv))
        {
            return;
        }
        self.memory.corrections.learn(&places, depth.plies(), best, evaluation);
    }

    /// Whether a move is not worth searching.
    fn skip_move(
        &self,
        node: &Node<'_>,
        depth: Depth,
        window: Window,
        candidate: &Candidate,
        picker: &mut MovePicker,
    ) -> bool {
        let Node { position, ply, .. } = *node;
        let numbers = self.tunables();
        let plies = depth.plies();
        if !candidate.is_quiet {
            // A capture that loses more than the depth can make good.
            return plies <= numbers.see_pruning_depth
                && picker.is_at_bad_noisy()
                && !position.exchange_wins(
                    candidate.mv,
                    -numbers.see_noisy_slope * plies,
                    &EXCHANGE_VALUES,
                );
        }
        // Late move pruning: after so many moves of no use there is none. This
        // one is the last.
        let most = numbers.late_move_base + numbers.late_move_slope * plies * plies / 16;
        let most = if node.improving { most } else { most / 2 };
        if plies <= numbers.late_move_depth && candidate.number as i32 > most {
            picker.skip_quiet();
        }
        let reduced = reduction(plies, candidate.number, numbers.lmr_base, numbers.lmr_slope)
            - candidate.history * PLY_PARTS / numbers.lmr_history;
        let left = (plies - reduced / PLY_PARTS).max(0);
        // Futility: a quiet move will not lift a score this far below alpha.
        if left <= numbers.futility_depth
            && let Some(evaluation) = self.stack[ply].evaluation
            && evaluation + numbers.futility_base + numbers.futility_slope * left <= window.alpha
            && !position.gives_check(candidate.mv)
        {
            picker.skip_quiet();
            return true;
        }
        if left <= numbers.history_pruning_depth
            && candidate.history < -numbers.history_pruning_slope * left.max(1)
        {
            return true;
        }
        plies <= numbers.see_pruning_depth
            && !position.exchange_wins(
                candidate.mv,
                -numbers.see_quiet_slope * left * left,
                &EXCHANGE_VALUES,
            )
    }

    /// Singular extension: the table's move is searched deeper if without it
    /// all others fall clearly behind (T. Anantharaman, M. Campbell, F. Hsu,
    /// "Singular Extensions", 1990; in Stockfish's form).
    fn singularity<N: NodeKind>(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        window: Window,
    ) -> Result<Singularity, Stopped> {
        let Node { position, ply, .. } = *node;
        let numbers = self.tunables();
        let plies = depth.plies();
        let Some(entry) = node.known.filter(|entry| {
            plies >= numbers.singular_depth
                && !self.full_width
                && entry.bound != Bound::Upper
                && !entry.score.is_mate()
                && entry.depth >= depth - Depth(3)
        }) else {
            return Ok(Singularity::Extend(0));
        };
        let bar = entry.score - numbers.singular_margin * plies / 64;
        let half = Depth(((plies - 1) / 2) as i16);
        let null_window = Window::below(bar);
        self.stack[ply].excluded = node.table_move;
        let result = self.negamax::<NonPv>(position, half, ply, null_window, node.cut_node);
        self.stack[ply].excluded = None;
        let score = result?;
        Ok(if score < bar {
            let far_behind = !N::IS_PV && score < bar - numbers.double_extension;
            Singularity::Extend(if far_behind { 2 } else { 1 })
        } else if score >= window.beta && !score.is_mate() {
            // Multi-cut: another move reaches beta as well.
            Singularity::Cut(score)
        } else if entry.score >= window.beta {
            Singularity::Extend(-2)
        } else if node.cut_node {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        })
    }

    /// Principal variation search: the first move gets the whole window, the
    /// others must first prove better with a null window, late ones at less
    /// depth. `depth` is that of this node, `below` that of the `next`.
    fn search_move<N: NodeKind>(
        &mut self,
        node: &Node<'_>,
        next: &Position,
        depth: Depth,
        below: Depth,
        window: Window,
        candidate: &Candidate,
    ) -> Result<Score, Stopped> {
        let numbers = self.tunables();
        let child = node.ply.next();
        let null_window = window.null();
        let mut score = Score::LOWEST;
        if candidate.number > 1 && depth.plies() >= numbers.lmr_depth && !self.full_width {
            let less = self.late_move_reduction(node, depth, candidate);
            let reduced =
                Depth((below.plies() - less / PLY_PARTS).clamp(1, below.plies().max(1)) as i16);
            score = -self.negamax::<NonPv>(next, reduced, child, null_window.flipped(), true)?;
            if score > window.alpha && reduced < below {
                // What turned out well is looked at more closely.
                let deeper = i16::from(score > window.alpha + numbers.lmr_deeper);
                let shallower = i16::from(score < window.alpha + numbers.lmr_shallower);
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
            self.principal.clear(child);
            score = -self.negamax::<Pv>(next, below, child, window.flipped(), false)?;
        }
        Ok(score)
    }

    /// How much less deep a late move is searched, in parts of a ply.
    fn late_move_reduction(&self, node: &Node<'_>, depth: Depth, candidate: &Candidate) -> i32 {
        let numbers = self.tunables();
        let (base, slope) = if candidate.is_quiet {
            (numbers.lmr_base, numbers.lmr_slope)
        } else {
            (numbers.lmr_noisy_base, numbers.lmr_noisy_slope)
        };
        let mut less = reduction(depth.plies(), candidate.number, base, slope);
        less -= candidate.history * PLY_PARTS / numbers.lmr_history;
        let next = &self.stack[node.ply.next()];
        let mut add = |condition: bool, parts: i32| less += if condition { parts } else { 0 };
        add(node.was_pv, -numbers.lmr_pv);
        add(node.cut_node, numbers.lmr_cut_node);
        add(!node.improving, numbers.lmr_not_improving);
        add(next.in_check, -numbers.lmr_check);
        add(next.cutoffs > 3, numbers.lmr_cutoffs);
        add(node.table_move_is_noisy, numbers.lmr_noisy_table_move);
        less.max(0)
    }
}
