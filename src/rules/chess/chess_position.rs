//! Positions of a chess game, for code that is generic over games by their positions.

use qirkat_game::Rules;

use super::chess_move::Move;
use super::geometry::Geometry;
use super::kind::Kind;
use super::position::Position;
use super::square::Square;
use super::square_set::SquareSet;

/// A position of a chess game, for code that is generic over games by their positions, as
/// that of the search and of tables is: it tells that this is a [`Position`], and of which
/// geometry.
pub trait ChessPosition:
    Rules<Move = Move<Self::Square, Self::Kind>> + From<Position<Self::Geometry>>
{
    /// A square of the board.
    type Square: Square;
    /// A kind of piece.
    type Kind: Kind;
    /// A set of squares.
    type Bitboard: SquareSet<Self::Square>;
    /// The geometry of the game.
    type Geometry: Geometry<Square = Self::Square, Kind = Self::Kind, Bitboard = Self::Bitboard>;

    /// The position itself.
    fn chess(&self) -> &Position<Self::Geometry>;
}

impl<G: Geometry> ChessPosition for Position<G> {
    type Square = G::Square;
    type Kind = G::Kind;
    type Bitboard = G::Bitboard;
    type Geometry = G;

    #[inline]
    fn chess(&self) -> &Position<G> {
        self
    }
}
