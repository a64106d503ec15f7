//! Why a conversation fails.

use std::io;

use thiserror::Error;

use qirkat_search::ResourceError;

/// Why a conversation could not start, or ended early.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Memory or threads that the engine needs are not available.
    #[error(transparent)]
    Resources(#[from] ResourceError),
    /// The thread that reads cannot be started.
    #[error("cannot start the input thread: {0}")]
    InputThread(io::Error),
    /// Writing failed, for another reason than a closed output.
    #[error("nothing can be written: {0}")]
    OutputLost(io::Error),
}
