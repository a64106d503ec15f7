//! Kinds of nodes, as types: what holds at a kind of node is known at compile
//! time.

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
