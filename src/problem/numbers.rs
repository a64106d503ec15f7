//! Proof and disproof numbers.

/// More than any number.
pub(super) const INFINITE: u32 = 1 << 23;

/// How many positions at least have to be decided: for the side to move to get its way, and
/// for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub own: u32,
    pub other: u32,
}

impl Numbers {
    /// The limits of a search that goes on until its position is decided.
    pub const MOST: Numbers = Numbers { own: INFINITE, other: INFINITE };

    /// Those of a position that is decided.
    pub const fn decided(for_mover: bool) -> Numbers {
        if for_mover {
            Numbers { own: 0, other: INFINITE }
        } else {
            Numbers { own: INFINITE, other: 0 }
        }
    }

    /// Whether the position is decided.
    pub const fn is_decided(self) -> bool {
        self.own == 0 || self.other == 0
    }
}
