//! Proof and disproof numbers (L. V. Allis, M. van der Meulen, H. J. van den Herik,
//! "Proof-number search", 1994), as a depth-first search uses them.

/// More than any number.
pub(super) const INFINITE: u32 = 1 << 30;

/// Proof and disproof numbers: how many positions at least have to be decided for the side to
/// move to get its way, and for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// For the side to move.
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

    pub const fn is_decided(self) -> bool {
        self.own == 0 || self.other == 0
    }

    /// Whether one of them has reached its limit.
    pub const fn reaches(self, limit: Numbers) -> bool {
        self.own >= limit.own || self.other >= limit.other
    }

    /// The numbers of a position by those of its branches: one has to be won for the mover,
    /// all for the other side. Without branches the mover has lost.
    pub fn sum_up(branches: impl Iterator<Item = Numbers>) -> Numbers {
        let (mut own, mut other) = (INFINITE, 0_u32);
        for branch in branches {
            own = own.min(branch.other);
            other = other.saturating_add(branch.own);
        }
        match own {
            0 => Numbers::decided(true),
            INFINITE => Numbers::decided(false),
            // However large a sum is, it decides nothing.
            _ => Numbers { own, other: other.min(INFINITE - 1) },
        }
    }

    /// The limits for the branch that is looked at next, in a position with these numbers and
    /// this limit. `second` is how near the next best branch is. It may be passed by a quarter,
    /// so that the search does not leap to and fro (J. Pawlewicz, Ł. Lew, "Improving depth-first
    /// PN-search: 1+ε trick", 2006).
    pub fn limit_of_branch(self, branch: Numbers, limit: Numbers, second: u32) -> Numbers {
        let rest = limit.other - (self.other - branch.own).min(limit.other);
        Numbers {
            own: if limit.other == INFINITE { INFINITE } else { rest },
            other: limit.own.min(second.saturating_add(second / 4 + 1)),
        }
    }

    /// The branch nearest to being won for the mover, by [`Numbers::other`] of each, and how near
    /// the next one is.
    pub fn nearest(branches: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
        let (mut best, mut second) = (None, INFINITE);
        for (at, other) in branches.enumerate() {
            match best {
                Some((_, least)) if other >= least => second = second.min(other),
                Some((_, least)) => {
                    second = least;
                    best = Some((at, other));
                }
                None => best = Some((at, other)),
            }
        }
        best.map(|(at, _)| (at, second))
    }

    /// In so many bits: exact up to half of them, and a little less beyond.
    pub(super) const fn pack(self) -> u64 {
        packed(self.own) | packed(self.other) << NUMBER_BITS
    }

    pub(super) const fn unpack(bits: u64) -> Numbers {
        Numbers { own: unpacked(bits), other: unpacked(bits >> NUMBER_BITS) }
    }
}

/// Bits of a packed number: digits, and by how many places they are moved up.
const NUMBER_BITS: u32 = DIGITS + 5;
const DIGITS: u32 = 19;

const fn packed(number: u32) -> u64 {
    let places = (u32::BITS - number.leading_zeros()).saturating_sub(DIGITS);
    (number >> places) as u64 | (places as u64) << DIGITS
}

const fn unpacked(bits: u64) -> u32 {
    let digits = (bits & ((1 << DIGITS) - 1)) as u32;
    digits << (bits >> DIGITS & 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_decide_the_same() {
        for number in (0..1 << 19).step_by(17).chain([(1 << 19) - 1, 1 << 25, INFINITE]) {
            let numbers = Numbers { own: number, other: INFINITE - number };
            assert_eq!(Numbers::unpack(numbers.pack()).own, number);
        }
        let most = Numbers { own: INFINITE - 1, other: INFINITE };
        let again = Numbers::unpack(most.pack());
        assert!(again.own < INFINITE && again.own > INFINITE / 10 * 9);
        assert_eq!(again.other, INFINITE);
    }

    #[test]
    fn large_sums_decide_nothing() {
        let branch = Numbers { own: INFINITE - 1, other: 7 };
        let sum = Numbers::sum_up([branch; 9].into_iter());
        assert_eq!(sum, Numbers { own: 7, other: INFINITE - 1 });
        assert_eq!(Numbers::sum_up([].into_iter()), Numbers::decided(false));
    }
}
