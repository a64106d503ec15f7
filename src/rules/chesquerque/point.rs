//! The 81 points of the board.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use crate::chess::Square;
use qirkat_game::ParseError;

/// A point of the board, counted from `a1` = 0 along the ranks to `i9` = 80.
///
/// ```
/// use qirkat_rules::chesquerque::Point;
///
/// let point: Point = "e5".parse()?;
/// assert_eq!((point.file(), point.rank()), (4, 4));
/// assert!(point.is_diagonal());
/// assert_eq!(point.offset(1, -2), Some("f3".parse()?));
/// assert_eq!(point.offset(5, 0), None);
/// assert_eq!(Point::all().filter(|point| point.is_diagonal()).count(), 41);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// Points along a rank.
    pub const FILES: u8 = 9;
    /// Points along a file.
    pub const RANKS: u8 = 9;
    /// Points on the board.
    pub const COUNT: usize = Self::FILES as usize * Self::RANKS as usize;

    /// The point on `file` and `rank`, both counted from 0.
    ///
    /// # Panics
    /// When either is off the board; meant for constants and loops.
    pub const fn new(file: u8, rank: u8) -> Point {
        assert!(file < Self::FILES && rank < Self::RANKS);
        Point(rank * Self::FILES + file)
    }

    /// The point with this index, if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < Self::COUNT { Some(Point(index as u8)) } else { None }
    }

    /// All points, `a1` first.
    pub fn all() -> impl DoubleEndedIterator<Item = Point> {
        (0..Self::COUNT as u8).map(Point)
    }

    /// The point's place in tables of 81.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File, 0 for `a`.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % Self::FILES
    }

    /// Rank, 0 for rank 1.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / Self::FILES
    }

    /// Whether diagonal lines meet here (else the point is plain).
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        // Nine files, so index parity is the parity of file + rank.
        self.0.is_multiple_of(2)
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

    /// The point whose index is `step` further. Only for steps known to stay
    /// on the board, such as those of shifted bitboards.
    #[inline]
    pub(crate) const fn stepped(self, step: i8) -> Point {
        let index = self.0.wrapping_add_signed(step);
        assert!((index as usize) < Self::COUNT);
        Point(index)
    }

    /// The same point seen from the other side of the board.
    ///
    /// ```
    /// # use qirkat_rules::chesquerque::Point;
    /// assert_eq!(Point::new(1, 0).flipped(), Point::new(1, 8));
    /// ```
    #[inline]
    pub const fn flipped(self) -> Point {
        Point::new(self.file(), Self::RANKS - 1 - self.rank())
    }

    /// Reads file letter and rank digit, as in `e5`: [`FromStr`] without a reason.
    pub fn parse(text: &str) -> Option<Point> {
        let &[file, rank] = text.as_bytes() else { return None };
        Point::from_bytes(file, rank)
    }
}

impl FromStr for Point {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Point, ParseError> {
        Point::parse(text).ok_or_else(|| ParseError::new("a point such as `e5`", text))
    }
}

impl Square for Point {
    const FILES: u8 = Point::FILES;
    const RANKS: u8 = Point::RANKS;
    const NAME: &'static str = "point";

    fn new(file: u8, rank: u8) -> Point {
        Point::new(file, rank)
    }

    #[inline]
    fn from_index(index: usize) -> Option<Point> {
        Point::from_index(index)
    }

    #[inline]
    fn index(self) -> usize {
        self.index()
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Point::file_letter(self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A table with one entry for each point.
///
/// ```
/// use qirkat_rules::chesquerque::PerPoint;
/// use qirkat_rules::chesquerque::{Point, Position};
///
/// let mut visits = PerPoint([0; Point::COUNT]);
/// for mv in Position::start().legal_moves() {
///     visits[mv.to] += 1;
/// }
/// assert_eq!(visits[Point::new(4, 3)], 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PerPoint<T>(pub [T; Point::COUNT]);

impl<T> Index<Point> for PerPoint<T> {
    type Output = T;

    #[inline]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index()]
    }
}

impl<T> IndexMut<Point> for PerPoint<T> {
    #[inline]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index()]
    }
}
