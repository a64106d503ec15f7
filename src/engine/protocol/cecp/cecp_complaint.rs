//! Why a command was not carried out, or a move not made.

use thiserror::Error;

use super::cecp_clock::ClockError;
use crate::HashError;
use crate::protocol::option_table::OptionError;
use qirkat_game::text::Excerpt;
use qirkat_rules::chesquerque::MoveTextError;

/// Why a command was not carried out.
#[derive(Debug, Error)]
pub(super) enum Complaint {
    #[error("unknown command")]
    UnknownCommand,
    #[error("use setboard instead")]
    Edit,
    #[error("which move?")]
    NoMove,
    #[error("`{0}` is not a depth")]
    NotADepth(Excerpt),
    #[error("`{0}` is not played here: it is chesquerque")]
    Variant(Excerpt),
    #[error("no move to take back")]
    NothingToTakeBack,
    #[error("`{0}` is not a point")]
    NotAPoint(Excerpt),
    #[error("`{0}` is not a legal move")]
    NotAMove(Excerpt),
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Hash(#[from] HashError),
}

/// Why a move from outside was not made.
#[derive(Debug, Error)]
pub(super) enum MoveError {
    #[error("it is the engine's turn")]
    NotYourTurn,
    #[error(transparent)]
    Text(#[from] MoveTextError),
}
