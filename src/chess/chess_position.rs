//! What a chess position tells the generic code for notation and move generation.

use super::chess_move::Move;
use super::rule_words::RuleWords;
use super::square::Square;
use crate::game::Rules;

/// The types that a chess game is written in.
pub(crate) trait ChessTypes {
    type Square: Square;
    type Kind: RuleWords<Self::Square>;
    type Bitboard: SquareSet<Self::Square>;
    type PawnStep: PawnStep<Self::Square>;
}

/// A set of squares, as move generation hands it on.
pub(crate) trait SquareSet<S>: Copy + IntoIterator<Item = S> + 'static {
    /// The empty set.
    const EMPTY: Self;

    /// How many squares are in the set.
    fn len(self) -> u32;

    /// Whether any square is in the set.
    fn any(self) -> bool;
}

/// A step that many pawns make at once.
pub(crate) trait PawnStep<S>: Copy {
    /// Where a step that ends on `to` began.
    fn origin(self, to: S) -> S;
}

/// A move of a chess game.
pub(crate) type MoveOf<P> = Move<<P as ChessTypes>::Square, <P as ChessTypes>::Kind>;

/// A position of a chess game. Moves handed to the methods are legal.
pub(crate) trait ChessPosition: ChessTypes + Rules<Move = MoveOf<Self>> {
    /// The kind of piece on a square.
    fn kind_on(&self, square: Self::Square) -> Option<Self::Kind>;

    /// What a move captures, if anything.
    fn captured(&self, mv: MoveOf<Self>) -> Option<Self::Kind>;

    /// Whether a move is castling.
    fn is_castling(&self, mv: MoveOf<Self>) -> bool;

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
}
