//! The board drawn with letters and lines.

use std::fmt::{self, Write};

use super::{Point, Position};

impl Position {
    /// The board as text, rank 9 on top. Lines join the points as on the real
    /// board, so the points with slanting lines are the diagonal points; an
    /// empty one is drawn `*`, an empty plain point `+`.
    pub fn picture(&self) -> Picture<'_> {
        Picture(self)
    }
}

/// See [`Position::picture`].
pub struct Picture<'a>(&'a Position);

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..Point::RANKS).rev() {
            write!(f, " {}  ", rank + 1)?;
            for file in 0..Point::FILES {
                if file > 0 {
                    f.write_str("---")?;
                }
                let point = Point::new(file, rank);
                f.write_char(match self.0.piece_on(point) {
                    Some(piece) => piece.letter(),
                    None if point.is_diagonal() => '*',
                    None => '+',
                })?;
            }
            f.write_char('\n')?;
            if rank > 0 {
                f.write_str("    ")?;
                for file in 0..Point::FILES {
                    f.write_char('|')?;
                    if file + 1 < Point::FILES {
                        // Seen from the upper left corner of the cell.
                        let falling = Point::new(file, rank).is_diagonal();
                        f.write_str(if falling { " \\ " } else { " / " })?;
                    }
                }
                f.write_char('\n')?;
            }
        }
        f.write_str("\n    ")?;
        for file in 0..Point::FILES {
            if file > 0 {
                f.write_str("   ")?;
            }
            f.write_char(Point::file_letter(file))?;
        }
        f.write_char('\n')
    }
}
