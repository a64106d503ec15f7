//! The eight directions of lines.

use super::point::Point;

/// A direction from a point, clockwise from straight up the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards rank 5.
    North,
    /// Diagonal.
    NorthEast,
    /// Towards file e.
    East,
    /// Diagonal.
    SouthEast,
    /// Towards rank 1.
    South,
    /// Diagonal.
    SouthWest,
    /// Towards file a.
    West,
    /// Diagonal.
    NorthWest,
}

impl Direction {
    /// The number of directions.
    pub const COUNT: usize = 8;

    /// The largest difference of places between neighbours.
    pub(super) const REACH: i8 = 7;

    /// All of them, by [`Direction::index`].
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

    /// The direction's place in tables of eight.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this index, of which only the low three bits count.
    #[inline]
    pub(super) const fn from_bits(bits: u64) -> Direction {
        Self::ALL[(bits & 7) as usize]
    }

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Self::ALL[(self.index() + 4) % Self::COUNT]
    }

    /// Files and ranks to the next point.
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

    /// The difference of places from one point to the next.
    // From a table, since the branches of a `match` are mispredicted.
    #[inline]
    pub(super) const fn delta(self) -> i8 {
        Self::delta_of_bits(self.index() as u64)
    }

    /// The same for the direction with this index, of which only the low three
    /// bits count.
    #[inline]
    pub(super) const fn delta_of_bits(bits: u64) -> i8 {
        const DELTAS: [i8; Direction::COUNT] = [6, 7, 1, -5, -6, -7, -1, 5];
        DELTAS[(bits & 7) as usize]
    }

    /// Whether it goes along a rank.
    #[inline]
    pub const fn is_sideways(self) -> bool {
        self.index() % 4 == Direction::East.index()
    }

    /// Whether it goes along a diagonal.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self.index() % 2 == 1
    }

    /// The direction of a line from one point to another, any number of points
    /// away.
    pub(super) fn of_line(from: Point, to: Point) -> Option<Direction> {
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let step = (files.signum(), ranks.signum());
        let direction = Self::ALL.into_iter().find(|direction| direction.step() == step);
        direction.filter(|direction| straight && (from.is_diagonal() || !direction.is_diagonal()))
    }
}
