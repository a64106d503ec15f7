//! Nodes of the tree: their kinds, as types, so that what holds at a kind of
//! node is known at compile time, and what is known of one at sight.

use super::correction::CorrectionPlaces;
use super::history::MovesBefore;
use super::{Ply, Score, TableEntry};
use crate::position::{Move, Position};

/// A kind of node.
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
pub(super) struct Node<'p> {
    pub position: &'p Position,
    pub ply: Ply,
    pub known: Option<TableEntry>,
    pub table_move: Option<Move>,
    pub table_move_is_noisy: bool,
    /// The evaluation as it is, not corrected: what goes into the table.
    pub raw_evaluation: Option<Score>,
    /// The best guess at the score: the corrected evaluation, or the table's
    /// score where that says more. A loss in check, since nothing is known.
    pub estimate: Score,
    /// Where the evaluation's correction is kept, if it was evaluated.
    pub places: Option<CorrectionPlaces>,
    pub improving: bool,
    /// Whether the node is, or once was, on a principal variation.
    pub was_pv: bool,
    /// Whether it is expected to reach beta.
    pub cut_node: bool,
    pub before: MovesBefore,
}
