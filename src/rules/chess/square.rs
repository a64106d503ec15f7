//! Squares of a board, and the macro that writes the squares of one game.

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// A square of a board of files and ranks: a point of Chesquerque, a cell of Masonic chess.
/// Squares are numbered along the ranks: `a1` is 0, `b1` is 1.
pub trait Square: Copy + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// Squares along a rank.
    const FILES: u8;
    /// Squares along a file.
    const RANKS: u8;
    /// Squares on the board.
    const COUNT: usize = Self::FILES as usize * Self::RANKS as usize;
    /// The game's name for a square.
    const NAME: &'static str;
    /// The text expected for a move, for errors.
    const A_MOVE: &'static str;

    /// The square on `file` and `rank`, both counted from 0.
    ///
    /// # Panics
    /// When either is off the board.
    fn new(file: u8, rank: u8) -> Self;

    /// The square with this index, if there is one.
    fn from_index(index: usize) -> Option<Self>;

    /// The square's place in tables of [`Square::COUNT`].
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

    /// Chebyshev distance: the files or ranks between two squares, whichever are more.
    #[inline]
    fn distance(self, other: Self) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        files.max(ranks)
    }

    /// The file that a letter names, counted from 0.
    fn read_file(letter: u8) -> Option<u8> {
        letter.checked_sub(b'a').filter(|&file| file < Self::FILES)
    }

    /// The rank that a digit names, counted from 0.
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

/// Writes a game's squares and the tables with one entry for each. A macro, since tables made
/// at compile time need functions of the type itself: those of traits are not `const`.
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
            #[doc = concat!("One ", $name, " for each file along a rank.")]
            pub const FILES: u8 = $files;
            #[doc = concat!("One ", $name, " for each rank along a file.")]
            pub const RANKS: u8 = $ranks;
            /// The size of the board.
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

            #[doc = concat!("The place of the ", $name, " in tables of the whole board.")]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// File, 0 for `a`.
            #[inline]
            pub const fn file(self) -> u8 {
                self.0 % $files
            }

            /// Rank, 0 for rank 1.
            #[inline]
            pub const fn rank(self) -> u8 {
                self.0 / $files
            }

            #[doc = concat!("Reads file letter and rank digit, as in `", $example, "`:")]
            /// [`FromStr`](std::str::FromStr) without a reason.
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
            /// The place of a square in the table. None is beyond it; where the remainder is
            /// but a mask, it lets the compiler see that too.
            #[inline]
            const fn place(square: $square) -> usize {
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
                &self.0[Self::place(square)]
            }
        }

        impl<T> std::ops::IndexMut<$square> for $table<T> {
            #[inline]
            fn index_mut(&mut self, square: $square) -> &mut T {
                &mut self.0[Self::place(square)]
            }
        }
    };
}
