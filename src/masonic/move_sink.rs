//! Where the generator's moves go: into a list, a count, or a question whether
//! there is any.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::direction::Direction;
use super::move_list::Move;
use super::piece::PieceKind;

/// What the generator does with the moves it finds: sets of targets come in, so
/// that counting them needs no list.
pub(super) trait MoveSink {
    /// Whether no more moves are wanted.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
    /// The piece on `from` may go to each of `targets`.
    fn moves(&mut self, from: Cell, targets: Bitboard);
    /// A pawn may go in that direction to each of `targets`.
    fn pawn_moves(&mut self, direction: Direction, targets: Bitboard);
    /// The same on the last rank: each is four moves.
    fn promotions(&mut self, direction: Direction, targets: Bitboard);
}

/// Counts the moves without listing them.
pub(super) struct Counter(pub u64);

impl MoveSink for Counter {
    #[inline]
    fn moves(&mut self, _: Cell, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn pawn_moves(&mut self, _: Direction, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn promotions(&mut self, _: Direction, targets: Bitboard) {
        self.0 += u64::from(targets.len()) * PieceKind::PROMOTIONS.len() as u64;
    }
}

/// Finds out whether there is any move.
pub(super) struct Any(pub bool);

impl MoveSink for Any {
    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }

    #[inline]
    fn moves(&mut self, _: Cell, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawn_moves(&mut self, _: Direction, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn promotions(&mut self, _: Direction, targets: Bitboard) {
        self.0 |= targets.any();
    }
}

/// Hands the moves on, one by one.
pub(super) struct Each<'a, F>(pub &'a mut F);

impl<F: FnMut(Move)> MoveSink for Each<'_, F> {
    #[inline]
    fn moves(&mut self, from: Cell, targets: Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(from, to)));
    }

    #[inline]
    fn pawn_moves(&mut self, direction: Direction, targets: Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(direction.origin(to), to)));
    }

    fn promotions(&mut self, direction: Direction, targets: Bitboard) {
        for to in targets {
            let from = direction.origin(to);
            for kind in PieceKind::PROMOTIONS {
                (self.0)(Move { from, to, promotion: Some(kind) });
            }
        }
    }
}
