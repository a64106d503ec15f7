//! The board's symmetry: half a turn.

use super::cell::Cell;
use super::en_passant::EnPassant;
use super::position::Position;

impl Position {
    /// The same game with the sides exchanged: the board after half a turn,
    /// White's pieces Black's and the other to move.
    ///
    /// Castling is not part of it, since the kings face each other: half a
    /// turn puts White's from `e1` on `d8`. All rights are dropped.
    pub fn turned(&self) -> Position {
        let mut turned = Position {
            side_to_move: !self.side_to_move,
            en_passant: self.en_passant.map(|EnPassant { passed, pawn }| EnPassant {
                passed: passed.turned(),
                pawn: pawn.turned(),
            }),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            ..Position::EMPTY
        };
        for cell in Cell::all() {
            if let Some(piece) = self.piece_on(cell) {
                turned.put(!piece.color, piece.kind, cell.turned());
            }
        }
        turned.key = turned.key_from_scratch();
        turned
    }
}
