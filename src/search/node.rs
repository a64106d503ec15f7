//! Nodes of the tree: their kinds, as types, so that what holds at a kind of
//! node is known at compile time, and the facts about one before its moves
//! are tried.

use super::correction::CorrectionIndex;
use super::history::MovesBefore;
use super::tt_entry::TtEntry;
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Searchable, Terminal};

pub(super) trait NodeKind {
    /// Whether the window is open: only there are lines kept and table scores
    /// not believed, so that the lines are whole.
    const IS_PV: bool;
    /// Whether it is the root.
    const IS_ROOT: bool;
}

/// Where the search starts.
pub(super) struct Root;
/// On what may become the principal variation.
pub(super) struct Pv;
/// Everywhere else: only asked whether it beats a score.
pub(super) struct NonPv;

impl NodeKind for Root {
    const IS_PV: bool = true;
    const IS_ROOT: bool = true;
}

impl NodeKind for Pv {
    const IS_PV: bool = true;
    const IS_ROOT: bool = false;
}

impl NodeKind for NonPv {
    const IS_PV: bool = false;
    const IS_ROOT: bool = false;
}

/// A node, and what is known of it before its moves are tried.
pub(super) struct Node<'p, G: Searchable> {
    pub position: &'p G,
    pub ply: Ply,
    pub tt_entry: Option<TtEntry>,
    pub tt_move: Option<G::Move>,
    pub tt_move_is_noisy: bool,
    /// The static evaluation as it is, not corrected, as the transposition table keeps it.
    pub raw_evaluation: Option<Score>,
    /// The best guess at the score: the corrected evaluation, or the
    /// score of the transposition table where that says more. A loss where the side to move must respond
    /// to a threat, since nothing is known.
    pub estimate: Score,
    /// Where the evaluation's correction is kept, if it was evaluated.
    pub correction: Option<CorrectionIndex>,
    pub improving: bool,
    /// Whether the node is, or once was, on a principal variation.
    pub tt_pv: bool,
    /// Whether it is expected to reach beta.
    pub cut_node: bool,
    pub before: MovesBefore,
    /// Where its moves begin on the stack of moves.
    pub moves_start: usize,
}

/// The score of a position without legal moves, `ply` plies from the root.
pub(super) fn score_without_moves<G: Searchable>(position: &G, ply: Ply) -> Score {
    match position.without_moves() {
        Terminal::Lost => Score::mated_at(ply),
        Terminal::Drawn => Score::DRAW,
    }
}
