//! The board seen from the other side.

use super::bitboard::Bitboard;
use super::castling::{CastlingRights, Wing};
use super::piece::PieceKind;
use super::point::{PerPoint, Point};
use super::position::Position;
use crate::game::{Color, Key};

impl Position {
    /// The same game with the sides exchanged: ranks flipped, White's pieces
    /// Black's and the other to move. What holds for one holds for the other.
    ///
    /// ```
    /// use qirkat::Position;
    ///
    /// let position = Position::start().play("e2e4".parse()?);
    /// assert_eq!(position.flipped().flipped(), position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flipped(&self) -> Position {
        let mut flipped = Position {
            by_color: [Bitboard::EMPTY; 2],
            by_kind: [Bitboard::EMPTY; PieceKind::COUNT],
            kind_on: PerPoint([None; Point::COUNT]),
            side_to_move: !self.side_to_move,
            castling: CastlingRights::NONE,
            en_passant: self.en_passant.map(Point::flipped),
            key: Key::default(),
            ..*self
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
