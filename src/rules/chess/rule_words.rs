//! The rules in words, for reasons against illegal moves.

use super::kind::Kind;

/// The rules in words, where they differ from game to game.
pub trait RuleWords<S>: Kind {
    /// How a pawn does not capture; `, and e6 is taken` follows.
    const PAWN_BLOCKED: &'static str;
    /// When a pawn may make its double step.
    const DOUBLE_STEP: &'static str;
    /// What a pawn becomes on the last rank, and how that is written.
    const NEEDS_PROMOTION: &'static str;

    /// The kind's English name.
    fn name(self) -> &'static str;

    /// How a piece of this kind moves from a square: `a rook moves along its rank ...`.
    fn movement(self, from: S) -> String;
}
