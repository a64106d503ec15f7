//! Sets of points.

use super::direction::Direction;
use super::point::Point;
use crate::bitboard_operators;

bitboard_operators! {
    /// A set of points, one bit each. Ranks are six bits apart and the sixth is no
    /// point (a padding column), so that a shift along a rank does not lead to the next
    /// one.
    ///
    /// ```
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

/// The first rank without the padding column.
const DENSE_RANK: u32 = (1 << Point::FILES) - 1;

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All points.
    pub const ALL: Bitboard = {
        let mut bits = 0;
        let mut rank = 0;
        while rank < Point::RANKS {
            bits |= Bitboard::rank(rank).0;
            rank += 1;
        }
        Bitboard(bits)
    };
    /// The points where diagonal lines meet, `a1` among them.
    pub const DIAGONAL: Bitboard = {
        let mut bits = 0;
        let mut index = 0;
        while index < Point::COUNT as u8 {
            let (file, rank) = (index % Point::FILES, index / Point::FILES);
            if (file + rank).is_multiple_of(2) {
                bits |= Point::new(file, rank).bit().0;
            }
            index += 1;
        }
        Bitboard(bits)
    };

    /// The points of a rank, counted from 0.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0b1_1111 << Point::new(0, rank).place())
    }

    /// One point.
    #[inline]
    pub const fn of(point: Point) -> Bitboard {
        Bitboard(1 << point.place())
    }

    /// The bits without the padding column: bit 0 is `a1`, bit 24 is `e5`.
    #[inline]
    pub(super) const fn dense(self) -> u32 {
        let mut bits = 0;
        let mut rank = 0;
        while rank < Point::RANKS {
            // The gap behind each rank before it is left out.
            bits |= (self.0 >> rank) & (DENSE_RANK << (rank * Point::FILES));
            rank += 1;
        }
        bits
    }

    /// The set of [`Bitboard::dense`] bits, which must be points.
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

    /// Whether a point is in the set.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.place() & 1 != 0
    }

    /// Whether any point is in the set.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether no point is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of points in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest point of the set ("least significant bit").
    #[inline]
    pub const fn lsb(self) -> Option<Point> {
        if self.0 == 0 { None } else { Some(Point::at_place(self.0.trailing_zeros() as u8)) }
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

    /// Every point moved one step. What leaves the board remains in bits that are no
    /// points: only for sets that are then intersected with points.
    // Branch-free for a direction that is not known at compile time: first up by as much
    // as any direction goes down, then down by the difference.
    #[inline]
    pub(super) const fn shifted(self, direction: Direction) -> Bitboard {
        let raised = (self.0 as u64) << Direction::REACH;
        Bitboard((raised >> (Direction::REACH - direction.delta())) as u32)
    }
}

impl Direction {
    /// The points with lines in this direction, whatever the board's edge.
    #[inline]
    pub(super) const fn lines(self) -> Bitboard {
        if self.is_diagonal() { Bitboard::DIAGONAL } else { Bitboard::ALL }
    }
}

impl Point {
    /// Whether diagonal lines meet here (else the point is plain).
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        Bitboard::DIAGONAL.contains(self)
    }

    /// The set of this point alone.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard::of(self)
    }
}
