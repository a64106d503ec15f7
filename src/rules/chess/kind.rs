//! Kinds of pieces, as texts and packed moves need them.

use std::fmt::Debug;
use std::hash::Hash;

/// A kind of piece. Kinds are ordered by value, the least valuable first.
pub trait Kind: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// All kinds, the least valuable first: the pawn. The king is the last.
    const ALL: &'static [Self];
    /// The pawn, which has no letter in algebraic notation.
    const PAWN: Self;
    /// The king.
    const KING: Self;
    /// What a pawn may become, strongest first.
    const PROMOTIONS: &'static [Self];

    /// What a text of one letter should be, for errors.
    const A_LETTER: &'static str;

    /// The kind's place in [`Kind::ALL`].
    fn index(self) -> usize;

    /// The lower-case letter used in FEN and move text.
    fn letter(self) -> char;

    /// The kind that a letter of either case stands for.
    fn from_letter(letter: char) -> Option<Self>;
}
