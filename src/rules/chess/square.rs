//! Squares of a board and sets of them, and the macros that declare a game's own: compile-time
//! tables need `const` functions, which traits cannot have.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::variant::Place;

/// A square of a board: a point of Chesquerque, a cell of Masonic chess. Squares are numbered along
/// the ranks: `a1` is 0, `b1` is 1.
pub trait Square: Copy + Ord + Hash + Debug + Display + Send + Sync + 'static {
    const FILES: u8;
    const RANKS: u8;
    const COUNT: usize = Self::FILES as usize * Self::RANKS as usize;
    /// The game's name for a square.
    const NAME: &'static str;
    /// The expected text of a move, for errors.
    const A_MOVE: &'static str;

    /// The square on `file` and `rank`, both counted from 0.
    ///
    /// # Panics
    /// When either is off the board.
    fn new(file: u8, rank: u8) -> Self;

    fn from_index(index: usize) -> Option<Self>;

    fn index(self) -> usize;

    /// File, 0 for `a`.
    #[inline]
    fn file(self) -> u8 {
        (self.index() % usize::from(Self::FILES)) as u8
    }

    /// Rank, 0 for rank 1.
    #[inline]
    fn rank(self) -> u8 {
        (self.index() / usize::from(Self::FILES)) as u8
    }

    /// Chebyshev distance: the greater of the distances in files and ranks.
    #[inline]
    fn distance(self, other: Self) -> u8 {
        Place::from(self).distance(other.into())
    }

    /// The file with this letter, counted from 0.
    fn read_file(letter: u8) -> Option<u8> {
        letter.checked_sub(b'a').filter(|&file| file < Self::FILES)
    }

    /// The rank with this digit, counted from 0.
    fn read_rank(digit: u8) -> Option<u8> {
        digit.checked_sub(b'1').filter(|&rank| rank < Self::RANKS)
    }

    /// The square named by a file letter and a rank digit.
    fn from_bytes(file: u8, rank: u8) -> Option<Self> {
        Some(Self::new(Self::read_file(file)?, Self::read_rank(rank)?))
    }

    /// The letter of a file counted from 0.
    fn file_letter(file: u8) -> char {
        char::from(b'a' + file)
    }
}

impl<S: Square> From<S> for Place {
    #[inline]
    fn from(square: S) -> Place {
        Place { file: square.file(), rank: square.rank() }
    }
}

