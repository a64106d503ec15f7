//! Squares of a board, as texts and tables need them.

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
    /// What the game calls a square.
    const NAME: &'static str;

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
