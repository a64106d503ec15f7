//! What a proof wants of a game: one with check and mate.

use qirkat_rules::variant::Member;
use qirkat_rules::{chesquerque, masonic};

/// A game with check and mate, in which problems can be composed.
pub(super) trait MateGame: Member {
    /// The position after the side to move, which is not in check, has passed: whatever
    /// pieces it has, unlike [`Game::null_move`](qirkat_game::Game::null_move).
    fn passed(&self) -> Self;
}

impl MateGame for chesquerque::Position {
    fn passed(&self) -> Self {
        self.play_null()
    }
}

impl MateGame for masonic::Position {
    fn passed(&self) -> Self {
        self.play_null()
    }
}

/// The position after a legal move, copied and changed in two steps.
#[inline]
pub(super) fn played<G: MateGame>(position: &G, mv: G::Move) -> G {
    let mut next = *position;
    next.make(mv);
    next
}
