//! Sets of points: a dense board of 81 bits in a `u128`.

use super::point::{PerPoint, Point};
use crate::bitboard_operators::bitboard_operators;
use qirkat_game::Color;

/// A set of points, one bit each, `a1` lowest. Bits 81 to 127 stay clear.
///
/// ```
/// use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Position};
///
/// let position = Position::start();
/// let pawns = position.of(Color::White, PieceKind::Pawn);
/// assert_eq!(pawns, Bitboard::rank(1));
/// // Points where a pawn captures diagonally.
/// assert_eq!((pawns & Bitboard::DIAGONAL).len(), 4);
/// // Iterates over the points, lowest first.
/// let files: Vec<u8> = (pawns & Bitboard::PLAIN).into_iter().map(|point| point.file()).collect();
/// assert_eq!(files, [0, 2, 4, 6, 8]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub(super) u128);

const FILE_A: u128 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < Point::RANKS {
        bits |= 1 << (rank * Point::FILES);
        rank += 1;
    }
    bits
};

const FILE_I: u128 = FILE_A << (Point::FILES - 1);

/// Single-point sets; a look-up is cheaper than a 128-bit shift.
static SINGLE: PerPoint<Bitboard> = {
    let mut table = PerPoint([Bitboard::EMPTY; Point::COUNT]);
    let mut index = 0;
    while index < Point::COUNT {
        table.0[index] = Bitboard(1 << index);
        index += 1;
    }
    table
};

impl Bitboard {
    /// No point.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every point.
    pub const ALL: Bitboard = Bitboard((1 << Point::COUNT) - 1);
    /// The 41 points where diagonal lines meet: those with an even index.
    pub const DIAGONAL: Bitboard = Bitboard(Self::ALL.0 & (u128::MAX / 3));
    /// The 40 points with orthogonal lines only.
    pub const PLAIN: Bitboard = Bitboard(Self::ALL.0 & !Self::DIAGONAL.0);

    /// The points of a rank counted from 0.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0x1FF << (rank * Point::FILES))
    }

    /// The points of a file counted from 0.
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(FILE_A << file)
    }

    /// Whether no point is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any point is in the set.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many points are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// The bits in two words, the lower points first: for hashing.
    #[inline]
    pub const fn halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// Whether the set holds more than one point.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `point` is in the set.
    #[inline]
    pub fn contains(self, point: Point) -> bool {
        (self & point.bit()).any()
    }

    /// The lowest point of the set ("least significant bit").
    ///
    /// ```
    /// # use qirkat_rules::chesquerque::{Bitboard, Point};
    /// assert_eq!(Bitboard::file(8).lsb(), Some(Point::new(8, 0)));
    /// assert_eq!(Bitboard::EMPTY.lsb(), None);
    /// ```
    #[inline]
    pub const fn lsb(self) -> Option<Point> {
        Point::from_index(self.0.trailing_zeros() as usize)
    }

    /// The set with one point more, in constants too.
    #[must_use]
    pub const fn with(self, point: Point) -> Bitboard {
        Bitboard(self.0 | 1 << point.index())
    }

    /// Every point moved one rank up; what leaves the board is dropped.
    ///
    /// ```
    /// # use qirkat_rules::chesquerque::Bitboard;
    /// assert_eq!(Bitboard::rank(0).north(), Bitboard::rank(1));
    /// assert_eq!(Bitboard::rank(8).north(), Bitboard::EMPTY);
    /// ```
    #[inline]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << Point::FILES & Self::ALL.0)
    }

    /// Every point moved one rank down.
    #[inline]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> Point::FILES)
    }

    /// Every point moved one file towards `i`.
    #[inline]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !FILE_I) << 1)
    }

    /// Every point moved one file towards `a`.
    #[inline]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }

    /// Every point moved one rank towards the enemy of `color`.
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }
}

impl Point {
    /// The set that holds this point alone.
    #[inline]
    pub fn bit(self) -> Bitboard {
        SINGLE[self]
    }
}

bitboard_operators!(
    Bitboard(u128),
    Point,
    /// Iterates over the points of a set, lowest first.
    Points
);
