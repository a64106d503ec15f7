//! The board of a chess game as tables need it.

use super::once_per_game::OncePerGame;
use qirkat_game::Color;
use qirkat_rules::chess::{ChessPosition, Piece, Position};
use qirkat_rules::variant::Member;

/// A chess game as tables see it: its geometry, and the symmetries of its board. Where a piece
/// stands is called a point, whatever the game calls it.
///
/// Tables are solved backwards, so what a piece attacks attacks that piece's point when a
/// piece of the same kind stands there: every move but a pawn's can be taken back by the
/// same move.
pub trait TableBoard: ChessPosition + Member {
    /// The number of symmetries of the board that keep the moves of all pieces but pawns. The first
    /// changes nothing.
    const SYMMETRIES: usize;
    /// The number of these, the first ones, that keep the moves of pawns too.
    const PAWN_SYMMETRIES: usize;

    /// Where a symmetry takes a point.
    fn image(symmetry: usize, point: Self::Square) -> Self::Square;

    /// The values computed once for all tables of the game.
    fn once() -> &'static OncePerGame;

    /// The position with these pieces, without castling rights or en passant; none where it
    /// would be impossible.
    fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece<Self::Kind>, Self::Square)>,
        side_to_move: Color,
    ) -> Option<Self> {
        Position::from_pieces(pieces, side_to_move).map(Self::from)
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    fn clock(&self) -> u16 {
        self.reversible_plies() as u16
    }
}
