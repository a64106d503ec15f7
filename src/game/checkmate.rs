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

/// Whether any move mates; only checks are made.
pub fn has_mate<G: Searchable>(position: &G) -> bool {
    position.legal_moves().into_iter().any(|mv| mates(position, mv))
}
