//! A point or cell of any board.

use derive_more::Display;

/// A point or cell of any board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[display("{}{}", char::from(b'a' + self.file), self.rank + 1)]
pub struct Place {
    /// File, 0 for `a`.
    pub file: u8,
    /// Rank, 0 for rank 1.
    pub rank: u8,
}

impl Place {
    /// Chebyshev distance: a king's steps on an orthodox board.
    #[inline]
    pub fn distance(self, other: Place) -> u8 {
        self.file.abs_diff(other.file).max(self.rank.abs_diff(other.rank))
    }
}
