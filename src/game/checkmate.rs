//! Checkmate, in games that have it ([`Searchable::HAS_CHECKMATE`]).

use super::rules::Terminal;
use super::searchable::Searchable;

/// Whether the side to move is mated.
#[inline]
pub fn is_mated<G: Searchable>(position: &G) -> bool {
    position.must_respond()
        && !position.has_legal_moves()
        && position.without_moves() == Terminal::Lost
}

/// Whether a legal move mates.
#[inline]
pub fn mates<G: Searchable>(position: &G, mv: G::Move) -> bool {
    position.gives_check(mv) && !position.after(mv).has_legal_moves()
}

/// A move that mates, if there is one; only checks are made.
pub fn mate_in_one<G: Searchable>(position: &G) -> Option<G::Move> {
    position.legal_moves().into_iter().find(|&mv| mates(position, mv))
}
