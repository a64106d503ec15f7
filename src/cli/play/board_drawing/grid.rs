//! Characters in rows and columns.

use std::fmt;

/// Characters in rows and columns. What is outside is not drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::play) struct Grid {
    rows: Vec<Vec<char>>,
}

impl Grid {
    /// Nothing but spaces.
    pub fn new(width: u16, height: u16) -> Grid {
        Grid { rows: vec![vec![' '; width.into()]; height.into()] }
    }

    /// Puts a character somewhere.
    pub fn set(&mut self, column: u16, row: u16, letter: char) {
        let cells = self.rows.get_mut(usize::from(row));
        if let Some(cell) = cells.and_then(|row| row.get_mut(usize::from(column))) {
            *cell = letter;
        }
    }

    /// The characters, row by row.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|row| row.iter().collect())
    }
}

/// Without spaces at the ends of lines.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().try_for_each(|row| writeln!(f, "{}", row.trim_end()))
    }
}

/// The character where lines meet that lead up, down, left and right.
pub(super) fn corner(up: bool, down: bool, left: bool, right: bool) -> char {
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
