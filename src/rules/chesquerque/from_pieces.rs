//! Positions made of pieces instead of a FEN.

use super::bitboard::Bitboard;
use super::piece::{Piece, PieceKind};
use super::point::Point;
use super::position::Position;
use qirkat_game::Color;

impl Position {
    /// A position without castling rights or en passant, the clocks at their start; none
    /// where it would be impossible.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{Color, Piece, Point, Position};
    ///
    /// let piece = |letter: &str, point: &str| Some((letter.parse().ok()?, point.parse().ok()?));
    /// let pieces: [Option<(Piece, Point)>; 3] = [piece("K", "e1"), piece("k", "e9"), piece("R", "a1")];
    /// let position = Position::from_pieces(pieces.into_iter().flatten(), Color::White);
    /// let fen = position.map(|position| position.fen());
    /// assert_eq!(fen.as_deref(), Some("4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1"));
    /// ```
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece, Point)>,
        side_to_move: Color,
    ) -> Option<Position> {
        let mut position = Position { side_to_move, ..Position::EMPTY };
        for (piece, point) in pieces {
            if position.kind_on(point).is_some() {
                return None;
            }
            position.put(piece.color, piece.kind, point);
        }
        let end_ranks = Bitboard::rank(0) | Bitboard::rank(Point::RANKS - 1);
        let one_king = |color| position.of(color, PieceKind::King).len() == 1;
        if !Color::ALL.into_iter().all(one_king)
            || (position.of_kind(PieceKind::Pawn) & end_ranks).any()
            || position.is_attacked(position.king(!side_to_move), side_to_move, position.occupied())
        {
            return None;
        }
        position.key = position.key_from_scratch();
        Some(position)
    }
}
