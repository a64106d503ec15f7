//! Making moves, by copying the position and changing the copy.

use qirkat_game::Color;

use super::castling::{CastlingPath, Wing, is_castling_step};
use super::chess_move::Move;
use super::geometry::{Geometry, MoveOf};
use super::kind::Kind;
use super::position::{EnPassant, Position};
use super::side::Side;
use super::square::Square;
use super::square_set::SquareSet;
use super::zobrist;
use crate::fen_fields::MAX_CLOCK;

impl<G: Geometry> Position<G> {
    /// The position after the side to move has passed. Not a legal move; search uses it. The
    /// side to move must not be in check.
    pub fn passed(&self) -> Position<G> {
        let mut next = *self;
        next.forget_en_passant();
        next.halfmove_clock = (next.halfmove_clock + 1).min(MAX_CLOCK);
        next.pass_turn(self.side_to_move);
        next
    }

    /// Makes a legal move of side `S`.
    #[inline]
    pub(super) fn make_for<S: Side>(&mut self, mv: MoveOf<G>) {
        let Move { from, to, promotion } = mv;
        let Some(kind) = self.kind_on(from) else {
            debug_assert!(false, "no piece on {from} to move");
            return;
        };
        let passed_over = self.forget_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);

        if let Some(captured) = self.kind_on(to) {
            self.take(S::Enemy::COLOR, captured, to);
            self.halfmove_clock = 0;
        }
        self.shift(S::COLOR, kind, from, to);
        if let Some(promoted) = promotion {
            self.take(S::COLOR, kind, to);
            self.put(S::COLOR, promoted, to);
        }

        if !self.castling.is_empty() {
            if kind == G::Kind::KING && is_castling_step::<G>(from, to) {
                self.move_castling_rook::<S>(to);
            }
            let left = self.castling.after_move::<G>(from, to);
            if left != self.castling {
                self.key ^= zobrist::castling::<G>(self.castling);
                self.castling = left;
                self.key ^= zobrist::castling::<G>(left);
            }
        }
        self.pass_turn(S::COLOR);
        if kind == G::Kind::PAWN {
            self.halfmove_clock = 0;
            // One rank is as many indices as there are files, or nearly so.
            let is_double =
                2 * from.index().abs_diff(to.index()) > 3 * usize::from(G::Square::FILES);
            if let Some(target) =
                passed_over.filter(|it| it.is_answered_by::<G>(S::COLOR, from, to))
            {
                self.take(S::Enemy::COLOR, G::Kind::PAWN, target.pawn);
            } else if is_double && let Some(passed) = G::between(from, to).lsb() {
                self.offer_en_passant(S::Enemy::COLOR, EnPassant { passed, pawn: to });
            }
        }
    }

    #[inline]
    fn pass_turn(&mut self, mover: Color) {
        self.side_to_move = !mover;
        self.key ^= zobrist::black_to_move::<G>();
        self.fullmove_number = (self.fullmove_number + mover as u16).min(MAX_CLOCK);
    }

    #[cold]
    fn move_castling_rook<S: Side>(&mut self, king_to: G::Square) {
        for wing in Wing::ALL {
            let path = CastlingPath::<G>::of(S::COLOR, wing);
            if path.king_to == king_to {
                self.shift(S::COLOR, G::Kind::ROOK, path.rook_from, path.rook_to);
            }
        }
    }
}
