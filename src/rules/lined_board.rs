//! Draws boards with letters and lines: points joined along files and ranks, and diagonally where
//! file + rank is even.

use std::fmt::{self, Write};

/// The letter on a point, by file and rank counted from 0.
type Letters<'a> = Box<dyn Fn(u8, u8) -> Option<char> + 'a>;
type Captions<'a> = Box<dyn Fn(u8, u8) -> Option<String> + 'a>;

/// How the lines of a board are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStyle {
    /// Rows between ranks; there are twice as many columns between files.
    pub scale: u8,
    /// Whether it is drawn from Black's side.
    pub flipped: bool,
    /// Whether Unicode characters may be used.
    pub unicode: bool,
}

impl LineStyle {
    /// The smallest drawing, from White's side, in ASCII.
    pub const PLAIN: LineStyle = LineStyle { scale: 2, flipped: false, unicode: false };
}

/// A board as text, the last rank on top unless it is flipped. Empty points are `*` where diagonal
/// lines meet (diagonal points), otherwise `+` (plain points).
pub struct LinedBoard<'a> {
    files: u8,
    ranks: u8,
    style: LineStyle,
    letter: Letters<'a>,
    captions: Option<Captions<'a>>,
}

/// Columns between points with captions.
const WIDE: usize = 8;
/// Columns before the first point.
const INDENT: usize = 4;
/// Columns by which a caption starts left of its point.
const CAPTION_LEAD: usize = 2;

impl<'a> LinedBoard<'a> {
    /// A board with these letters on its points.
    pub fn new(
        files: u8,
        ranks: u8,
        letter: impl Fn(u8, u8) -> Option<char> + 'a,
    ) -> LinedBoard<'a> {
        let letter = Box::new(letter);
        LinedBoard { files, ranks, style: LineStyle::PLAIN, letter, captions: None }
    }

    /// The board in another style.
    #[must_use]
    pub fn with_style(self, style: LineStyle) -> LinedBoard<'a> {
        LinedBoard { style, ..self }
    }

    /// The board drawn wider, with a caption under each point.
    #[must_use]
    pub fn with_captions(self, caption: impl Fn(u8, u8) -> Option<String> + 'a) -> LinedBoard<'a> {
        LinedBoard { captions: Some(Box::new(caption)), ..self }
    }

    /// Column and row of a point in a drawing without captions.
    pub fn spot(&self, file: u8, rank: u8) -> (usize, usize) {
        let (from_left, from_bottom) = self.turned(file, rank);
        let from_top = self.ranks.saturating_sub(from_bottom + 1);
        let row = usize::from(self.style.scale) * usize::from(from_top);
        (INDENT + self.apart() * usize::from(from_left), row)
    }

    /// Maps file and rank to the drawn position, or back, if the board is flipped.
    fn turned(&self, file: u8, rank: u8) -> (u8, u8) {
        match self.style.flipped {
            true => (self.files - 1 - file, self.ranks - 1 - rank),
            false => (file, rank),
        }
    }

    /// Columns between points.
    fn apart(&self) -> usize {
        if self.captions.is_some() { WIDE } else { 2 * usize::from(self.style.scale) }
    }

    fn write_points(&self, f: &mut fmt::Formatter<'_>, from_bottom: u8) -> fmt::Result {
        let level = if self.style.unicode { "─" } else { "-" };
        write!(f, " {}  ", self.turned(0, from_bottom).1 + 1)?;
        for from_left in 0..self.files {
            if from_left > 0 {
                f.write_str(&level.repeat(self.apart() - 1))?;
            }
            let (file, rank) = self.turned(from_left, from_bottom);
            let empty = || self.empty_point(from_left, from_bottom);
            f.write_char((self.letter)(file, rank).unwrap_or_else(empty))?;
        }
        f.write_char('\n')
    }

    /// The mark of an empty point, which shows whether it is a diagonal point.
    fn empty_point(&self, from_left: u8, from_bottom: u8) -> char {
        let (left, right) = (from_left > 0, from_left + 1 < self.files);
        let (up, down) = (from_bottom + 1 < self.ranks, from_bottom > 0);
        match (self.style.unicode, is_diagonal(from_left, from_bottom)) {
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

    fn write_captions(
        &self,
        f: &mut fmt::Formatter<'_>,
        from_bottom: u8,
        caption: &Captions<'_>,
    ) -> fmt::Result {
        let captions = (0..self.files).map(|from_left| {
            let (file, rank) = self.turned(from_left, from_bottom);
            caption(file, rank).unwrap_or_default()
        });
        let line: String = captions.map(|text| format!("{text:<WIDE$}")).collect();
        let line = format!("{:width$}{line}", "", width = INDENT - CAPTION_LEAD);
        writeln!(f, "{}", line.trim_end())
    }

    fn write_lines_below(&self, f: &mut fmt::Formatter<'_>, from_bottom: u8) -> fmt::Result {
        let [upright, rising, falling] =
            if self.style.unicode { ['│', '╱', '╲'] } else { ['|', '/', '\\'] };
        let (apart, scale) = (self.apart(), usize::from(self.style.scale));
        for step in 1..scale {
            write!(f, "{:INDENT$}", "")?;
            for from_left in 0..self.files {
                f.write_char(upright)?;
                if from_left + 1 < self.files {
                    // Coordinates from the upper left corner of the cell.
                    let (slant, step) = match is_diagonal(from_left, from_bottom) {
                        true => (falling, step),
                        false => (rising, scale - step),
                    };
                    let before = apart * step / scale - 1;
                    write!(f, "{:before$}{slant}{:behind$}", "", "", behind = apart - 2 - before)?;
                }
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

fn is_diagonal(file: u8, rank: u8) -> bool {
    (file + rank).is_multiple_of(2)
}

impl fmt::Display for LinedBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for from_bottom in (0..self.ranks).rev() {
            self.write_points(f, from_bottom)?;
            if let Some(caption) = &self.captions {
                self.write_captions(f, from_bottom, caption)?;
            }
            if from_bottom > 0 {
                self.write_lines_below(f, from_bottom)?;
            }
        }
        write!(f, "\n{:INDENT$}", "")?;
        for from_left in 0..self.files {
            if from_left > 0 {
                write!(f, "{:between$}", "", between = self.apart() - 1)?;
            }
            f.write_char(char::from(b'a' + self.turned(from_left, 0).0))?;
        }
        f.write_char('\n')
    }
}
