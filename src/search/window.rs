//! The alpha-beta window.

use super::Score;

/// The scores that still matter: above what one side has for certain, below
/// what the other will not allow.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// Every score matters.
    pub const FULL: Window = Window { alpha: Score::LOWEST, beta: Score::INFINITE };

    /// The same window from the other side.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Only asks whether a score is above alpha.
    #[inline]
    #[must_use]
    pub fn null(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha.just_above() }
    }
}
