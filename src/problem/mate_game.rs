//! The games in which problems can be composed: those with check and mate.

use thiserror::Error;

use qirkat_rules::chess::{Geometry, Position};
use qirkat_rules::variant::{Variant, VariantGame};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{} has no mate, so there are no problems to solve in it", .0.title())]
pub struct ProblemError(pub(super) Variant);

pub(super) trait MateGame: VariantGame {
    /// The position after a null move by the side to move, which is not in check. Unlike
    /// [`Searchable::null_move`](qirkat_game::Searchable::null_move), it allows any pieces.
    fn passed(&self) -> Self;
}

impl<G: Geometry> MateGame for Position<G>
where
    Position<G>: VariantGame,
{
    fn passed(&self) -> Self {
        self.passed()
    }
}

/// Evaluates `$then` with `$own` as the position in its own game's type; an error in a game without
/// mate.
macro_rules! in_mate_game {
    ($position:expr, $own:ident => $then:expr) => {
        match $position {
            AnyPosition::Chesquerque($own) => Ok($then),
            AnyPosition::Masonic($own) => Ok($then),
            AnyPosition::Alquerque(_) => Err(ProblemError($position.variant())),
        }
    };
}
pub(super) use in_mate_game;

/// The position after a legal move, copied and changed in two steps: with
/// [`Rules::after`](qirkat_game::Rules::after) mate proofs take 2.5 % longer.
#[inline]
pub(super) fn played<G: MateGame>(position: &G, mv: G::Move) -> G {
    let mut next = *position;
    next.make(mv);
    next
}
