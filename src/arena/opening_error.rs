//! Errors of opening books.

use thiserror::Error;

use super::opening_tally::OpeningTally;
use crate::epd::EpdError;
use crate::search::{ResourceError, TableMemoryError};

/// Why there are no openings, or no more.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The positions cannot be read.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A game cannot be read.
    #[error("{path}: {error}")]
    Pgn {
        /// The file.
        path: String,
        /// What is wrong.
        error: String,
    },
    /// There is nothing in the file.
    #[error("{0}: no opening in it")]
    Empty(String),
    /// The machine gives no thread for the search that weighs openings.
    #[error(transparent)]
    Engine(#[from] ResourceError),
    /// The machine gives no memory for it.
    #[error(transparent)]
    Table(#[from] TableMemoryError),
    /// Random moves hardly ever lead to such openings.
    #[error("no opening of {plies} plies found: {tally}")]
    NoneFound {
        /// How long it was to be.
        plies: usize,
        /// What was wrong with those tried.
        tally: OpeningTally,
    },
}
