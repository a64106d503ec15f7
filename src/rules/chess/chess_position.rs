//! What a chess position tells the generic code for notation, move generation and tables.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::castling::CastlingRights;
use super::chess_move::Move;
use super::piece::Piece;
use super::rule_words::RuleWords;
use super::square::Square;
use qirkat_game::Rules;

/// The types that a chess game is written in.
pub trait ChessTypes {
    /// A square of the board.
    type Square: Square;
    /// A kind of piece.
    type Kind: RuleWords<Self::Square>;
    /// A set of squares.
    type Bitboard: SquareSet<Self::Square>;
    /// A step that many pawns make at once.
    type PawnStep: PawnStep<Self::Square>;
}

/// A set of squares.
pub trait SquareSet<S>:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitOrAssign
    + BitXorAssign
    + FromIterator<S>
    + IntoIterator<Item = S>
    + 'static
{
    /// The empty set.
    const EMPTY: Self;

    /// The set that holds this square alone.
    fn of(square: S) -> Self;

    /// Whether a square is in the set.
    fn contains(self, square: S) -> bool;

    /// How many squares are in the set.
    fn len(self) -> u32;

    /// Whether any square is in the set.
    fn any(self) -> bool;
}

/// A step that many pawns make at once.
pub trait PawnStep<S>: Copy {
    /// Where a step that ends on `to` began.
    fn origin(self, to: S) -> S;
}

/// A move of a chess game.
pub type MoveOf<P> = Move<<P as ChessTypes>::Square, <P as ChessTypes>::Kind>;

/// A position of a chess game. Moves handed to the methods are legal.
pub trait ChessPosition: ChessTypes + Rules<Move = MoveOf<Self>> {
    /// The squares on which pieces stand.
    fn occupied(&self) -> Self::Bitboard;

    /// The piece on a square.
    fn piece_on(&self, square: Self::Square) -> Option<Piece<Self::Kind>>;

    /// The castling moves not yet forfeited.
    fn castling(&self) -> CastlingRights;

    /// The kind of piece on a square.
    fn kind_on(&self, square: Self::Square) -> Option<Self::Kind>;

    /// What a move captures, if anything.
    fn captured(&self, mv: MoveOf<Self>) -> Option<Self::Kind>;

    /// Whether a move is castling.
    fn is_castling(&self, mv: MoveOf<Self>) -> bool;

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
}
