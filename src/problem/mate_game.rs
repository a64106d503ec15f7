//! The games in which problems can be composed: those with check and mate.

use thiserror::Error;

use qirkat_rules::chess::{Geometry, Position};
use qirkat_rules::variant::{Variant, VariantGame};

use super::stipulation::Goal;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{} has no mate, so there are no problems to solve in it", .0.title())]
pub struct ProblemError(pub(super) Variant);

pub(super) trait MateGame: VariantGame {
    /// The position after a null move by the side to move, which is not in check. Unlike
    /// [`Searchable::null_move`](qirkat_game::Searchable::null_move), it allows any pieces.
    fn after_null_move(&self) -> Self;
}

impl<G: Geometry> MateGame for Position<G>
where
    Position<G>: VariantGame,
{
    fn after_null_move(&self) -> Self {
        self.after_null_move()
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

impl Goal {
    /// Whether the side to move is mated, or stalemated.
    pub(super) fn is_reached<G: MateGame>(self, position: &G) -> bool {
        position.must_respond() == (self == Goal::Mate) && !position.has_legal_moves()
    }

    #[inline]
    pub(super) fn is_reached_by<G: MateGame>(self, position: &G, mv: G::Move) -> bool {
        position.gives_check(mv) == (self == Goal::Mate) && !played(position, mv).has_legal_moves()
    }

    pub(super) fn is_reached_in_one<G: MateGame>(self, position: &G) -> bool {
        position.legal_moves().into_iter().any(|mv| self.is_reached_by(position, mv))
    }
}

/// The position after a legal move, copied and changed in two steps: with
/// [`Rules::after`](qirkat_game::Rules::after) mate proofs take 2.5 % longer.
#[inline]
pub(super) fn played<G: MateGame>(position: &G, mv: G::Move) -> G {
    let mut next = *position;
    next.make(mv);
    next
}
