//! What a proof wants of a game: one with check and mate.

use crate::game::{MoveFilter, Rules, Terminal};
use crate::variant::Member;
use crate::{chesquerque, masonic};

/// A game with check and mate, in which problems can be composed.
pub(super) trait MateGame: Member {
    /// The position after the side to move, which is not in check, has passed: whatever
    /// pieces it has, unlike [`Game::null_move`](crate::game::Game::null_move).
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

/// Whether the side to move is mated.
#[inline]
pub(super) fn is_mated<G: MateGame>(position: &G) -> bool {
    position.must_respond()
        && !Rules::has_legal_moves(position)
        && position.without_moves() == Terminal::Lost
}

/// Whether a legal move mates.
#[inline]
pub(super) fn mates<G: MateGame>(position: &G, mv: G::Move) -> bool {
    position.gives_check(mv) && !Rules::has_legal_moves(&played(position, mv))
}

/// Whether any move mates; only checks are made.
pub(super) fn has_mate<G: MateGame>(position: &G) -> bool {
    let mut found = false;
    Rules::add_moves(position, MoveFilter::All, &mut |mv| {
        found = found || mates(position, mv);
    });
    found
}
