//! How far: from the root, and still to go.

use std::ops::{Add, Sub};

/// Plies from the root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Ply(pub u16);

/// Plies still to be searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Depth(pub i16);

/// No line is searched further than this from the root.
pub const MAX_PLY: u16 = 128;

impl Ply {
    /// The root.
    pub const ROOT: Ply = Ply(0);

    /// One ply further from the root.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// The ply's place in tables by ply.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Depth {
    /// The deepest iteration.
    pub const MAX: Depth = Depth(MAX_PLY as i16 - 1);

    /// This many plies, but at least 1 and at most [`Depth::MAX`].
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

impl Add for Depth {
    type Output = Depth;
    #[inline]
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;
    #[inline]
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}
