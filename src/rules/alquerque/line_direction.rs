//! The lines of the board, by direction.

use super::bitboard::Bitboard;
use super::direction::Direction;
use super::point::Point;

impl Direction {
    /// The points with lines in this direction, whatever the board's edge.
    #[inline]
    pub(super) const fn lines(self) -> Bitboard {
        if self.is_diagonal() { Bitboard::DIAGONAL } else { Bitboard::ALL }
    }

    /// The direction of a line from one point to another, any number of points
    /// away.
    pub(super) fn of_line(from: Point, to: Point) -> Option<Direction> {
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let step = (files.signum(), ranks.signum());
        let direction = Self::ALL.into_iter().find(|direction| direction.step() == step);
        direction.filter(|direction| straight && direction.lines().contains(from))
    }
}
