//! Kinds of pieces, as texts and packed moves need them.

use std::fmt::Debug;
use std::hash::Hash;

/// A kind of piece.
pub trait Kind: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The pawn, which has no letter in algebraic notation.
    const PAWN: Self;
    /// The king.
    const KING: Self;
    /// What a pawn may become, strongest first.
    const PROMOTIONS: &'static [Self];

    /// What a text of one letter should be, for errors.
    const A_LETTER: &'static str;

    /// The lower-case letter used in FEN and move text.
    fn letter(self) -> char;

    /// The kind that a letter of either case stands for.
    fn from_letter(letter: char) -> Option<Self>;
}
