//! Why a command was not carried out.

use thiserror::Error;

use super::cecp_clock::ClockError;
use crate::option_error::OptionError;
use qirkat_engine::HashError;
use qirkat_game::text::Excerpt;

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
