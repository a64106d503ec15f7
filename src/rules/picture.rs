//! Draws boards as text: letters on lines, or in bricks.
//!
//! Points are joined along files and ranks, and diagonally where file + rank is even. The cells of
//! Masonic chess have borders; positions along a rank are counted in half cells from the left edge
//! of the board, so that all corners are whole numbers.

use std::fmt;

use crate::variant::name::{Place, Variant};

/// The letter on a square, by file and rank counted from 0.
type Letters<'a> = Box<dyn Fn(u8, u8) -> Option<char> + 'a>;
type Captions<'a> = Box<dyn Fn(u8, u8) -> Option<String> + 'a>;
type Grid = Vec<Vec<char>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStyle {
    /// Rows from one rank to the next; columns from one file to the next are twice as many.
    pub scale: u8,
    /// Whether it is drawn from Black's side.
    pub flipped: bool,
    pub unicode: bool,
}

/// A board as text, the last rank on top unless it is flipped.
///
/// Empty points are `*` where diagonal lines meet (diagonal points), otherwise `+` (plain points).
/// On the board of bricks the even ranks are shifted: the file letters above belong to the top
/// rank, those below to the bottom rank.
pub struct Picture<'a> {
    variant: Variant,
    style: LineStyle,
    letter: Letters<'a>,
    captions: Option<Captions<'a>>,
}

/// Columns between points with captions.
const WIDE: usize = 8;
/// Columns before the first point, or before the first cell of an unshifted rank.
const INDENT: usize = 4;
/// How many columns to the left of its point a caption starts.
const CAPTION_LEAD: usize = 2;
/// Rows before the first rank of bricks: file letters and border.
const HEAD: usize = 2;

impl<'a> Picture<'a> {
    /// The board of a game with these letters on it: the smallest drawing, from White's side, in
    /// ASCII.
    pub fn new(variant: Variant, letter: impl Fn(u8, u8) -> Option<char> + 'a) -> Picture<'a> {
        let style = LineStyle { scale: 2, flipped: false, unicode: false };
        Picture { variant, style, letter: Box::new(letter), captions: None }
    }

    #[must_use]
    pub fn with_style(self, style: LineStyle) -> Picture<'a> {
        Picture { style, ..self }
    }

    /// The board drawn wider, with a caption under each point or piece.
    #[must_use]
    pub fn with_captions(self, caption: impl Fn(u8, u8) -> Option<String> + 'a) -> Picture<'a> {
        Picture { captions: Some(Box::new(caption)), ..self }
    }

    fn size(&self) -> usize {
        self.variant.board_size().into()
    }

    /// Column and row of a point (in a drawing without captions) or of the centre of a cell.
    pub fn spot(&self, file: u8, rank: u8) -> (usize, usize) {
        if self.variant == Variant::Masonic {
            let (half, rows) = self.half_cell_and_rows();
            let within = if self.captions.is_some() { 0 } else { (rows - 1) / 2 };
            let column = INDENT + half * (self.left_half(file, rank) + 1);
            return (column, HEAD + rows * self.ranks_above(rank) + within);
        }
        let (from_left, _) = self.turned(file, rank);
        let row = usize::from(self.style.scale) * self.ranks_above(rank);
        (INDENT + self.file_spacing() * usize::from(from_left), row)
    }

    /// Maps file and rank of the board to those in the drawing, or back: both are flipped with it.
    fn turned(&self, file: u8, rank: u8) -> (u8, u8) {
        let last = self.variant.board_size() - 1;
        if self.style.flipped { (last - file, last - rank) } else { (file, rank) }
    }

    fn ranks_above(&self, rank: u8) -> usize {
        let (_, from_bottom) = self.turned(0, rank);
        (self.size() - 1).saturating_sub(from_bottom.into())
    }
}

impl Variant {
    /// Draws the board like a position, with these letters on its points, by file and rank from 0.
    /// Points without a letter are empty.
    ///
    /// ```
    /// use qirkat_rules::variant::Variant;
    ///
    /// let corner = |file, rank| (file == 0 && rank == 0).then_some('x');
    /// assert!(Variant::Alquerque.draw_board(corner).contains(" 1  x---+---*---+---*\n"));
    /// ```
    pub fn draw_board(self, letter: impl Fn(u8, u8) -> Option<char>) -> String {
        Picture::new(self, letter).to_string()
    }
}

/// Boards of lines.
impl Picture<'_> {
    fn file_spacing(&self) -> usize {
        if self.captions.is_some() { WIDE } else { 2 * usize::from(self.style.scale) }
    }

    /// The mark of an empty point, which shows whether it is a diagonal point.
    fn empty_point(&self, from_left: u8, from_bottom: u8) -> char {
        let (left, right) = (from_left > 0, from_left + 1 < self.variant.board_size());
        let (up, down) = (from_bottom + 1 < self.variant.board_size(), from_bottom > 0);
        match (self.style.unicode, self.variant.is_diagonal_point(from_left, from_bottom)) {
            (false, true) => '*',
            (false, false) => '+',
            (true, true) => '•',
            (true, false) if !left => '├',
            (true, false) if !right => '┤',
            (true, false) if !up => '┬',
            (true, false) if !down => '┴',
            (true, false) => '┼',
        }
    }

