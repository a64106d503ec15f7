//! Endgame tablebases, as the search probes them.

use super::searchable::Game;

/// The result of a probe for the side to move. The 50-move rule and the plies already
/// counted are taken into account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownResult {
    /// A win, in so many plies with best play.
    Win(u16),
    /// A draw, by best play or by rule.
    Draw,
    /// A loss, in so many plies with best play.
    Loss(u16),
}

impl KnownResult {
    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> KnownResult {
        match self {
            KnownResult::Win(plies) => KnownResult::Loss(plies),
            KnownResult::Draw => KnownResult::Draw,
            KnownResult::Loss(plies) => KnownResult::Win(plies),
        }
    }
}

/// Endgame tablebases of a game: exact results where few pieces are left.
pub trait Tablebase<G: Game>: Send + Sync {
    /// Whether a probe may succeed: a cheap test, mostly by the number of pieces.
    fn may_know(&self, position: &G) -> bool;

    /// Probes a position; none if no table covers it.
    fn known(&self, position: &G) -> Option<KnownResult>;

    /// The legal moves with their results for the side that makes them, the move itself
    /// counted, best first. None unless all of them are covered.
    fn ranked_moves(&self, position: &G) -> Option<Vec<(G::Move, KnownResult)>>;
}
