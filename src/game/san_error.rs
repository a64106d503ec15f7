//! What can be wrong with a move in algebraic notation.

use thiserror::Error;

use crate::text::Excerpt;

/// Why a SAN text is not a move here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    /// The text does not have the form of a move.
    #[error("`{0}` is not a move in algebraic notation")]
    Malformed(Excerpt),
    /// No legal move is written so.
    #[error("`{0}` is not a legal move here")]
    Illegal(Excerpt),
    /// Several legal moves could be meant.
    #[error("`{0}` could mean several moves")]
    Ambiguous(Excerpt),
}
