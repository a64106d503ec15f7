//! The board's symmetry: the sides exchanged.

use super::point::Point;
use super::position::Position;
use crate::chess::Wing;
use qirkat_game::Color;

impl Position {
    /// The same game with the sides exchanged: ranks flipped, White's pieces
    /// Black's and the other to move. What holds for one holds for the other.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position = Position::start().play("e2e4".parse()?);
    /// assert_eq!(position.flipped().flipped(), position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flipped(&self) -> Position {
        let mut flipped = Position {
            side_to_move: !self.side_to_move,
            en_passant: self.en_passant.map(Point::flipped),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            ..Position::EMPTY
        };
        for point in self.occupied() {
            if let Some(piece) = self.piece_on(point) {
                flipped.put(!piece.color, piece.kind, point.flipped());
            }
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                if self.castling.has(color, wing) {
                    flipped.castling = flipped.castling.with(!color, wing);
                }
            }
        }
        flipped.key = flipped.key_from_scratch();
        flipped
    }
}
