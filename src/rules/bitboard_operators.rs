//! What bitboards of every size have in common: the tuple of bits, set operations and
//! iteration. A type is only given them one by one, so a macro writes them.

/// Writes a bitboard, a tuple of its bits, with its operators, and the iterator over its
/// squares. `EMPTY`, `ALL`, `len` and `lsb` it has of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! bitboard_operators {
    (
        $(#[$doc:meta])*
        $bitboard:ident($bits:ty) of $square:ident
        $(#[$iterator_doc:meta])*
        $squares:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
        #[derive(derive_more::BitAnd, derive_more::BitOr, derive_more::BitXor)]
        #[derive(derive_more::BitAndAssign, derive_more::BitOrAssign, derive_more::BitXorAssign)]
        pub struct $bitboard($bits);

        /// The squares of the board that are not in the set.
        impl std::ops::Not for $bitboard {
            type Output = $bitboard;
            #[inline]
            fn not(self) -> $bitboard {
                $bitboard(!self.0 & Self::ALL.0)
            }
        }

        impl FromIterator<$square> for $bitboard {
            fn from_iter<I: IntoIterator<Item = $square>>(squares: I) -> $bitboard {
                squares.into_iter().fold($bitboard::EMPTY, |set, square| set | square.bit())
            }
        }

        $(#[$iterator_doc])*
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
