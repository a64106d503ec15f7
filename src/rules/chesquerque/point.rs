//! The 81 points of the board, and sets of them as bits of a `u128`.

use qirkat_game::Color;

use crate::{bitboards, squares};

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
    /// Whether diagonal lines meet here (otherwise it is a plain point).
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

    /// The point whose index is `step` higher, which must be on the board.
    #[inline]
    pub(super) const fn stepped(self, step: i8) -> Point {
        let index = self.0.wrapping_add_signed(step);
        assert!((index as usize) < Self::COUNT);
        Point(index)
    }

    /// The point after flipping the ranks.
    #[inline]
    pub const fn flipped(self) -> Point {
        Point::new(self.file(), Self::RANKS - 1 - self.rank())
    }
}

bitboards! {
    /// A set of points, one bit each, `a1` lowest. Bits 81 to 127 stay clear.
    ///
    /// ```
    /// use qirkat_game::Rules;
    /// use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point, Position};
    ///
    /// let position = Position::start();
    /// let pawns = position.of(Color::White, PieceKind::Pawn);
    /// assert_eq!(pawns, Bitboard::rank(1));
    /// assert_eq!(pawns.lsb(), Some(Point::new(0, 1)));
    /// // Points where a pawn captures diagonally.
    /// assert_eq!((pawns & Bitboard::DIAGONAL).len(), 4);
    /// // Iterates over the points, lowest first.
    /// let files: Vec<u8> = (pawns & Bitboard::PLAIN).into_iter().map(|point| point.file()).collect();
    /// assert_eq!(files, [0, 2, 4, 6, 8]);
    /// ```
    Bitboard(u128) of Point, "point"
    /// Iterates over the points of a set, lowest first.
    Points
}

const FILE_A: u128 = Bitboard::file(0).0;
const FILE_I: u128 = Bitboard::file(Point::FILES - 1).0;

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

impl Point {
    #[inline]
    pub fn bit(self) -> Bitboard {
        SINGLE[self]
    }
}

impl Bitboard {
    /// The 41 points where diagonal lines meet: those with an even index.
    pub const DIAGONAL: Bitboard = Bitboard(Self::ALL.0 & (u128::MAX / 3));
    /// The 40 points with orthogonal lines only.
    pub const PLAIN: Bitboard = Bitboard(Self::ALL.0 & !Self::DIAGONAL.0);

    /// The set with these bits, which must be points.
    #[inline]
    pub(super) const fn new(bits: u128) -> Bitboard {
        Bitboard(bits)
    }

    #[inline]
    pub(super) const fn bits(self) -> u128 {
        self.0
    }

    /// The bits as two words, lower points first.
    #[inline]
    pub const fn halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// Every point moved one rank up; what leaves the board is dropped.
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
