//! Where the generator's moves go: to a function, to a list, into a count, or into the
//! answer whether there is any.

use arrayvec::ArrayVec;

use super::chess_move::Move;
use super::chess_position::{ChessTypes, MoveOf, PawnStep, SquareSet};
use super::kind::Kind;

/// What the generator does with the moves it finds: sets of targets come in, so
/// that counting them needs no list ("bulk counting").
pub(crate) trait MoveSink<G: ChessTypes> {
    /// Whether no more moves are wanted.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }

    /// The piece on `from` may go to each of `targets`.
    fn moves(&mut self, from: G::Square, targets: G::Bitboard);

    /// A pawn may go by `step` to each of `targets`.
    fn pawn_moves(&mut self, step: G::PawnStep, targets: G::Bitboard);

    /// The same on the last rank: each is as many moves as there are promotions.
    fn promotions(&mut self, step: G::PawnStep, targets: G::Bitboard);
}

/// Counts the moves without listing them.
pub(crate) struct Counter(pub u64);

impl<G: ChessTypes> MoveSink<G> for Counter {
    #[inline]
    fn moves(&mut self, _: G::Square, targets: G::Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn pawn_moves(&mut self, _: G::PawnStep, targets: G::Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn promotions(&mut self, _: G::PawnStep, targets: G::Bitboard) {
        self.0 += u64::from(targets.len()) * G::Kind::PROMOTIONS.len() as u64;
    }
}

/// Finds out whether there is any move.
pub(crate) struct Any(pub bool);

impl<G: ChessTypes> MoveSink<G> for Any {
    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }

    #[inline]
    fn moves(&mut self, _: G::Square, targets: G::Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawn_moves(&mut self, _: G::PawnStep, targets: G::Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn promotions(&mut self, _: G::PawnStep, targets: G::Bitboard) {
        self.0 |= targets.any();
    }
}

/// Hands the moves to a function, one by one.
pub(crate) struct Each<'a, F>(pub &'a mut F);

impl<G: ChessTypes, F: FnMut(MoveOf<G>)> MoveSink<G> for Each<'_, F> {
    #[inline]
    fn moves(&mut self, from: G::Square, targets: G::Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(from, to)));
    }

    #[inline]
    fn pawn_moves(&mut self, step: G::PawnStep, targets: G::Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(step.origin(to), to)));
    }

    fn promotions(&mut self, step: G::PawnStep, targets: G::Bitboard) {
        for to in targets {
            let from = step.origin(to);
            for &kind in G::Kind::PROMOTIONS {
                (self.0)(Move { from, to, promotion: Some(kind) });
            }
        }
    }
}

/// Adds the moves to a list.
impl<G: ChessTypes, const N: usize> MoveSink<G> for ArrayVec<MoveOf<G>, N> {
    #[inline]
    fn moves(&mut self, from: G::Square, targets: G::Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(from, to)));
    }

    #[inline]
    fn pawn_moves(&mut self, step: G::PawnStep, targets: G::Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(step.origin(to), to)));
    }

    fn promotions(&mut self, step: G::PawnStep, targets: G::Bitboard) {
        for to in targets {
            let from = step.origin(to);
            let kinds = G::Kind::PROMOTIONS.iter();
            self.extend(kinds.map(|&kind| Move { from, to, promotion: Some(kind) }));
        }
    }
}
