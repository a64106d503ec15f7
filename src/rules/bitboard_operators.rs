//! Set operations and iteration, which bitboards of every size have in common. Operators
//! of a type can only be given to it one by one, so a macro writes them.

/// The operators of a bitboard that is a tuple of its bits and has `EMPTY`, `ALL`, `len`
/// and `lsb`, and the iterator over its squares.
#[doc(hidden)]
#[macro_export]
macro_rules! bitboard_operators {
    ($bitboard:ident($bits:ty), $square:ident, $(#[$doc:meta])* $squares:ident) => {
        impl std::ops::BitAnd for $bitboard {
            type Output = $bitboard;
            #[inline]
            fn bitand(self, other: $bitboard) -> $bitboard {
                $bitboard(self.0 & other.0)
            }
        }

        impl std::ops::BitOr for $bitboard {
            type Output = $bitboard;
            #[inline]
            fn bitor(self, other: $bitboard) -> $bitboard {
                $bitboard(self.0 | other.0)
            }
        }

        impl std::ops::BitXor for $bitboard {
            type Output = $bitboard;
            #[inline]
            fn bitxor(self, other: $bitboard) -> $bitboard {
                $bitboard(self.0 ^ other.0)
            }
        }

        /// The squares of the board that are not in the set.
        impl std::ops::Not for $bitboard {
            type Output = $bitboard;
            #[inline]
            fn not(self) -> $bitboard {
                $bitboard(!self.0 & Self::ALL.0)
            }
        }

        impl std::ops::BitAndAssign for $bitboard {
            #[inline]
            fn bitand_assign(&mut self, other: $bitboard) {
                self.0 &= other.0;
            }
        }

        impl std::ops::BitOrAssign for $bitboard {
            #[inline]
            fn bitor_assign(&mut self, other: $bitboard) {
                self.0 |= other.0;
            }
        }

        impl std::ops::BitXorAssign for $bitboard {
            #[inline]
            fn bitxor_assign(&mut self, other: $bitboard) {
                self.0 ^= other.0;
            }
        }

        impl FromIterator<$square> for $bitboard {
            fn from_iter<I: IntoIterator<Item = $square>>(squares: I) -> $bitboard {
                squares.into_iter().fold($bitboard::EMPTY, |set, square| set | square.bit())
            }
        }

        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $squares($bits);

        impl Iterator for $squares {
            type Item = $square;

            #[inline]
            fn next(&mut self) -> Option<$square> {
                let square = $bitboard(self.0).lsb()?;
                self.0 &= self.0.wrapping_sub(1);
                Some(square)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let len = $bitboard(self.0).len() as usize;
                (len, Some(len))
            }
        }

        impl IntoIterator for $bitboard {
            type Item = $square;
            type IntoIter = $squares;

            #[inline]
            fn into_iter(self) -> $squares {
                $squares(self.0)
            }
        }

        /// The set of its squares.
        impl std::fmt::Debug for $bitboard {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(*self).finish()
            }
        }
    };
}
