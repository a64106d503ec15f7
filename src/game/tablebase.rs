//! Endgame tablebases, as the search probes them.

use super::searchable::Searchable;
use crate::distance::{MAX_PLY, Ply};
use crate::score::Score;

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

    /// The score in the tree of a position so many plies from the root.
    pub fn score_at(self, ply: Ply) -> Score {
        match self {
            KnownResult::Win(plies) => Score::table_win_in(plies.saturating_add(ply.0)),
            KnownResult::Draw => Score::DRAW,
            KnownResult::Loss(plies) => -Score::table_win_in(plies.saturating_add(ply.0)),
        }
    }

    /// The score of a root move: a mate, as far as a score can tell how far away it is.
    pub fn root_score(self) -> Score {
        match self {
            KnownResult::Win(plies) if plies < MAX_PLY => Score::mating_at(Ply(plies)),
            KnownResult::Loss(plies) if plies < MAX_PLY => Score::mated_at(Ply(plies)),
            far => far.score_at(Ply::ROOT),
        }
    }

    /// The same from the other side, one ply nearer.
    #[must_use]
    pub fn after_move(self) -> KnownResult {
        match self.flipped() {
            KnownResult::Win(plies) => KnownResult::Win(plies.saturating_sub(1)),
            KnownResult::Draw => KnownResult::Draw,
            KnownResult::Loss(plies) => KnownResult::Loss(plies.saturating_sub(1)),
        }
    }
}

/// Endgame tablebases of a game: exact results where few pieces are left.
pub trait Tablebase<G: Searchable>: Send + Sync {
    /// Whether a probe may succeed: a cheap test, mostly by the number of pieces.
    fn may_know(&self, position: &G) -> bool;

    /// Probes a position; none if no table covers it.
    fn known(&self, position: &G) -> Option<KnownResult>;

    /// The legal moves with their results for the side that makes them, the move itself
    /// counted, best first. None unless all of them are covered.
    fn ranked_moves(&self, position: &G) -> Option<Vec<(G::Move, KnownResult)>>;

    /// A move that wins by a strategy laid down before, for positions that no table has, and how
    /// many plies it takes at most. It is asked for at the root alone.
    fn winning_move(&self, _position: &G) -> Option<(G::Move, u16)> {
        None
    }
}
