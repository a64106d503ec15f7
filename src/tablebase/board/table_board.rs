//! What tables need to know of a game's board, moves and positions.

use super::once_per_game::OncePerGame;
use qirkat_game::Color;
use qirkat_rules::chess::{ChessPosition, Piece};
use qirkat_rules::variant::Member;

/// A chess game as tables see it: how its pieces move on an otherwise bare board, and how its
/// positions are taken apart and put together. Where a piece stands is called a point,
/// whatever the game calls it.
///
/// Tables are solved backwards, so what a piece attacks attacks that piece's point when a
/// piece of the same kind stands there: every move but a pawn's can be taken back by the
/// same move.
pub trait TableBoard: ChessPosition + Member {
    /// How many symmetries of the board keep the moves of all pieces but pawns. The first
    /// changes nothing.
    const SYMMETRIES: usize;
    /// How many of these, the first ones, keep the moves of pawns too.
    const PAWN_SYMMETRIES: usize;

    /// Where a symmetry takes a point.
    fn image(symmetry: usize, point: Self::Square) -> Self::Square;

    /// Where a point lies for White as another does for Black.
    fn flipped(point: Self::Square) -> Self::Square;

    /// The points that a piece other than a pawn attacks when these are taken.
    fn piece_attacks(
        kind: Self::Kind,
        from: Self::Square,
        occupied: Self::Bitboard,
    ) -> Self::Bitboard;

    /// The points on which a pawn captures.
    fn pawn_captures(color: Color, from: Self::Square) -> Self::Bitboard;

    /// The points to which a pawn steps without a capture.
    fn pawn_steps(color: Color, from: Self::Square) -> Self::Bitboard;

    /// Where a pawn's double step over a point leads, if it may make one from there.
    fn double_step(color: Color, from: Self::Square, over: Self::Square) -> Option<Self::Square>;

    /// What is computed once for all tables of the game.
    fn once() -> &'static OncePerGame;

    /// Where a side's king stands.
    fn king(&self, color: Color) -> Self::Square;

    /// Whether a side may still castle, which tables do not know.
    fn can_castle(&self) -> bool {
        !self.castling().is_empty()
    }

    /// Whether a capture en passant is legal.
    fn has_en_passant(&self) -> bool;

    /// The position with these pieces, without castling rights or en passant; none where it
    /// would be impossible.
    fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece<Self::Kind>, Self::Square)>,
        side_to_move: Color,
    ) -> Option<Self>;

    /// Plies since the last capture or pawn move.
    #[inline]
    fn clock(&self) -> u16 {
        self.reversible_plies() as u16
    }
}
