//! What can be wrong with a whole conversation.

use std::io;

use thiserror::Error;

use crate::search::ResourceError;

/// Why a conversation could not be held, or not to its end.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The machine does not give what the engine needs.
    #[error(transparent)]
    Resources(#[from] ResourceError),
    /// The thread that reads cannot be started.
    #[error("cannot start the input thread: {0}")]
    InputThread(io::Error),
    /// The output took nothing more, for another reason than that nobody reads
    /// it.
    #[error("nothing can be written: {0}")]
    OutputLost(io::Error),
}
