//! Tapered evaluation: values that change from the middle game to the endgame.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A value for the middle game and one for the endgame, in centipawns, packed
/// into one number so that a single addition adds both (T. Tarsia's trick, as
/// in Stockfish).
///
/// ```
/// use qirkat_evaluation::Tapered;
///
/// let value = Tapered::new(80, 120) * 2;
/// // Halfway between middle game and endgame.
/// assert_eq!(value.at(19, 38), 200);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tapered(i32);

impl Tapered {
    /// Neither gain nor loss.
    pub const ZERO: Tapered = Tapered(0);

    /// From the values for the middle game and for the endgame.
    pub const fn new(middle_game: i32, endgame: i32) -> Tapered {
        Tapered((endgame << 16) + middle_game)
    }

    /// The sum, in constants too.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }

    /// The value while all pieces are on the board.
    #[inline]
    pub const fn middle_game(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value when only kings and pawns are left.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // The borrow of the lower half is given back by rounding.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// Interpolates between the two: `phase` is `whole` in the middle game and 0 in
    /// the endgame.
    #[inline]
    pub const fn at(self, phase: i32, whole: i32) -> i32 {
        (self.middle_game() * phase + self.endgame() * (whole - phase)) / whole
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, count: i32) -> Tapered {
        Tapered(self.0 * count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_are_kept_apart() {
        for (middle_game, endgame) in [(0, 0), (5, -7), (-5, 7), (-1, -1), (3000, -2999)] {
            let value = Tapered::new(middle_game, endgame);
            assert_eq!((value.middle_game(), value.endgame()), (middle_game, endgame));
            let more = value * 3 + Tapered::new(-4, 6) - Tapered::new(2, -1);
            assert_eq!(more.middle_game(), 3 * middle_game - 6);
            assert_eq!(more.endgame(), 3 * endgame + 7);
        }
        assert_eq!(Tapered::new(100, 20).at(1, 4), 40);
    }
}
