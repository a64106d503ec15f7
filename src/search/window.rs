//! The alpha-beta window.

use super::tt_entry::Bound;
use qirkat_game::score::Score;

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

    /// Null window: is the score above alpha?
    #[inline]
    #[must_use]
    pub fn null(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha.just_above() }
    }

    /// Null window: does the score reach beta?
    #[inline]
    #[must_use]
    pub fn below(beta: Score) -> Window {
        Window { alpha: beta.just_below(), beta }
    }

    /// The bound that a score found with this window is of the true one.
    #[inline]
    pub fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}
