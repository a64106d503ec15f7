//! What can be wrong with a move in algebraic notation.

use thiserror::Error;

use crate::text::Excerpt;

/// Why a text in standard algebraic notation (SAN) is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    /// The text does not have the form of a move.
    #[error("`{0}` is not a move in algebraic notation")]
    Malformed(Excerpt),
    /// It is the notation of no legal move.
    #[error("`{0}` is not a legal move here")]
    Illegal(Excerpt),
    /// Several legal moves could be meant.
    #[error("`{0}` could mean several moves")]
    Ambiguous(Excerpt),
}