    fn draw_lines(&self) -> Grid {
        let [level, upright, rising, falling] =
            if self.style.unicode { ['─', '│', '╱', '╲'] } else { ['-', '|', '/', '\\'] };
        let (file_spacing, scale, last) =
            (self.file_spacing(), usize::from(self.style.scale), self.size() - 1);
        // Rows for the points of a rank and their captions, above the lines to the next rank.
        let own = 1 + usize::from(self.captions.is_some());
        let height = (own + scale - 1) * last + own + 2;
        let mut grid = vec![vec![' '; INDENT + file_spacing * self.size()]; height];
        for Place { file, rank } in Place::all(self.variant) {
            let (from_left, from_bottom) = self.turned(file, rank);
            let is_last = usize::from(from_left) == last;
            let column = INDENT + file_spacing * usize::from(from_left);
            let row = (own + scale - 1) * self.ranks_above(rank);
            grid[row][1] = char::from(b'1' + rank);
            grid[height - 1][column] = char::from(b'a' + file);
            let empty = || self.empty_point(from_left, from_bottom);
            grid[row][column] = (self.letter)(file, rank).unwrap_or_else(empty);
            if let Some(caption) = self.captions.as_ref().and_then(|caption| caption(file, rank)) {
                write_at(&mut grid[row + 1][column - CAPTION_LEAD..], &caption);
            }
            if !is_last {
                grid[row][column + 1..column + file_spacing].fill(level);
            }
            for step in (1..scale).filter(|_| from_bottom > 0) {
                let line = &mut grid[row + own - 1 + step];
                line[column] = upright;
                // The diagonal to the right of this upright, and how far from it: it falls from a
                // diagonal point, otherwise it rises to the next one.
                let (slant, across) = match self.variant.is_diagonal_point(from_left, from_bottom) {
                    true => (falling, step),
                    false => (rising, scale - step),
                };
                if !is_last {
                    line[column + file_spacing * across / scale] = slant;
                }
            }
        }
        grid
    }
}

/// The board of bricks.
impl Picture<'_> {
    /// Columns per half cell, and rows per rank including the line above it.
    fn half_cell_and_rows(&self) -> (usize, usize) {
        let scale = self.style.scale.into();
        if self.captions.is_some() { (4, 3) } else { (scale, scale) }
    }

    /// The left edge of a cell, in half cells from the left edge of the board.
    fn left_half(&self, file: u8, rank: u8) -> usize {
        let half = 2 * usize::from(file) + usize::from(rank % 2);
        if self.style.flipped { 2 * self.size() - 1 - half } else { half }
    }

    fn rank_at(&self, from_top: usize) -> Option<u8> {
        (0..self.variant.board_size()).find(|&rank| self.ranks_above(rank) == from_top)
    }

    /// The left and right edges of a rank, in half cells.
    fn borders(&self, rank: u8) -> (usize, usize) {
        let last = self.variant.board_size() - 1;
        let first = self.left_half(0, rank).min(self.left_half(last, rank));
        (first, first + 2 * self.size())
    }

    /// Draws the border above the rank that is `number`-th from the top, or below the last.
    fn draw_border(&self, grid: &mut [Vec<char>], number: usize) {
        let (half, rows) = self.half_cell_and_rows();
        let neighbours =
            [number.checked_sub(1).and_then(|above| self.rank_at(above)), self.rank_at(number)];
        let [above, below] = neighbours.map(|rank| rank.map(|rank| self.borders(rank)));
        let either = || above.into_iter().chain(below);
        let first = either().map(|(first, _)| first).min().unwrap_or(0);
        let last = either().map(|(_, last)| last).max().unwrap_or_default();
        let row = &mut grid[HEAD - 1 + rows * number];
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
        for file in 0..self.variant.board_size() {
            let (column, row) = self.spot(file, rank);
            grid[row][1] = char::from(b'1' + rank);
            if let Some(letter) = (self.letter)(file, rank) {
                grid[row][column] = letter;
            }
            if let Some(caption) = self.captions.as_ref().and_then(|caption| caption(file, rank)) {
                let room = 2 * half - 1;
                write_at(&mut grid[row + 1][column + 1 - half..], &format!("{caption:^room$}"));
            }
        }
    }

    fn draw_bricks(&self) -> Grid {
        let (half, rows) = self.half_cell_and_rows();
        let height = HEAD + rows * self.size() + 1;
        let mut grid = vec![vec![' '; INDENT + half * (2 * self.size() + 1) + 1]; height];
        (0..=self.size()).for_each(|number| self.draw_border(&mut grid, number));
        (0..self.variant.board_size()).for_each(|rank| self.draw_rank(&mut grid, rank));
        for (from_top, row) in [(0, 0), (self.size() - 1, height - 1)] {
            for file in 0..self.variant.board_size() {
                if let Some(rank) = self.rank_at(from_top) {
                    grid[row][self.spot(file, rank).0] = char::from(b'a' + file);
                }
            }
        }
        grid
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = match self.variant {
            Variant::Chesquerque | Variant::Alquerque => self.draw_lines(),
            Variant::Masonic => self.draw_bricks(),
        };
        grid.into_iter().try_for_each(|row| {
            let row: String = row.into_iter().collect();
            writeln!(f, "{}", row.trim_end())
        })
    }
}

fn write_at(cells: &mut [char], text: &str) {
    cells.iter_mut().zip(text.chars()).for_each(|(cell, letter)| *cell = letter);
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
