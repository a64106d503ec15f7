//! The 25 points of the board, sets of them, and the eight directions of lines.

use std::str::FromStr;

use derive_more::{Debug, Display};
use qirkat_game::{Color, ParseError};

use crate::bitboard_operators;
use crate::variant::Place;

/// A point of the board. It is stored as the index of its bit in a [`Bitboard`],
/// where a rank takes six bits: five points and a padding column.
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
    pub const FILES: u8 = 5;
    pub const RANKS: u8 = 5;
    pub const COUNT: usize = Self::FILES as usize * Self::RANKS as usize;
    /// Bits per rank in a bitboard, padding included.
    const STRIDE: u8 = Self::FILES + 1;
    /// An upper bound on bit indices: a power of two, so that the compiler can drop bounds checks.
    pub(super) const SLOTS: usize =
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
        (0..Self::COUNT).filter_map(Point::from_index)
    }

    /// The index from 0 (`a1`) to 24 (`e5`).
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 - self.rank()) as usize
    }

    #[inline]
    pub const fn from_index(index: usize) -> Option<Point> {
        let (file, rank) = (index as u8 % Self::FILES, index as u8 / Self::FILES);
        if index < Self::COUNT { Some(Point::new(file, rank)) } else { None }
    }

    #[inline]
    pub(super) const fn bit_index(self) -> u8 {
        self.0
    }

    /// The index in tables of [`Point::SLOTS`] entries.
    #[inline]
    pub(super) const fn slot(self) -> usize {
        self.0 as usize % Self::SLOTS
    }

    /// The point with this bit index, which must be valid.
    #[inline]
    pub(super) const fn at_bit(index: u8) -> Point {
        Point(index)
    }

    pub(super) fn from_bit(index: u8) -> Option<Point> {
        Some(Point(index)).filter(|point| point.rank() < Self::RANKS && point.file() < Self::FILES)
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

    /// Whether diagonal lines meet here (otherwise it is a plain point).
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        Bitboard::DIAGONAL.contains(self)
    }

    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard::of(self)
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

    /// The point after flipping the ranks.
    pub const fn flipped(self) -> Point {
        Point::new(self.file(), Self::RANKS - 1 - self.rank())
    }

    /// The point after mirroring the files.
    pub const fn mirrored(self) -> Point {
        Point::new(Self::FILES - 1 - self.file(), self.rank())
    }

    /// Parses file letter and rank digit, as in `c3`; [`FromStr`] without an error message.
    pub fn parse(text: &str) -> Option<Point> {
        Point::from_bytes(text.as_bytes())
    }

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

impl From<Point> for Place {
    fn from(point: Point) -> Place {
        Place { file: point.file(), rank: point.rank() }
    }
}

/// A direction, clockwise from north, which is towards rank 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    pub const COUNT: usize = 8;

    /// The largest difference of bit indices between neighbours.
    pub(super) const REACH: i8 = 7;

    pub const ALL: [Direction; Self::COUNT] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this index, using only the low three bits.
    #[inline]
    pub(super) const fn from_bits(bits: u64) -> Direction {
        Self::ALL[(bits & 7) as usize]
    }

    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Self::ALL[(self.index() + 4) % Self::COUNT]
    }

    /// The step in files and ranks.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::North => (0, 1),
            Direction::NorthEast => (1, 1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, -1),
            Direction::South => (0, -1),
            Direction::SouthWest => (-1, -1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, 1),
        }
    }

    /// The directions in which a side's men step and begin to jump: straight forward, diagonally
    /// forward and sideways.
    pub(super) const fn onward(color: Color) -> [Direction; 5] {
        use Direction::*;
        match color {
            Color::White => [NorthWest, North, NorthEast, West, East],
            Color::Black => [SouthWest, South, SouthEast, West, East],
        }
    }

    #[inline]
    pub(super) const fn is_onward(self, color: Color) -> bool {
        let (_, ranks) = self.step();
        match color {
            Color::White => ranks >= 0,
            Color::Black => ranks <= 0,
        }
    }

    /// The difference of bit indices to the next point. From a table, since a `match` would be
    /// mispredicted.
    #[inline]
    pub(super) const fn delta(self) -> i8 {
        Self::delta_of_bits(self.index() as u64)
    }

    /// The same by direction index, using only the low three bits.
    #[inline]
    pub(super) const fn delta_of_bits(bits: u64) -> i8 {
        const DELTAS: [i8; Direction::COUNT] = [6, 7, 1, -5, -6, -7, -1, 5];
        DELTAS[(bits & 7) as usize]
    }

    #[inline]
    pub const fn is_sideways(self) -> bool {
        self.index() % 4 == Direction::East.index()
    }

    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self.index() % 2 == 1
    }

    /// The points with lines in this direction, ignoring the board's edge.
    #[inline]
    pub(super) const fn lines(self) -> Bitboard {
        if self.is_diagonal() { Bitboard::DIAGONAL } else { Bitboard::ALL }
    }

    /// The direction of the line from one point to another, at any distance.
    pub(super) fn of_line(from: Point, to: Point) -> Option<Direction> {
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let step = (files.signum(), ranks.signum());
        let direction = Self::ALL.into_iter().find(|direction| direction.step() == step);
        direction.filter(|direction| straight && (from.is_diagonal() || !direction.is_diagonal()))
    }
}

