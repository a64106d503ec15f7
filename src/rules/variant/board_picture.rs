//! A board of any game drawn with letters that are no position.

use super::name::Variant;
use crate::lined_board::LinedBoard;
use crate::masonic;

impl Variant {
    /// The board as positions are drawn, with these letters on its points, by file and
    /// rank counted from 0. Where there is no letter, the point is empty.
    ///
    /// ```
    /// use qirkat_rules::variant::Variant;
    ///
    /// let corner = |file, rank| (file == 0 && rank == 0).then_some('x');
    /// assert!(Variant::Alquerque.draw_board(corner).contains(" 1  x---+---*---+---*\n"));
    /// ```
    pub fn draw_board(self, letter: impl Fn(u8, u8) -> Option<char>) -> String {
        match self {
            Variant::Chesquerque | Variant::Alquerque => {
                LinedBoard::new(self.board_size(), self.board_size(), letter).to_string()
            }
            Variant::Masonic => {
                masonic::Picture::new(|cell| letter(cell.file(), cell.rank())).to_string()
            }
        }
    }

    /// Whether pieces move in another way from some points, and slanting lines meet on
    /// this one.
    ///
    /// On the brick board all cells are of one kind.
    pub const fn is_diagonal_point(self, file: u8, rank: u8) -> bool {
        !matches!(self, Variant::Masonic) && (file + rank).is_multiple_of(2)
    }
}
