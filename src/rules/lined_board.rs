//! Lined boards drawn with letters and lines: points joined along files and
//! ranks, and diagonally where file + rank is even.

use std::fmt::{self, Write};

/// The letter on a point, by file and rank counted from 0.
type Letters<'a> = Box<dyn Fn(u8, u8) -> Option<char> + 'a>;
/// The caption under a point.
type Captions<'a> = Box<dyn Fn(u8, u8) -> Option<String> + 'a>;

/// A board as text, the last rank on top. Empty points are drawn `*` where
/// diagonal lines meet (diagonal points), `+` elsewhere (plain points).
pub struct LinedBoard<'a> {
    files: u8,
    ranks: u8,
    letter: Letters<'a>,
    captions: Option<Captions<'a>>,
}

/// Columns from one point to the next, without captions and with them.
const NARROW: usize = 4;
const WIDE: usize = 8;
/// Columns before the first point.
const INDENT: usize = 4;
/// Columns by which a caption begins before its point.
const CAPTION_LEAD: usize = 2;

impl<'a> LinedBoard<'a> {
    /// A board with these letters on its points.
    pub fn new(
        files: u8,
        ranks: u8,
        letter: impl Fn(u8, u8) -> Option<char> + 'a,
    ) -> LinedBoard<'a> {
        LinedBoard { files, ranks, letter: Box::new(letter), captions: None }
    }

    /// The same, drawn wider, with something written under each point.
    #[must_use]
    pub fn with_captions(self, caption: impl Fn(u8, u8) -> Option<String> + 'a) -> LinedBoard<'a> {
        LinedBoard { captions: Some(Box::new(caption)), ..self }
    }

    fn between(&self) -> usize {
        if self.captions.is_some() { WIDE - 1 } else { NARROW - 1 }
    }

    /// The points of a rank and the lines along it.
    fn write_rank(&self, f: &mut fmt::Formatter<'_>, rank: u8) -> fmt::Result {
        let between = self.between();
        write!(f, " {}  ", rank + 1)?;
        for file in 0..self.files {
            if file > 0 {
                write!(f, "{:-<between$}", "")?;
            }
            let empty = if is_diagonal(file, rank) { '*' } else { '+' };
            f.write_char((self.letter)(file, rank).unwrap_or(empty))?;
        }
        f.write_char('\n')
    }

    fn write_captions(
        &self,
        f: &mut fmt::Formatter<'_>,
        rank: u8,
        caption: &Captions<'_>,
    ) -> fmt::Result {
        let captions = (0..self.files).map(|file| caption(file, rank).unwrap_or_default());
        let line: String = captions.map(|text| format!("{text:<WIDE$}")).collect();
        let line = format!("{:width$}{line}", "", width = INDENT - CAPTION_LEAD);
        writeln!(f, "{}", line.trim_end())
    }

    /// The lines from a rank down to the next.
    fn write_lines_below(&self, f: &mut fmt::Formatter<'_>, rank: u8) -> fmt::Result {
        let between = self.between();
        write!(f, "{:INDENT$}", "")?;
        for file in 0..self.files {
            f.write_char('|')?;
            if file + 1 < self.files {
                // Seen from the upper left corner of the cell.
                let falling = is_diagonal(file, rank);
                write!(f, "{:^between$}", if falling { '\\' } else { '/' })?;
            }
        }
        f.write_char('\n')
    }
}

fn is_diagonal(file: u8, rank: u8) -> bool {
    (file + rank).is_multiple_of(2)
}

impl fmt::Display for LinedBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.ranks).rev() {
            self.write_rank(f, rank)?;
            if let Some(caption) = &self.captions {
                self.write_captions(f, rank, caption)?;
            }
            if rank > 0 {
                self.write_lines_below(f, rank)?;
            }
        }
        let between = self.between();
        write!(f, "\n{:INDENT$}", "")?;
        for file in 0..self.files {
            if file > 0 {
                write!(f, "{:between$}", "")?;
            }
            f.write_char(char::from(b'a' + file))?;
        }
        f.write_char('\n')
    }
}
