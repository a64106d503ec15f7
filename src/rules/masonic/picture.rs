//! The board drawn with letters and bricks.

use std::fmt::{self, Write};

use super::{Cell, Piece, Position};
use crate::chess::Square;

impl Position {
    /// The board as text, rank 8 on top and the even ranks shifted. The file
    /// letters above stand over the even ranks, those below under the odd.
    pub fn picture(&self) -> Picture<'_> {
        Picture::new(|cell| self.piece_on(cell).map(Piece::letter))
    }

    /// The same, drawn wider, with something written under each piece.
    pub fn captioned_picture<'a>(
        &'a self,
        caption: impl Fn(Cell) -> Option<String> + 'a,
    ) -> Picture<'a> {
        Picture { captions: Some(Box::new(caption)), ..self.picture() }
    }
}

/// A brick board as text: see [`Position::picture`].
pub struct Picture<'a> {
    letter: Box<dyn Fn(Cell) -> Option<char> + 'a>,
    captions: Option<Box<dyn Fn(Cell) -> Option<String> + 'a>>,
}

/// Columns from one cell to the next, without captions and with them.
const NARROW: usize = 4;
const WIDE: usize = 8;
/// Columns before the first cell of a level rank.
const INDENT: usize = 4;

impl<'a> Picture<'a> {
    /// A board with these letters in its cells.
    pub fn new(letter: impl Fn(Cell) -> Option<char> + 'a) -> Picture<'a> {
        Picture { letter: Box::new(letter), captions: None }
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = if self.captions.is_some() { WIDE } else { NARROW };
        let half = width / 2;
        let shifted = INDENT + half;
        let bricks = usize::from(Cell::FILES);
        let letter = |file| format!("{:half$}{:<half$}", "", Cell::file_letter(file));
        let letters: String = (0..Cell::FILES).map(letter).collect();
        let letters = letters.trim_end();

        writeln!(f, "{:shifted$}{letters}", "")?;
        write_joint(shifted, width, bricks, f)?;
        for rank in (0..Cell::RANKS).rev() {
            let indent = if Cell::new(0, rank).is_shifted() { shifted } else { INDENT };
            write!(f, " {:<before$}|", rank + 1, before = indent - 1)?;
            for cell in (0..Cell::FILES).map(|file| Cell::new(file, rank)) {
                write!(f, "{:^wide$}|", (self.letter)(cell).unwrap_or(' '), wide = width - 1)?;
            }
            f.write_char('\n')?;
            if let Some(caption) = &self.captions {
                write!(f, "{:indent$}|", "")?;
                for cell in (0..Cell::FILES).map(|file| Cell::new(file, rank)) {
                    write!(f, "{:^wide$}|", caption(cell).unwrap_or_default(), wide = width - 1)?;
                }
                f.write_char('\n')?;
            }
            if rank > 0 {
                write_joint(INDENT, half, 2 * bricks + 1, f)?;
            }
        }
        write_joint(INDENT, width, bricks, f)?;
        writeln!(f, "{:INDENT$}{letters}", "")
    }
}

/// The line between two ranks, with corners `apart` columns from each other.
fn write_joint(
    indent: usize,
    apart: usize,
    bricks: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let brick = format!("{:-<between$}+", "", between = apart - 1);
    writeln!(f, "{:indent$}+{}", "", brick.repeat(bricks))
}
