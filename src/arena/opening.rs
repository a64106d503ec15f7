//! An opening: where one game begins.

use crate::variant::{AnyMove, AnyPosition};

/// A position to begin from, and moves that are made for the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position.
    pub start: AnyPosition,
    /// The moves.
    pub moves: Vec<AnyMove>,
}
