//! Where the generator's moves go: to a function, into a count, or into the answer whether
//! there is any.

use super::chess_move::Move;
use super::geometry::{Geometry, MoveOf};
use super::kind::Kind;
use super::square_set::SquareSet;

/// A receiver of the moves that the generator finds: sets of targets come in, so that
/// counting them needs no list ("bulk counting").
pub(super) trait MoveSink<G: Geometry> {
    /// Whether no more moves are wanted.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }

    /// The piece on `from` may go to each of `targets`.
    fn moves(&mut self, from: G::Square, targets: G::Bitboard);

    /// A pawn may go to each of `targets`, from the square that `origin` tells.
    fn pawn_moves(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard);

    /// The same on the last rank: each is as many moves as there are promotions.
    fn promotions(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard);
}

/// Counts the moves without listing them.
pub(super) struct Counter(pub u64);

impl<G: Geometry> MoveSink<G> for Counter {
    #[inline]
    fn moves(&mut self, _: G::Square, targets: G::Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn pawn_moves(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn promotions(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 += u64::from(targets.len()) * G::Kind::PROMOTIONS.len() as u64;
    }
}

/// Finds out whether there is any move.
pub(super) struct Any(pub bool);

impl<G: Geometry> MoveSink<G> for Any {
    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }

    #[inline]
    fn moves(&mut self, _: G::Square, targets: G::Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawn_moves(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn promotions(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 |= targets.any();
    }
}

/// Hands the moves to a function, one by one.
pub(super) struct Each<'a, F>(pub &'a mut F);

impl<G: Geometry, F: FnMut(MoveOf<G>)> MoveSink<G> for Each<'_, F> {
    #[inline]
    fn moves(&mut self, from: G::Square, targets: G::Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(from, to)));
    }

    #[inline]
    fn pawn_moves(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(origin(to), to)));
    }

    fn promotions(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        for to in targets {
            let from = origin(to);
            for &kind in G::Kind::PROMOTIONS {
                (self.0)(Move { from, to, promotion: Some(kind) });
            }
        }
    }
}
