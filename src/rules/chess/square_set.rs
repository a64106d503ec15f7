//! Sets of squares, and the macro that writes the bitboards of one game.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares, one bit each, `a1` lowest.
pub trait SquareSet<S>:
    Copy
    + Eq
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + FromIterator<S>
    + IntoIterator<Item = S>
    + 'static
{
    /// The empty set.
    const EMPTY: Self;
    /// The whole board.
    const ALL: Self;

    /// The set that holds this square alone.
    fn of(square: S) -> Self;

    /// The squares of a rank counted from 0.
    fn rank(rank: u8) -> Self;

    /// The set with these bits, which must be squares.
    fn from_bits(bits: u128) -> Self;

    /// A bit for each square.
    fn bits(self) -> u128;

    /// Whether a square is in the set.
    fn contains(self, square: S) -> bool;

    /// The number of squares in the set.
    fn len(self) -> u32;

    /// Whether any square is in the set.
    fn any(self) -> bool;

    /// Whether no square is in the set.
    #[inline]
    fn is_empty(self) -> bool {
        !self.any()
    }

    /// Whether the set holds more than one square.
    fn more_than_one(self) -> bool;

    /// The lowest square of the set ("least significant bit").
    fn lsb(self) -> Option<S>;
}

/// Writes a game's bitboard and the iterator over its squares. The set of a single square is
/// the square's own method `bit`, which the game writes: whether a shift or a look-up is
/// quicker depends on the width.
#[doc(hidden)]
#[macro_export]
macro_rules! bitboards {
    (
        $(#[$doc:meta])*
        $bitboard:ident($bits:ty) of $square:ident, $name:literal
        $(#[$iterator_doc:meta])*
        $squares:ident
    ) => {
        $crate::bitboard_operators! {
            $(#[$doc])*
            $bitboard($bits) of $square
            $(#[$iterator_doc])*
            $squares
        }

        impl $bitboard {
            /// The empty set.
            pub const EMPTY: $bitboard = $bitboard(0);
            /// The whole board.
            pub const ALL: $bitboard =
                $bitboard(<$bits>::MAX >> (<$bits>::BITS as usize - $square::COUNT));

            /// The squares of file `a`.
            const FILE_A: $bits = {
                let mut bits = 0;
                let mut rank = 0;
                while rank < $square::RANKS {
                    bits |= 1 << (rank * $square::FILES);
                    rank += 1;
                }
                bits
            };

            #[doc = concat!("Each ", $name, " of a rank counted from 0.")]
            #[inline]
            pub const fn rank(rank: u8) -> $bitboard {
                $bitboard(((1 << $square::FILES) - 1) << (rank * $square::FILES))
            }

            #[doc = concat!("Each ", $name, " of a file counted from 0.")]
            #[inline]
            pub const fn file(file: u8) -> $bitboard {
                $bitboard(Self::FILE_A << file)
            }

            #[doc = concat!("Whether no ", $name, " is in the set.")]
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            #[doc = concat!("Whether any ", $name, " is in the set.")]
            #[inline]
            pub const fn any(self) -> bool {
                self.0 != 0
            }

            /// The size of the set.
            #[inline]
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }

            #[doc = concat!("Whether the set holds more than one ", $name, ".")]
            #[inline]
            pub const fn more_than_one(self) -> bool {
                self.0 & self.0.wrapping_sub(1) != 0
            }

            #[doc = concat!("Whether a ", $name, " is in the set.")]
            #[inline]
            pub fn contains(self, square: $square) -> bool {
                (self & square.bit()).any()
            }

            #[doc = concat!("The lowest ", $name, " of the set (\"least significant bit\").")]
            #[inline]
            pub const fn lsb(self) -> Option<$square> {
                // A full word has no index but that of the empty set to be told apart.
                if <$bits>::BITS as usize == $square::COUNT && self.0 == 0 {
                    return None;
                }
                $square::from_index(self.0.trailing_zeros() as usize)
            }

            #[doc = concat!("The set with one ", $name, " more, in constants too.")]
            #[must_use]
            pub const fn with(self, square: $square) -> $bitboard {
                $bitboard(self.0 | 1 << square.index())
            }
        }

        impl $crate::chess::SquareSet<$square> for $bitboard {
            const EMPTY: $bitboard = $bitboard::EMPTY;
            const ALL: $bitboard = $bitboard::ALL;

            #[inline]
            fn of(square: $square) -> $bitboard {
                square.bit()
            }

            #[inline]
            fn rank(rank: u8) -> $bitboard {
                $bitboard::rank(rank)
            }

            #[inline]
            fn from_bits(bits: u128) -> $bitboard {
                $bitboard(bits as $bits)
            }

            #[inline]
            fn bits(self) -> u128 {
                self.0.into()
            }

            #[inline]
            fn contains(self, square: $square) -> bool {
                self.contains(square)
            }

            #[inline]
            fn len(self) -> u32 {
                self.len()
            }

            #[inline]
            fn any(self) -> bool {
                self.any()
            }

            #[inline]
            fn more_than_one(self) -> bool {
                self.more_than_one()
            }

            #[inline]
            fn lsb(self) -> Option<$square> {
                self.lsb()
            }
        }
    };
}
