//! The 81 points of the board, sets of them as bits of a `u128`, and the marked lines as
//! compile-time tables, with the attacks of sliding pieces along them.
//!
//! Sliders need no magic numbers: hyperbola quintessence on lines whose points lie in different
//! bytes, and a table for ranks. `docs/inside/sliders.md` explains it and compares it with other
//! techniques.

use qirkat_game::Color;

use crate::chess::{ReverseBytes, SquareTable, rank_attacks};
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

    #[inline]
    pub fn bit(self) -> Bitboard {
        SINGLE[self]
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

impl Bitboard {
    /// The 41 points where diagonal lines meet: those with an even index.
    pub const DIAGONAL: Bitboard = Bitboard(Self::ALL.0 & (u128::MAX / 3));
    /// The 40 points with orthogonal lines only.
    pub const PLAIN: Bitboard = Bitboard(Self::ALL.0 & !Self::DIAGONAL.0);

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
        Bitboard((self.0 & !Self::FILE_A) >> 1)
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

/// A knight's path: over an empty leg to at most two targets.
#[derive(Clone, Copy)]
pub(super) struct KnightPath {
    /// The point that must be empty; the empty set if it is off the board.
    pub leg: Bitboard,
    pub targets: Bitboard,
}

impl KnightPath {
    const NONE: KnightPath = KnightPath { leg: Bitboard::EMPTY, targets: Bitboard::EMPTY };
}

type Step = (i8, i8);

const ORTHOGONAL_STEPS: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL_STEPS: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

const fn diagonals(point: Point) -> &'static [Step] {
    if point.is_diagonal() { &DIAGONAL_STEPS } else { &[] }
}

/// Pawns only ever attack diagonal points: from the plain point straight behind and the two
/// diagonal points beside that.
pub(super) static SQUARE_TABLES: PerPoint<SquareTable<Bitboard>> = {
    let mut table = PerPoint([SquareTable::none(Bitboard::EMPTY); Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        let [a, b, c, d] = knight_paths(point);
        let reach = a.targets.0 | b.targets.0 | c.targets.0 | d.targets.0;
        table.0[index] = SquareTable {
            straight_steps: Bitboard::steps(point, &ORTHOGONAL_STEPS),
            diagonal_steps: Bitboard::steps(point, diagonals(point)),
            straight_lines: Bitboard::rays(point, &ORTHOGONAL_STEPS),
            diagonal_lines: Bitboard::rays(point, diagonals(point)),
            knight_reach: Bitboard(reach),
            pawn_sources: if point.is_diagonal() {
                [
                    Bitboard::steps(point, &[(0, -1), (-1, -1), (1, -1)]),
                    Bitboard::steps(point, &[(0, 1), (-1, 1), (1, 1)]),
                ]
            } else {
                [Bitboard::EMPTY; 2]
            },
        };
        index += 1;
    }
    table
};

pub(super) static KNIGHT_PATHS: PerPoint<[KnightPath; 4]> = {
    let mut table = PerPoint([[KnightPath::NONE; 4]; Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        table.0[index] = knight_paths(point);
        index += 1;
    }
    table
};

/// The knight's paths: first an orthogonal step from a plain point, or a diagonal one from a
/// diagonal point, then an outward step of the other kind.
const fn knight_paths(from: Point) -> [KnightPath; 4] {
    let mut paths = [KnightPath::NONE; 4];
    let first = if from.is_diagonal() { &DIAGONAL_STEPS } else { &ORTHOGONAL_STEPS };
    let mut number = 0;
    while number < paths.len() {
        let (files, ranks) = first[number];
        if let Some(leg) = from.offset(files, ranks) {
            let outward = match (files, ranks) {
                (0, ranks) => [(-1, ranks), (1, ranks)],
                (files, 0) => [(files, -1), (files, 1)],
                (files, ranks) => [(files, 0), (0, ranks)],
            };
            paths[number] = KnightPath {
                leg: Bitboard::EMPTY.with(leg),
                targets: Bitboard::steps(leg, &outward),
            };
        }
        number += 1;
    }
    paths
}

/// For two points between which a far attack is possible, the points that must be empty: those
/// strictly between them on a marked line, or the leg of a knight's move.
pub(super) static BETWEEN: PerPoint<PerPoint<Bitboard>> = {
    let mut table = PerPoint([PerPoint([Bitboard::EMPTY; Point::COUNT]); Point::COUNT]);
    let mut index = 0;
    while let Some(from) = Point::from_index(index) {
        let row = &mut table.0[index].0;
        Bitboard::set_between(row, from, &ORTHOGONAL_STEPS);
        Bitboard::set_between(row, from, diagonals(from));
        let paths = knight_paths(from);
        let mut number = 0;
        while number < paths.len() {
            let mut targets = paths[number].targets;
            while let Some(target) = targets.lsb() {
                row[target.index()] = paths[number].leg;
                targets = Bitboard(targets.0 & targets.0.wrapping_sub(1));
            }
            number += 1;
        }
        index += 1;
    }
    table
};

/// A file or diagonal through a point, prepared for the subtraction.
#[derive(Clone, Copy)]
struct SliderLine {
    /// The line without the point itself.
    rest: u128,
    point: u128,
    /// The point on the byte-reversed board.
    reversed: u128,
}

const NO_LINE: SliderLine = SliderLine { rest: 0, point: 0, reversed: 0 };

static FILE_LINES: PerPoint<SliderLine> = lines_in_direction(0, 1);
static RISING_LINES: PerPoint<SliderLine> = lines_in_direction(1, 1);
static FALLING_LINES: PerPoint<SliderLine> = lines_in_direction(-1, 1);

/// Attacks along a rank by the slider's file and the seven inner points.
static RANK_ATTACKS: [[u16; 128]; Point::FILES as usize] = rank_attacks();

static RANK_SETS: [Bitboard; Point::RANKS as usize] = {
    let mut ranks = [Bitboard::EMPTY; Point::RANKS as usize];
    let mut rank = 0;
    while rank < Point::RANKS {
        ranks[rank as usize] = Bitboard::rank(rank);
        rank += 1;
    }
    ranks
};

/// The points that a slider on `from` attacks along its file and rank, up to and including the
/// first piece in each direction.
///
/// ```
/// use qirkat_rules::chesquerque::orthogonal_attacks;
/// use qirkat_rules::chesquerque::{Bitboard, Point};
///
/// let occupied: Bitboard = ["e7".parse::<Point>()?, "c5".parse()?].into_iter().collect();
/// let attacks = orthogonal_attacks("e5".parse()?, occupied);
/// assert!(attacks.contains("e7".parse()?) && !attacks.contains("e8".parse()?));
/// assert_eq!(attacks.len(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn orthogonal_attacks(from: Point, occupied: Bitboard) -> Bitboard {
    Bitboard(along(&FILE_LINES[from], occupied.0) | along_rank(from, occupied))
}

/// The points that a slider on `from` attacks along its diagonals; none from a plain point.
#[inline]
pub fn diagonal_attacks(from: Point, occupied: Bitboard) -> Bitboard {
    Bitboard(along(&RISING_LINES[from], occupied.0) | along(&FALLING_LINES[from], occupied.0))
}

#[inline]
fn along(line: &SliderLine, occupied: u128) -> u128 {
    let pieces = occupied & line.rest;
    let up = pieces.wrapping_sub(line.point);
    let down = pieces.reverse_bytes().wrapping_sub(line.reversed).reverse_bytes();
    (up ^ down) & line.rest
}

/// Uses 64-bit halves, since 128-bit shifts are function calls in WebAssembly.
#[inline]
fn along_rank(from: Point, occupied: Bitboard) -> u128 {
    // The inner points of each rank lie in one half.
    let shift = from.rank() * Point::FILES + 1;
    let half = occupied.halves()[usize::from(shift >= 64)];
    let inner = (half >> (shift % 64)) as usize & 0x7F;
    // The attacked files, repeated on every rank; the eighth rank spans both halves.
    let attacks = u64::from(RANK_ATTACKS[from.file() as usize][inner]);
    let low = attacks.wrapping_mul(Bitboard::file(0).halves()[0]);
    let high = attacks >> 1 | attacks << 8;
    (u128::from(high) << 64 | u128::from(low)) & RANK_SETS[from.rank() as usize].0
}

const fn lines_in_direction(files: i8, ranks: i8) -> PerPoint<SliderLine> {
    let mut table = PerPoint([NO_LINE; Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        if files == 0 || point.is_diagonal() {
            let bit = 1 << index;
            let rest = Bitboard::rays(point, &[(files, ranks), (-files, -ranks)]).0;
            table.0[index] = SliderLine { rest, point: bit, reversed: bit.swap_bytes() };
        }
        index += 1;
    }
    table
}
