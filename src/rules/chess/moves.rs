//! Single moves: cheap tests (legality, capture), and making a move.

use qirkat_game::Color;

use super::castling::{CastlingPath, Wing, is_castling_step};
use super::geometry::{Geometry, MoveOf, Sources};
use super::pawns::last_rank;
use super::piece::{Kind, Move};
use super::position::{EnPassant, Position, black_to_move_key, castling_key};
use super::square::{Square, SquareSet};
use crate::Side;
use crate::fen::MAX_CLOCK;

impl<G: Geometry> Position<G> {
    pub(super) fn is_legal_for<S: Side>(&self, mv: MoveOf<G>) -> bool {
        let Move { from, to, promotion } = mv;
        let own = self.of_color(S::COLOR);
        let Some(kind) = self.kind_on(from).filter(|_| own.contains(from) && !own.contains(to))
        else {
            return false;
        };
        let promotes = kind == G::Kind::PAWN && last_rank::<G>(S::COLOR).contains(to);
        let is_promotion_named = match promotion {
            None => !promotes,
            Some(kind) => promotes && G::Kind::PROMOTIONS.contains(&kind),
        };
        if !is_promotion_named {
            return false;
        }
        let reached = if kind == G::Kind::KING {
            return self.king_move_is_legal::<S>(from, to);
        } else if kind == G::Kind::PAWN {
            if let Some(en_passant) = self.captured_double_step(from, to) {
                return self.en_passant_is_legal(S::COLOR, from, en_passant);
            }
            self.pawn_reaches(S::COLOR, from, to)
        } else {
            self.reaches(kind, S::COLOR, from, to, self.occupied())
        };
        if !reached {
            return false;
        }
        let checks = self.check_info::<S>();
        self.check_mask(&checks).contains(to)
            && (!checks.pinned.contains(from) || checks.pin_mask(from).contains(to))
    }

    fn king_move_is_legal<S: Side>(&self, from: G::Square, to: G::Square) -> bool {
        if is_castling_step::<G>(from, to) {
            return !self.in_check()
                && Wing::ALL.into_iter().any(|wing| {
                    let path = CastlingPath::<G>::of(S::COLOR, wing);
                    path.king_to == to && self.can_castle(S::COLOR, wing, &path)
                });
        }
        let king = G::Bitboard::of(from);
        self.reaches(G::Kind::KING, S::COLOR, from, to, self.occupied())
            && !self.is_attacked(to, S::Enemy::COLOR, self.occupied() ^ king)
    }

    /// Whether a piece of this kind and side on `from` attacks `to` with this occupancy, whether or
    /// not either square is occupied.
    #[inline]
    pub(super) fn reaches(
        &self,
        kind: G::Kind,
        color: Color,
        from: G::Square,
        to: G::Square,
        occupied: G::Bitboard,
    ) -> bool {
        if kind == G::Kind::PAWN {
            return G::pawn_sources(color, to).contains(from);
        }
        let Sources { near, far } = G::sources(kind, to);
        near.contains(from) || (far.contains(from) && (G::between(to, from) & occupied).is_empty())
    }

    #[inline]
    pub fn is_castling(&self, mv: MoveOf<G>) -> bool {
        self.kind_on(mv.from) == Some(G::Kind::KING) && is_castling_step::<G>(mv.from, mv.to)
    }

    #[inline]
    pub fn is_en_passant(&self, mv: MoveOf<G>) -> bool {
        self.captured_en_passant(mv).is_some()
    }

    #[inline]
    pub(super) fn captured_en_passant(&self, mv: MoveOf<G>) -> Option<EnPassant<G::Square>> {
        self.captured_double_step(mv.from, mv.to)
            .filter(|_| self.kind_on(mv.from) == Some(G::Kind::PAWN))
    }

    /// The kind of piece that a legal move captures, if any.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{PieceKind, Position};
    ///
    /// let position: Position = "4k4/9/9/3Pp4/9/9/9/9/4K4 w - e7 0 1".parse()?;
    /// // En passant captures on an empty point.
    /// assert_eq!(position.captured("d6e7".parse()?), Some(PieceKind::Pawn));
    /// assert_eq!(position.captured("d6d7".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn captured(&self, mv: MoveOf<G>) -> Option<G::Kind> {
        if self.is_en_passant(mv) { Some(G::Kind::PAWN) } else { self.kind_on(mv.to) }
    }

    /// The position after a null move, which is not legal; the search uses it. The side to move
    /// must not be in check.
    pub fn after_null_move(&self) -> Position<G> {
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
        let en_passant = self.forget_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);

        if let Some(captured) = self.kind_on(to) {
            self.remove(S::Enemy::COLOR, captured, to);
            self.halfmove_clock = 0;
        }
        self.shift(S::COLOR, kind, from, to);
        if let Some(promoted) = promotion {
            self.remove(S::COLOR, kind, to);
            self.put(S::COLOR, promoted, to);
        }

        if !self.castling.is_empty() {
            if kind == G::Kind::KING && is_castling_step::<G>(from, to) {
                self.move_castling_rook::<S>(to);
            }
            let left = self.castling.after_move::<G>(from, to);
            if left != self.castling {
                self.key ^= castling_key::<G>(self.castling);
                self.castling = left;
                self.key ^= castling_key::<G>(left);
            }
        }
        self.pass_turn(S::COLOR);
        if kind == G::Kind::PAWN {
            self.halfmove_clock = 0;
            // A step of one rank changes the index by about the number of files.
            let is_double =
                2 * from.index().abs_diff(to.index()) > 3 * usize::from(G::Square::FILES);
            if let Some(captured) =
                en_passant.filter(|it| it.is_captured_by::<G>(S::COLOR, from, to))
            {
                self.remove(S::Enemy::COLOR, G::Kind::PAWN, captured.pawn);
            } else if is_double && let Some(passed) = G::between(from, to).lsb() {
                self.offer_en_passant(S::Enemy::COLOR, EnPassant { passed, pawn: to });
            }
        }
    }

    #[inline]
    fn pass_turn(&mut self, mover: Color) {
        self.side_to_move = !mover;
        self.key ^= black_to_move_key::<G>();
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
