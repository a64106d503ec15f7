//! Errors of moves: why one was not made.

use thiserror::Error;

use qirkat_rules::chesquerque::MoveTextError;

/// Why a move from outside was not made.
#[derive(Debug, Error)]
pub(super) enum MoveError {
    #[error("it is the engine's turn")]
    NotYourTurn,
    #[error(transparent)]
    Text(#[from] MoveTextError),
}
