//! Why a problem cannot be looked at.

use thiserror::Error;

use qirkat_rules::variant::Variant;

/// Why a problem cannot be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ProblemError {
    /// The game has no mate.
    #[error("{} has no mate, so there are no problems to solve in it", .0.title())]
    NoMate(Variant),
}
