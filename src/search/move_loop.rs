//! The move loop of a node: one move after the other is picked, pruned or
//! searched, and its score compared with the best.

use arrayvec::ArrayVec;

use super::counters::Stopped;
use super::moves::{Candidate, Extension};
use super::node::{Node, NodeKind, score_without_moves};
use super::picker::MovePicker;
use super::update::NodeResult;
use super::window::Window;
use super::worker::Worker;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Searchable};

/// Moves of a node that are remembered as tried in vain.
const MAX_TRIED: usize = 64;
type Tried<M> = ArrayVec<M, MAX_TRIED>;

/// How far the moves of a node have been tried.
struct Progress<M> {
    result: NodeResult<M>,
    window: Window,
    /// Moves looked at so far.
    number: usize,
    /// Whether a weaker player does not see some of them.
    overlooks_some: bool,
    /// Quiet moves tried in vain.
    quiet: Tried<M>,
    /// Captures and promotions tried in vain.
    noisy: Tried<M>,
}

impl<M: Copy + Eq> Progress<M> {
    fn new(window: Window) -> Progress<M> {
        Progress {
            result: NodeResult { score: Score::LOWEST, best_move: None },
            window,
            number: 0,
            overlooks_some: false,
            quiet: Tried::new(),
            noisy: Tried::new(),
        }
    }

    /// Notes a move's score. Returns whether it has raised alpha.
    #[inline]
    fn note(&mut self, candidate: &Candidate<M>, score: Score) -> bool {
        let mv = candidate.mv;
        let mut raises_alpha = false;
        if score > self.result.score {
            self.result.score = score;
            if score > self.window.alpha {
                self.result.best_move = Some(mv);
                self.window.alpha = score;
                raises_alpha = true;
                if score >= self.window.beta {
                    return true;
                }
            }
        }
        if self.result.best_move != Some(mv) {
            let tried = if candidate.is_quiet { &mut self.quiet } else { &mut self.noisy };
            // The list may be full; what comes that late matters little.
            let _ = tried.try_push(mv);
        }
        raises_alpha
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Searches the moves of a node. `depth` is what is left of the depth.
    /// A singular search can settle the node at once (multi-cut).
    pub fn try_moves<N: NodeKind>(
        &mut self,
        node: &Node<'_, E::Game>,
        depth: Depth,
        original: Window,
    ) -> Result<Score, Stopped> {
        let Node { position, ply, .. } = *node;
        let excluded = self.path.stack[ply].excluded;
        let mut progress = Progress::new(original);
        let mut picker = MovePicker::new(node.moves_start, node.tt_move, true, 0);
        while let Some(mv) = self.next_move(&mut picker, position, &node.before) {
            if Some(mv) == excluded
                || (N::IS_ROOT && !self.root.moves.is_wanted(mv, self.root.rank))
            {
                continue;
            }
            if !N::IS_ROOT && self.overlooks(position, mv) {
                progress.overlooks_some = true;
                continue;
            }
            progress.number += 1;
            if N::IS_ROOT && self.index == 0 {
                self.task.control.note_root_move(progress.number, position.pack(mv));
            }
            let candidate = self.candidate(node, mv, progress.number);
            let window = progress.window;
            let best = progress.result.score;
            if !N::IS_ROOT
                && !self.full_width
                && !best.is_loss()
                && !window.alpha.is_win()
                && !window.alpha.is_table()
                && best > Score::LOWEST
                && self.prune_move(node, depth, window, &candidate, &mut picker)
            {
                continue;
            }
            let extension = match self.extension::<N>(node, depth, window, mv)? {
                Extension::By(plies) => Depth(plies),
                Extension::Cut(score) => return Ok(score),
            };

            let nodes_before = self.counters.nodes;
            let below = depth - Depth(1) + extension;
            let score = self.descend(position, ply, mv, |worker, next| {
                worker.search_move::<N>(node, next, depth, below, window, &candidate)
            })?;
            if N::IS_ROOT {
                self.note_root_move(mv, score, window, candidate.number == 1, nodes_before);
            }
            if progress.note(&candidate, score) {
                if N::IS_PV && !N::IS_ROOT {
                    self.path.principal.extend(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        if progress.number == 0 {
            return Ok(match excluded {
                Some(_) => original.alpha,
                // There are moves, though none is seen.
                None if progress.overlooks_some => node.estimate,
                None => score_without_moves(position, ply),
            });
        }
        let result = &progress.result;
        if let Some(mv) = result.best_move
            && result.score >= original.beta
        {
            self.path.stack[ply].cutoffs += 1;
            self.update_histories(node, depth, mv, &progress.quiet, &progress.noisy);
        }
        // The score of some moves alone is not the score of the position.
        let all_moves =
            excluded.is_none() && !(N::IS_ROOT && self.root.moves.some_left_out(self.root.rank));
        if all_moves {
            self.tt_store(node, depth, result, original);
            self.update_correction(node, depth, result, original);
        }
        Ok(result.score)
    }
}
