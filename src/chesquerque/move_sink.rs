//! Where the generator's moves go: into a list, a count, or a question whether
//! there is any.

use super::bitboard::Bitboard;
use super::move_list::{Move, MoveList};
use super::piece::PieceKind;
use super::point::Point;

/// What the generator does with the moves it finds: sets of targets come in, so
/// that counting them needs no list.
pub(super) trait MoveSink {
    /// Whether no more moves are wanted.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
    /// The piece on `from` may go to each of `targets`.
    fn moves(&mut self, from: Point, targets: Bitboard);
    /// A pawn `step` behind each of `targets` may go there.
    fn pawn_moves(&mut self, step: i8, targets: Bitboard);
    /// The same on the last rank: each is five moves.
    fn promotions(&mut self, step: i8, targets: Bitboard);
}

/// Counts the moves without listing them.
pub(super) struct Counter(pub u64);

impl MoveSink for Counter {
    #[inline]
    fn moves(&mut self, _: Point, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn pawn_moves(&mut self, _: i8, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
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
    fn moves(&mut self, _: Point, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawn_moves(&mut self, _: i8, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
        self.0 |= targets.any();
    }
}

/// Hands the moves on, one by one.
pub(super) struct Each<'a, F>(pub &'a mut F);

impl<F: FnMut(Move)> MoveSink for Each<'_, F> {
    #[inline]
    fn moves(&mut self, from: Point, targets: Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(from, to)));
    }

    #[inline]
    fn pawn_moves(&mut self, step: i8, targets: Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(to.stepped(-step), to)));
    }

    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let from = to.stepped(-step);
            for kind in PieceKind::PROMOTIONS {
                (self.0)(Move { from, to, promotion: Some(kind) });
            }
        }
    }
}

impl MoveSink for MoveList {
    #[inline]
    fn moves(&mut self, from: Point, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(from, to)));
    }

    #[inline]
    fn pawn_moves(&mut self, step: i8, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(to.stepped(-step), to)));
    }

    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let from = to.stepped(-step);
            self.extend(PieceKind::PROMOTIONS.map(|kind| Move { from, to, promotion: Some(kind) }));
        }
    }
}
