//! The board drawn with letters and lines.

use super::{Piece, Point, Position};
use crate::lined_board::LinedBoard;

impl Position {
    /// The board as text, rank 9 on top. Lines join the points as on the real
    /// board, and show which points are diagonal points. An empty
    /// diagonal point is drawn `*`, an empty plain point `+`.
    ///
    /// ```
    /// use qirkat_game::Rules;
    ///
    /// let text = qirkat_rules::chesquerque::Position::start().picture().to_string();
    /// assert!(text.starts_with(" 9  r---n---b---q---k---a---b---n---r\n"));
    /// ```
    pub fn picture(&self) -> LinedBoard<'_> {
        LinedBoard::new(Point::FILES, Point::RANKS, |file, rank| {
            self.piece_on(Point::new(file, rank)).map(Piece::letter)
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
