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
    letter: Letters<'a>,
    captions: Option<Captions<'a>>,
}

type Letters<'a> = Box<dyn Fn(Cell) -> Option<char> + 'a>;

type Captions<'a> = Box<dyn Fn(Cell) -> Option<String> + 'a>;

/// Columns from one cell to the next, without captions and with them.
const NARROW: usize = 4;
const WIDE: usize = 8;
/// Columns before the first cell of a level rank.
const INDENT: usize = 4;

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = if self.captions.is_some() { WIDE } else { NARROW };
        let half = width / 2;
        let shifted = INDENT + half;
        let files = usize::from(Cell::FILES);

        self.write_files(shifted, width, f)?;
        write_joint(shifted, width, files, f)?;
        for rank in (0..Cell::RANKS).rev() {
            let first = Cell::new(0, rank);
            let indent = if first.is_shifted() { shifted } else { INDENT };
            write_row(Some(rank + 1), indent, f, |cell_f, file| {
                let letter = (self.letter)(Cell::new(file, rank)).unwrap_or(' ');
                write!(cell_f, "{letter:^wide$}", wide = width - 1)
            })?;
            if let Some(caption) = &self.captions {
                write_row(None, indent, f, |cell_f, file| {
                    let text = caption(Cell::new(file, rank)).unwrap_or_default();
                    write!(cell_f, "{text:^wide$}", wide = width - 1)
                })?;
            }
            if rank > 0 {
                write_joint(INDENT, half, 2 * files + 1, f)?;
            }
        }
        write_joint(INDENT, width, files, f)?;
        self.write_files(INDENT, width, f)
    }
}

impl<'a> Picture<'a> {
    /// A board with these letters in its cells.
    pub fn new(letter: impl Fn(Cell) -> Option<char> + 'a) -> Picture<'a> {
        Picture { letter: Box::new(letter), captions: None }
    }
}

impl Picture<'_> {
    fn write_files(&self, indent: usize, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:indent$}", "")?;
        for file in 0..Cell::FILES {
            let letter = Cell::file_letter(file);
            // The last letter needs nothing behind it.
            let behind = if file + 1 < Cell::FILES { width - width / 2 - 1 } else { 0 };
            write!(f, "{letter:>before$}{:behind$}", "", before = width / 2 + 1)?;
        }
        f.write_char('\n')
    }
}

/// The line between two ranks, with corners `apart` columns from each other.
fn write_joint(
    indent: usize,
    apart: usize,
    bricks: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "{:indent$}+", "")?;
    for _ in 0..bricks {
        write!(f, "{:-<between$}+", "", between = apart - 1)?;
    }
    f.write_char('\n')
}

fn write_row(
    number: Option<u8>,
    indent: usize,
    f: &mut fmt::Formatter<'_>,
    cell: impl Fn(&mut fmt::Formatter<'_>, u8) -> fmt::Result,
) -> fmt::Result {
    match number {
        Some(number) => write!(f, " {number:<before$}|", before = indent - 1)?,
        None => write!(f, "{:indent$}|", "")?,
    }
    for file in 0..Cell::FILES {
        cell(f, file)?;
        f.write_char('|')?;
    }
    f.write_char('\n')
}
