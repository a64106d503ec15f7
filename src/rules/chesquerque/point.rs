//! The 81 points of the board.

use crate::squares;

squares! {
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
    Point: 9 files, 9 ranks, "point", "e5", moves "`e2e4` or `a8a9q`"
    /// A table with one entry for each point.
    ///
    /// ```
    /// use qirkat_game::Rules;
    /// use qirkat_rules::chesquerque::PerPoint;
    /// use qirkat_rules::chesquerque::{Point, Position};
    ///
    /// let mut visits = PerPoint([0; Point::COUNT]);
    /// for mv in Position::start().legal_moves() {
    ///     visits[mv.to] += 1;
    /// }
    /// assert_eq!(visits[Point::new(4, 3)], 1);
    /// ```
    PerPoint
}

impl Point {
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
    pub(super) const fn stepped(self, step: i8) -> Point {
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
}