/// Declares a game's squares and the tables with one entry per square.
#[doc(hidden)]
#[macro_export]
macro_rules! squares {
    (
        $(#[$doc:meta])*
        $square:ident: $files:literal files, $ranks:literal ranks,
        $name:literal, $example:literal, moves $moves:literal
        $(#[$table_doc:meta])*
        $table:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(derive_more::Debug, derive_more::Display)]
        #[debug("{self}")]
        #[display("{}{}", char::from(b'a' + self.file()), self.rank() + 1)]
        pub struct $square(u8);

        impl $square {
            /// The number of files.
            pub const FILES: u8 = $files;
            /// The number of ranks.
            pub const RANKS: u8 = $ranks;
            pub const COUNT: usize = $files * $ranks;

            #[doc = concat!("The ", $name, " on `file` and `rank`, both counted from 0.")]
            ///
            /// # Panics
            /// When either is off the board; meant for constants and loops.
            pub const fn new(file: u8, rank: u8) -> $square {
                assert!(file < $files && rank < $ranks);
                $square(rank * $files + file)
            }

            #[doc = concat!("The ", $name, " with this index, if there is one.")]
            #[inline]
            pub const fn from_index(index: usize) -> Option<$square> {
                if index < $square::COUNT { Some($square(index as u8)) } else { None }
            }

            #[doc = concat!("Every ", $name, " of the board, `a1` first.")]
            pub fn all() -> impl DoubleEndedIterator<Item = $square> {
                (0..$square::COUNT as u8).map($square)
            }

            #[doc = concat!("The index of the ", $name, " in tables of the whole board.")]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            #[inline]
            pub const fn file(self) -> u8 {
                self.0 % $files
            }

            #[inline]
            pub const fn rank(self) -> u8 {
                self.0 / $files
            }

            #[doc = concat!("Parses a file letter and a rank digit, as in `", $example, "`.")]
            pub fn parse(text: &str) -> Option<$square> {
                let &[file, rank] = text.as_bytes() else { return None };
                $crate::chess::Square::from_bytes(file, rank)
            }
        }

        impl std::str::FromStr for $square {
            type Err = qirkat_game::ParseError;

            fn from_str(text: &str) -> Result<$square, Self::Err> {
                let expected = concat!("a ", $name, " such as `", $example, "`");
                $square::parse(text).ok_or_else(|| qirkat_game::ParseError::new(expected, text))
            }
        }

        impl $crate::chess::Square for $square {
            const FILES: u8 = $files;
            const RANKS: u8 = $ranks;
            const NAME: &'static str = $name;
            const A_MOVE: &'static str = concat!("a move such as ", $moves);

            #[inline]
            fn new(file: u8, rank: u8) -> $square {
                $square::new(file, rank)
            }

            #[inline]
            fn from_index(index: usize) -> Option<$square> {
                $square::from_index(index)
            }

            #[inline]
            fn index(self) -> usize {
                self.index()
            }
        }

        $(#[$table_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub struct $table<T>(pub [T; $square::COUNT]);

        impl<T> $table<T> {
            /// The index of a square in the table. It is always in range; where the remainder is a
            /// mask, the compiler knows that too.
            #[inline]
            const fn slot(square: $square) -> usize {
                if $square::COUNT.is_power_of_two() {
                    square.index() % $square::COUNT
                } else {
                    square.index()
                }
            }
        }

        impl<T> std::ops::Index<$square> for $table<T> {
            type Output = T;

            #[inline]
            fn index(&self, square: $square) -> &T {
                &self.0[Self::slot(square)]
            }
        }

        impl<T> std::ops::IndexMut<$square> for $table<T> {
            #[inline]
            fn index_mut(&mut self, square: $square) -> &mut T {
                &mut self.0[Self::slot(square)]
            }
        }
    };
}

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
    const EMPTY: Self;
    const ALL: Self;

    fn of(square: S) -> Self;

    /// The squares of a rank counted from 0.
    fn rank(rank: u8) -> Self;

    /// The set with these bits, which must be squares.
    fn from_bits(bits: u128) -> Self;

    fn bits(self) -> u128;

    #[inline]
    fn contains(self, square: S) -> bool {
        (self & Self::of(square)).any()
    }

    fn len(self) -> u32;

    #[inline]
    fn any(self) -> bool {
        self != Self::EMPTY
    }

    #[inline]
    fn is_empty(self) -> bool {
        !self.any()
    }

    fn more_than_one(self) -> bool;

    /// The lowest square of the set ("least significant bit").
    fn lsb(self) -> Option<S>;
}

/// Declares a game's bitboard and the iterator over its squares. The game itself defines `bit`, the
/// set of one square, since the width decides whether a shift or a look-up is faster, and `offset`,
/// the target of a step.
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
            pub const EMPTY: $bitboard = $bitboard(0);
            pub const ALL: $bitboard =
                $bitboard(<$bits>::MAX >> (<$bits>::BITS as usize - $square::COUNT));

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
                // A full word has no spare index for the empty set.
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

            /// The targets of single steps from a square, each given as its `offset`.
            pub(super) const fn steps(from: $square, steps: &[(i8, i8)]) -> $bitboard {
                let mut set = Self::EMPTY;
                let mut number = 0;
                while number < steps.len() {
                    if let Some(square) = from.offset(steps[number].0, steps[number].1) {
                        set = set.with(square);
                    }
                    number += 1;
                }
                set
            }

            /// The squares on rays from a square, one ray per step.
            pub(super) const fn rays(from: $square, steps: &[(i8, i8)]) -> $bitboard {
                let mut set = Self::EMPTY;
                let mut number = 0;
                while number < steps.len() {
                    let (files, ranks) = steps[number];
                    let mut next = from.offset(files, ranks);
                    while let Some(square) = next {
                        set = set.with(square);
                        next = square.offset(files, ranks);
                    }
                    number += 1;
                }
                set
            }

            /// Sets `row[to]`, for each square `to` on the rays from `from`, to the squares in between.
            pub(super) const fn set_between(
                row: &mut [$bitboard; $square::COUNT],
                from: $square,
                steps: &[(i8, i8)],
            ) {
                let mut number = 0;
                while number < steps.len() {
                    let (files, ranks) = steps[number];
                    let mut passed = Self::EMPTY;
                    let mut next = from.offset(files, ranks);
                    while let Some(square) = next {
                        row[square.index()] = passed;
                        passed = passed.with(square);
                        next = square.offset(files, ranks);
                    }
                    number += 1;
                }
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
            fn len(self) -> u32 {
                self.len()
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

/// Declares a bitboard, a tuple of its bits, with its operators and the iterator over its squares.
/// It must define `EMPTY`, `ALL` and `lsb` itself.
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

        impl $bitboard {
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            #[inline]
            pub const fn any(self) -> bool {
                self.0 != 0
            }

            #[inline]
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }
        }

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

        impl std::fmt::Debug for $bitboard {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(*self).finish()
            }
        }
    };
}
