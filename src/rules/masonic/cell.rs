//! The 64 cells of the brick board.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use crate::chess::Square;
use qirkat_game::ParseError;

/// A cell of the board, counted from `a1` = 0 along the ranks to `h8` = 63.
///
/// Its centre lies at x = file, and half a cell further right on the even
/// ranks, which are called shifted here.
///
/// ```
/// use qirkat_rules::masonic::Cell;
///
/// let cell: Cell = "e4".parse()?;
/// assert!(cell.is_shifted());
/// // Half a cell to the right and one rank up.
/// assert_eq!(cell.offset(1, 1), Some("f5".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Cells along a rank.
    pub const FILES: u8 = 8;
    /// Ranks of the board.
    pub const RANKS: u8 = 8;
    /// Cells on the board.
    pub const COUNT: usize = Self::FILES as usize * Self::RANKS as usize;

    /// The cell on `file` and `rank`, both counted from 0.
    ///
    /// # Panics
    /// When either is off the board; meant for constants and loops.
    pub const fn new(file: u8, rank: u8) -> Cell {
        assert!(file < Self::FILES && rank < Self::RANKS);
        Cell(rank * Self::FILES + file)
    }

    /// The cell with this index, if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Cell> {
        if index < Self::COUNT { Some(Cell(index as u8)) } else { None }
    }

    /// The cell with this index; 64 starts anew at `a1`.
    #[inline]
    pub(super) const fn wrapped(index: u8) -> Cell {
        Cell(index % Self::COUNT as u8)
    }

    /// All cells, `a1` first.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> {
        (0..Self::COUNT as u8).map(Cell)
    }

    /// The cell's place in tables of 64.
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

    /// Whether the cell lies on an even rank, shifted right by half a cell.
    #[inline]
    pub const fn is_shifted(self) -> bool {
        !self.rank().is_multiple_of(2)
    }

    /// The cell `half_files` half cells to the right and `ranks` up, if it is
    /// on the board. Nothing is there if the two do not go together: an odd
    /// number of ranks is an odd number of half cells away.
    pub const fn offset(self, half_files: i8, ranks: i8) -> Option<Cell> {
        let rank = self.rank() as i8 + ranks;
        if rank < 0 || rank >= Self::RANKS as i8 {
            return None;
        }
        let x = 2 * self.file() as i8 + self.is_shifted() as i8 + half_files - rank % 2;
        if x < 0 || x % 2 != 0 || x / 2 >= Self::FILES as i8 {
            return None;
        }
        Some(Cell::new((x / 2) as u8, rank as u8))
    }

    /// The same cell after half a turn of the board, its only symmetry.
    #[inline]
    #[must_use]
    pub const fn turned(self) -> Cell {
        Cell(Self::COUNT as u8 - 1 - self.0)
    }

    /// Reads file letter and rank digit, as in `e4`: [`FromStr`] without a reason.
    pub fn parse(text: &str) -> Option<Cell> {
        let &[file, rank] = text.as_bytes() else { return None };
        Cell::from_bytes(file, rank)
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Cell, ParseError> {
        Cell::parse(text).ok_or_else(|| ParseError::new("a cell such as `e4`", text))
    }
}

impl Square for Cell {
    const FILES: u8 = Cell::FILES;
    const RANKS: u8 = Cell::RANKS;
    const NAME: &'static str = "cell";

    fn new(file: u8, rank: u8) -> Cell {
        Cell::new(file, rank)
    }

    #[inline]
    fn from_index(index: usize) -> Option<Cell> {
        Cell::from_index(index)
    }

    #[inline]
    fn index(self) -> usize {
        self.index()
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Cell::file_letter(self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A table with one entry for each cell.
///
/// ```
/// use qirkat_rules::masonic::{Cell, PerCell, Position};
///
/// let mut visits = PerCell([0; Cell::COUNT]);
/// for mv in Position::start().legal_moves() {
///     visits[mv.to] += 1;
/// }
/// // The double steps of the pawns on e2 and g2 end there.
/// let cell: Cell = "f4".parse()?;
/// assert_eq!(visits[cell], 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerCell<T>(pub [T; Cell::COUNT]);

// No cell is beyond the table; the remainder lets the compiler see that too.
impl<T> Index<Cell> for PerCell<T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: Cell) -> &T {
        &self.0[cell.index() % Cell::COUNT]
    }
}

impl<T> IndexMut<Cell> for PerCell<T> {
    #[inline]
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.0[cell.index() % Cell::COUNT]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(name: &str) -> Cell {
        Cell::parse(name).expect(name)
    }

    #[test]
    fn neighbours_are_where_the_bricks_touch() {
        for (from, half_files, ranks, to) in [
            ("a1", 1, 1, Some("a2")),
            ("a1", -1, 1, None),
            ("a2", 1, 1, Some("b3")),
            ("a2", -1, 1, Some("a3")),
            ("h2", 1, -1, None),
            ("h2", -1, -1, Some("h1")),
            ("e1", 3, 1, Some("f2")),
            ("e1", -3, 1, Some("c2")),
            ("e2", 3, 1, Some("g3")),
            ("e1", 7, 7, Some("h8")),
            ("e4", 1, 0, None),
            ("e4", 0, 1, None),
            ("e4", 0, 2, Some("e6")),
            ("e4", 0, 5, None),
        ] {
            assert_eq!(cell(from).offset(half_files, ranks), to.map(cell), "{from}");
        }
    }

    #[test]
    fn half_a_turn_keeps_neighbours() {
        for from in Cell::all() {
            for (half_files, ranks) in [(2, 0), (1, 1), (-1, 1), (3, 1), (-3, 1), (5, 1)] {
                let turned = from.turned().offset(-half_files, -ranks);
                assert_eq!(turned, from.offset(half_files, ranks).map(Cell::turned), "{from}");
            }
        }
    }
}
