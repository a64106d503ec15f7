//! The errors of positions and moves in writing, in any game.

use thiserror::Error;

use crate::{alquerque, chesquerque, masonic};

/// Why a FEN is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnyFenError {
    /// Of Chesquerque.
    #[error(transparent)]
    Chesquerque(#[from] chesquerque::FenError),
    /// Of Masonic chess.
    #[error(transparent)]
    Masonic(#[from] masonic::FenError),
    /// Of Alquerque.
    #[error(transparent)]
    Alquerque(#[from] alquerque::FenError),
}

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnyMoveTextError {
    /// In Chesquerque.
    #[error(transparent)]
    Chesquerque(#[from] chesquerque::MoveTextError),
    /// In Masonic chess.
    #[error(transparent)]
    Masonic(#[from] masonic::MoveTextError),
    /// In Alquerque.
    #[error(transparent)]
    Alquerque(#[from] alquerque::MoveTextError),
}
