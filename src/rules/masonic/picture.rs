//! Draws the board with letters and bricks. Distances along a rank are in half cells from the left
//! end of the board, so that all cell corners are whole numbers.

use std::fmt;

use super::{Cell, Piece, Position};
use crate::chess::Square;
use crate::lined_board::LineStyle;

impl Position {
    /// The board as text, rank 8 on top and the even ranks shifted. The file letters above belong
    /// to the even ranks, those below to the odd ones.
    pub fn picture(&self) -> Picture<'_> {
        Picture::new(|cell| self.piece_on(cell).map(Piece::letter))
    }

    /// The board drawn wider, with a caption under each piece.
    pub fn captioned_picture<'a>(
        &'a self,
        caption: impl Fn(Cell) -> Option<String> + 'a,
    ) -> Picture<'a> {
        Picture { captions: Some(Box::new(caption)), ..self.picture() }
    }
}

/// A brick board as text: see [`Position::picture`].
pub struct Picture<'a> {
    style: LineStyle,
    letter: Letters<'a>,
    captions: Option<Captions<'a>>,
}

type Letters<'a> = Box<dyn Fn(Cell) -> Option<char> + 'a>;

/// The caption under a piece.
type Captions<'a> = Box<dyn Fn(Cell) -> Option<String> + 'a>;

/// Columns before the first cell of a level rank, and rows before the first rank: file letters and
/// border.
const INDENT: usize = 4;
const HEAD: usize = 2;
/// Half cells of the whole board, and of a rank.
const HALVES: usize = HALVES_OF_RANK + 1;
const HALVES_OF_RANK: usize = 2 * Cell::FILES as usize;
const RANKS: usize = Cell::RANKS as usize;

impl<'a> Picture<'a> {
    /// A board with these letters in its cells.
    pub fn new(letter: impl Fn(Cell) -> Option<char> + 'a) -> Picture<'a> {
        Picture { style: LineStyle::PLAIN, letter: Box::new(letter), captions: None }
    }

    /// The board in another style.
    #[must_use]
    pub fn with_style(self, style: LineStyle) -> Picture<'a> {
        Picture { style, ..self }
    }

    /// Column and row of a cell's centre.
    pub fn spot(&self, cell: Cell) -> (usize, usize) {
        let (half, rank) = self.half_cell_and_rows();
        let column = INDENT + half * (self.left_half(cell) + 1);
        let within = if self.captions.is_some() { 0 } else { (rank - 1) / 2 };
        (column, HEAD + rank * self.ranks_above(cell.rank()) + within)
    }

    /// Columns of half a cell, and rows of a rank with the line above it.
    fn half_cell_and_rows(&self) -> (usize, usize) {
        let scale = self.style.scale.into();
        if self.captions.is_some() { (4, 3) } else { (scale, scale) }
    }

    /// The left end of a cell in half cells from the left.
    fn left_half(&self, cell: Cell) -> usize {
        let half = 2 * usize::from(cell.file()) + usize::from(cell.is_shifted());
        if self.style.flipped { HALVES - 2 - half } else { half }
    }

    fn ranks_above(&self, rank: u8) -> usize {
        let rank = usize::from(rank);
        if self.style.flipped { rank } else { RANKS - 1 - rank }
    }

    fn rank_at(&self, from_top: usize) -> Option<u8> {
        (0..Cell::RANKS).find(|&rank| self.ranks_above(rank) == from_top)
    }

    /// The left and right ends of a rank in half cells.
    fn borders(&self, rank: u8) -> (usize, usize) {
        let ends = [0, Cell::FILES - 1].map(|file| self.left_half(Cell::new(file, rank)));
        let first = ends[0].min(ends[1]);
        (first, first + HALVES_OF_RANK)
    }

    /// Draws the line between two ranks, above the first or below the last.
    fn draw_joint(&self, grid: &mut [Vec<char>], joint: usize) {
        let (half, rows) = self.half_cell_and_rows();
        let neighbours =
            [joint.checked_sub(1).and_then(|above| self.rank_at(above)), self.rank_at(joint)];
        let [above, below] = neighbours.map(|rank| rank.map(|rank| self.borders(rank)));
        let either = || above.into_iter().chain(below);
        let first = either().map(|(first, _)| first).min().unwrap_or(0);
        let last = either().map(|(_, last)| last).max().unwrap_or(HALVES);
        let row = &mut grid[HEAD - 1 + rows * joint];
        row[INDENT + half * first..INDENT + half * last].fill(if self.style.unicode {
            '─'
        } else {
            '-'
        });
        for at in first..=last {
            let is_corner = |ends: Option<(usize, usize)>| {
                ends.is_some_and(|(first, last)| {
                    (first..=last).contains(&at) && (at - first).is_multiple_of(2)
                })
            };
            let (up, down) = (is_corner(above), is_corner(below));
            row[INDENT + half * at] = match self.style.unicode {
                true => corner(up, down, at > first, at < last),
                false if up || down => '+',
                false => '-',
            };
        }
    }

    /// Draws the borders of a rank's cells, its number and its contents.
    fn draw_rank(&self, grid: &mut [Vec<char>], rank: u8) {
        let (half, rows) = self.half_cell_and_rows();
        let top = HEAD + rows * self.ranks_above(rank);
        let (first, last) = self.borders(rank);
        for row in &mut grid[top..top + rows - 1] {
            for border in (first..=last).step_by(2) {
                row[INDENT + half * border] = if self.style.unicode { '│' } else { '|' };
            }
        }
        for file in 0..Cell::FILES {
            let cell = Cell::new(file, rank);
            let (column, row) = self.spot(cell);
            grid[row][1] = char::from(b'1' + rank);
            if let Some(letter) = (self.letter)(cell) {
                grid[row][column] = letter;
            }
            if let Some(caption) = self.captions.as_ref().and_then(|caption| caption(cell)) {
                let room = 2 * half - 1;
                let text = format!("{caption:^room$}");
                let places = &mut grid[row + 1][column + 1 - half..];
                places.iter_mut().zip(text.chars()).for_each(|(place, letter)| *place = letter);
            }
        }
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (half, rows) = self.half_cell_and_rows();
        let height = HEAD + rows * RANKS + 1;
        let mut grid = vec![vec![' '; INDENT + half * HALVES + 1]; height];
        (0..=RANKS).for_each(|joint| self.draw_joint(&mut grid, joint));
        (0..Cell::RANKS).for_each(|rank| self.draw_rank(&mut grid, rank));
        for (from_top, row) in [(0, 0), (RANKS - 1, height - 1)] {
            for file in 0..Cell::FILES {
                if let Some(rank) = self.rank_at(from_top) {
                    grid[row][self.spot(Cell::new(file, rank)).0] = Cell::file_letter(file);
                }
            }
        }
        grid.into_iter().try_for_each(|row| {
            let row: String = row.into_iter().collect();
            writeln!(f, "{}", row.trim_end())
        })
    }
}

/// The character of a corner with lines up, down, left or right.
fn corner(up: bool, down: bool, left: bool, right: bool) -> char {
    match (up, down, left, right) {
        (true, true, true, true) => '┼',
        (true, true, false, true) => '├',
        (true, true, true, false) => '┤',
        (true, false, true, true) => '┴',
        (false, true, true, true) => '┬',
        (true, false, false, true) => '└',
        (true, false, true, false) => '┘',
        (false, true, false, true) => '┌',
        (false, true, true, false) => '┐',
        _ => '─',
    }
}
