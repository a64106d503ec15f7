//! What is known of each legal move, also where that is not all: by tables, and in Alquerque by
//! certificates.

use qirkat_game::Rules;

use super::probe::RankedMove;
use super::value::TableResult;

/// A legal move of which is known what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownMove<M> {
    /// The move.
    pub mv: M,
    /// The result for the side that makes it, counting the plies already on the clock.
    pub result: TableResult,
    /// Plies to the end of the game, the move itself counted; none where it is drawn.
    pub plies: Option<u16>,
    /// Whether it may take less: a certificate tells how many plies it takes at most.
    pub is_bound: bool,
}

/// The legal moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownMoves<M> {
    /// Those of which is known what they lead to, the best first.
    pub known: Vec<KnownMove<M>>,
    /// The others.
    pub unknown: Vec<M>,
}

impl<M> Default for KnownMoves<M> {
    fn default() -> KnownMoves<M> {
        KnownMoves { known: Vec::new(), unknown: Vec::new() }
    }
}

impl<M> KnownMoves<M> {
    /// The same with other moves.
    pub(crate) fn converted<N>(self, convert: impl Fn(M) -> N) -> KnownMoves<N> {
        let known = self.known.into_iter().map(|known| KnownMove {
            mv: convert(known.mv),
            result: known.result,
            plies: known.plies,
            is_bound: known.is_bound,
        });
        KnownMoves {
            known: known.collect(),
            unknown: self.unknown.into_iter().map(&convert).collect(),
        }
    }
}

impl<G: Rules> From<&RankedMove<G>> for KnownMove<G::Move> {
    fn from(ranked: &RankedMove<G>) -> KnownMove<G::Move> {
        let RankedMove { mv, value, .. } = *ranked;
        KnownMove { mv, result: value.result, plies: value.dtm, is_bound: false }
    }
}
