//! The 25 points of the board.

use std::str::FromStr;

use derive_more::{Debug, Display};

use qirkat_game::ParseError;

/// A point of the board. It is stored as its place in a [`Bitboard`](super::Bitboard),
/// where a rank takes six places: five points and a padding column.
///
/// ```
/// use qirkat_rules::alquerque::Point;
///
/// let point: Point = "c3".parse()?;
/// assert_eq!((point.file(), point.rank(), point.index()), (2, 2, 12));
/// assert!(point.is_diagonal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[debug("{self}")]
#[display("{}{}", char::from(b'a' + self.file()), self.rank() + 1)]
pub struct Point(u8);

impl Point {
    /// Points along a rank.
    pub const FILES: u8 = 5;
    /// Points along a file.
    pub const RANKS: u8 = 5;
    /// Points on the board.
    pub const COUNT: usize = Self::FILES as usize * Self::RANKS as usize;
    /// Places of a rank in a bitboard, padding included.
    const STRIDE: u8 = Self::FILES + 1;
    /// Places are below this: a power of two, so that the compiler sees it.
    pub(super) const PLACES: usize =
        (Self::STRIDE as usize * Self::RANKS as usize).next_power_of_two();

    /// The point on `file` and `rank`, both counted from 0.
    ///
    /// # Panics
    /// When either is off the board; meant for constants and loops.
    pub const fn new(file: u8, rank: u8) -> Point {
        assert!(file < Self::FILES && rank < Self::RANKS);
        Point(rank * Self::STRIDE + file)
    }

    /// All points, `a1` first, along the ranks.
    pub fn all() -> impl DoubleEndedIterator<Item = Point> {
        (0..Self::COUNT as u8).map(|index| Point::new(index % Self::FILES, index / Self::FILES))
    }

    /// The point's place in tables of 25: `a1` is 0, `e5` is 24.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 - self.rank()) as usize
    }

    /// The point with this index, if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < Self::COUNT {
            let index = index as u8;
            Some(Point::new(index % Self::FILES, index / Self::FILES))
        } else {
            None
        }
    }

    /// The point's place in a bitboard.
    #[inline]
    pub(super) const fn place(self) -> u8 {
        self.0
    }

    /// The point's place in tables of [`Point::PLACES`].
    #[inline]
    pub(super) const fn slot(self) -> usize {
        self.0 as usize % Self::PLACES
    }

    /// The point at this place. Only for places known to be points.
    #[inline]
    pub(super) const fn at_place(place: u8) -> Point {
        Point(place)
    }

    /// The point at this place, if one is there.
    pub(super) fn from_place(place: u8) -> Option<Point> {
        Some(Point(place)).filter(|point| point.rank() < Self::RANKS && point.file() < Self::FILES)
    }

    /// File, 0 for `a`.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % Self::STRIDE
    }

    /// Rank, 0 for rank 1.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / Self::STRIDE
    }

    /// The point `files` to the right and `ranks` up, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Point> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if 0 <= file && file < Self::FILES as i8 && 0 <= rank && rank < Self::RANKS as i8 {
            Some(Point::new(file as u8, rank as u8))
        } else {
            None
        }
    }

    /// The same point seen from the other side of the board.
    pub const fn flipped(self) -> Point {
        Point::new(self.file(), Self::RANKS - 1 - self.rank())
    }

    /// The mirror image of the point, left and right exchanged.
    pub const fn mirrored(self) -> Point {
        Point::new(Self::FILES - 1 - self.file(), self.rank())
    }

    /// Reads file letter and rank digit, as in `c3`: [`FromStr`] without a reason.
    pub fn parse(text: &str) -> Option<Point> {
        Point::from_bytes(text.as_bytes())
    }

    /// The same for plain bytes.
    pub(super) fn from_bytes(text: &[u8]) -> Option<Point> {
        let &[file, rank] = text else { return None };
        let file = file.checked_sub(b'a').filter(|&file| file < Self::FILES)?;
        let rank = rank.checked_sub(b'1').filter(|&rank| rank < Self::RANKS)?;
        Some(Point::new(file, rank))
    }
}

impl FromStr for Point {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Point, ParseError> {
        Point::parse(text).ok_or_else(|| ParseError::new("a point such as `c3`", text))
    }
}