bitboard_operators! {
    /// A set of points, one bit each. Ranks are six bits apart and the sixth is not a point (a
    /// padding column), so that a shift along a rank does not lead to the next one.
    ///
    /// ```
    /// use qirkat_game::Rules;
    /// use qirkat_rules::alquerque::{Bitboard, Position};
    /// use qirkat_rules::chesquerque::Color;
    ///
    /// let men = Position::start().men(Color::White);
    /// assert_eq!((men.len(), (men & Bitboard::DIAGONAL).len()), (12, 6));
    /// ```
    Bitboard(u32) of Point
    /// Iterates over the points of a set, `a1` first.
    Points
}

/// A rank without the padding column.
const DENSE_RANK: u32 = (1 << Point::FILES) - 1;

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const ALL: Bitboard = Bitboard(0b011111_011111_011111_011111_011111);
    /// The points where diagonal lines meet, `a1` among them.
    pub const DIAGONAL: Bitboard = Bitboard(0b010101_001010_010101_001010_010101);

    /// The points of a rank, counted from 0.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(DENSE_RANK << Point::new(0, rank).bit_index())
    }

    /// The last rank of a side's men, from which they cannot step.
    #[inline]
    pub(super) const fn last_rank(color: Color) -> Bitboard {
        match color {
            Color::White => const { Bitboard::rank(Point::RANKS - 1) },
            Color::Black => const { Bitboard::rank(0) },
        }
    }

    #[inline]
    pub const fn of(point: Point) -> Bitboard {
        Bitboard(1 << point.bit_index())
    }

    /// The bits without the padding column: bit 0 is `a1`, bit 24 is `e5`.
    #[inline]
    pub(super) const fn dense(self) -> u32 {
        let mut bits = 0;
        let mut rank = 0;
        while rank < Point::RANKS {
            // Skips the padding bit of each rank before this one.
            bits |= (self.0 >> rank) & (DENSE_RANK << (rank * Point::FILES));
            rank += 1;
        }
        bits
    }

    /// The inverse of [`Bitboard::dense`]. The bits must be points.
    #[inline]
    pub(super) const fn from_dense(bits: u32) -> Bitboard {
        let mut spread = 0;
        let mut rank = 0;
        while rank < Point::RANKS {
            spread |= (bits & (DENSE_RANK << (rank * Point::FILES))) << rank;
            rank += 1;
        }
        Bitboard(spread)
    }

    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.bit_index() & 1 != 0
    }

    /// The lowest point of the set ("least significant bit").
    #[inline]
    pub const fn lsb(self) -> Option<Point> {
        if self.0 == 0 { None } else { Some(Point::at_bit(self.0.trailing_zeros() as u8)) }
    }

    /// The bits, padding column included.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set with these bits, which must be points.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Bitboard {
        Bitboard(bits)
    }

    /// Moves every point one step. Bits that leave the board are not cleared, so the result must be
    /// intersected with points. Branch-free for a direction not known at compile time: first up by
    /// the largest downward step, then down by the difference.
    #[inline]
    pub(super) const fn shifted(self, direction: Direction) -> Bitboard {
        let raised = (self.0 as u64) << Direction::REACH;
        Bitboard((raised >> (Direction::REACH - direction.delta())) as u32)
    }
}
