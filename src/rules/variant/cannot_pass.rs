//! The error of a pass that is not possible.

use thiserror::Error;

/// Why the side to move cannot pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CannotPass {
    /// Its king is attacked.
    #[error("the side to move is in check")]
    InCheck,
    /// There would be no move to answer with.
    #[error("the other side has no legal move")]
    NoReply,
}
