//! The board drawn with letters and lines.

use super::point::Point;
use super::position::Position;
use crate::lined_board::LinedBoard;
use qirkat_game::Color;

impl Position {
    /// The board as text, rank 5 on top. Lines join the points as on the real
    /// board; an empty diagonal point is drawn `*`, an empty plain point `+`.
    pub fn picture(&self) -> LinedBoard<'_> {
        LinedBoard::new(Point::FILES, Point::RANKS, |file, rank| {
            self.man_on(Point::new(file, rank)).map(letter)
        })
    }

    /// The same, drawn wider, with something written under each point.
    pub fn captioned_picture<'a>(
        &'a self,
        caption: impl Fn(Point) -> Option<String> + 'a,
    ) -> LinedBoard<'a> {
        self.picture().with_captions(move |file, rank| caption(Point::new(file, rank)))
    }
}

/// The letter of a side's men, in drawings and FEN.
pub(super) const fn letter(color: Color) -> char {
    match color {
        Color::White => 'M',
        Color::Black => 'm',
    }
}
