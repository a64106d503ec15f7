//! Distances in plies: from the root, and the remaining search depth.

use derive_more::{Add, Display, From, Sub};
use serde::{Deserialize, Serialize};

/// Plies from the root.
///
/// ```
/// use qirkat::Ply;
///
/// assert_eq!(Ply::ROOT.next().next(), Ply(2));
/// ```
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Default,
    Debug,
    Hash,
    Display,
    Serialize,
    Deserialize,
)]
pub struct Ply(pub u16);

/// Plies still to be searched: the remaining depth of a node or the depth of an iteration.
///
/// ```
/// use qirkat::Depth;
///
/// assert_eq!(Depth::from(12), Depth(10) + Depth(2));
/// assert_eq!(Depth(12).to_string(), "12");
/// ```
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Default,
    Debug,
    Hash,
    Display,
    Add,
    Sub,
    From,
    Serialize,
    Deserialize,
)]
pub struct Depth(pub i16);

/// The maximum distance from the root.
pub const MAX_PLY: u16 = 128;

impl Ply {
    pub const ROOT: Ply = Ply(0);

    #[inline]
    #[must_use]
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Depth {
    /// The deepest iteration.
    pub const MAX: Depth = Depth(MAX_PLY as i16 - 1);

    /// This many plies, clamped to 1..=[`Depth::MAX`].
    pub const fn saturating(plies: i64) -> Depth {
        if plies < 1 {
            Depth(1)
        } else if plies > Depth::MAX.0 as i64 {
            Depth::MAX
        } else {
            Depth(plies as i16)
        }
    }

    /// The number of plies, for arithmetic with margins.
    #[inline]
    pub const fn plies(self) -> i32 {
        self.0 as i32
    }
}
