//! Endgame tables, as the search asks them.

use super::searchable::Game;

/// What endgame tables know of a position for the side to move, the rule about reversible
/// plies and the plies already counted taken into account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownResult {
    /// It wins, in so many plies at best.
    Win(u16),
    /// Nobody can force a win, or a rule comes before it.
    Draw,
    /// It loses, in so many plies at best.
    Loss(u16),
}

/// Endgame tables of a game: what holds for certain where few pieces are left.
pub trait Tablebase<G: Game>: Send + Sync {
    /// Whether there may be an answer: a cheap question before the expensive ones.
    fn may_know(&self, position: &G) -> bool;

    /// What is known of a position, if anything.
    fn known(&self, position: &G) -> Option<KnownResult>;

    /// The legal moves with what each is worth to the side that makes it, itself counted,
    /// in the order in which a perfect player would choose them. Nothing unless all is
    /// known.
    fn ranked_moves(&self, position: &G) -> Option<Vec<(G::Move, KnownResult)>>;
}
