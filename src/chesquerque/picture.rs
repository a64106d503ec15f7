//! The board drawn with letters and lines.

use std::fmt::{self, Write};

use super::{Point, Position};

impl Position {
    /// The board as text, rank 9 on top. Lines join the points as on the real
    /// board, and show which points are diagonal points. An empty
    /// diagonal point is drawn `*`, an empty plain point `+`.
    ///
    /// ```
    /// let text = qirkat::Position::start().picture().to_string();
    /// assert!(text.starts_with(" 9  r---n---b---q---k---a---b---n---r\n"));
    /// ```
    pub fn picture(&self) -> Picture<'_> {
        Picture { position: self, captions: None }
    }

    /// The same, drawn wider, with something written under each point.
    pub fn captioned_picture<'a>(
        &'a self,
        caption: impl Fn(Point) -> Option<String> + 'a,
    ) -> Picture<'a> {
        Picture { position: self, captions: Some(Box::new(caption)) }
    }
}

/// A drawing of the board, to be displayed: see [`Position::picture`].
pub struct Picture<'a> {
    position: &'a Position,
    captions: Option<Captions<'a>>,
}

/// What is written under a point.
type Captions<'a> = Box<dyn Fn(Point) -> Option<String> + 'a>;

/// Columns from one point to the next, without captions and with them.
const NARROW: usize = 4;
const WIDE: usize = 8;
/// Columns before the first point.
const INDENT: usize = 4;
/// Columns by which a caption begins before its point.
const CAPTION_LEAD: usize = 2;

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.captions.is_some() { WIDE } else { NARROW } - 1;
        for rank in (0..Point::RANKS).rev() {
            write!(f, " {}  ", rank + 1)?;
            for file in 0..Point::FILES {
                if file > 0 {
                    write!(f, "{:-<between$}", "")?;
                }
                f.write_char(self.symbol(Point::new(file, rank)))?;
            }
            f.write_char('\n')?;
            if let Some(caption) = &self.captions {
                let captions = (0..Point::FILES).map(|file| caption(Point::new(file, rank)));
                let line: String =
                    captions.map(|text| format!("{:<WIDE$}", text.unwrap_or_default())).collect();
                let line = format!("{:width$}{line}", "", width = INDENT - CAPTION_LEAD);
                writeln!(f, "{}", line.trim_end())?;
            }
            if rank > 0 {
                write!(f, "{:INDENT$}", "")?;
                for file in 0..Point::FILES {
                    f.write_char('|')?;
                    if file + 1 < Point::FILES {
                        // Seen from the upper left corner of the cell.
                        let falling = Point::new(file, rank).is_diagonal();
                        write!(f, "{:^between$}", if falling { '\\' } else { '/' })?;
                    }
                }
                f.write_char('\n')?;
            }
        }
        write!(f, "\n{:INDENT$}", "")?;
        for file in 0..Point::FILES {
            if file > 0 {
                write!(f, "{:between$}", "")?;
            }
            f.write_char(Point::file_letter(file))?;
        }
        f.write_char('\n')
    }
}

impl Picture<'_> {
    fn symbol(&self, point: Point) -> char {
        match self.position.piece_on(point) {
            Some(piece) => piece.letter(),
            None if point.is_diagonal() => '*',
            None => '+',
        }
    }
}
