//! Cheap questions about a single move: is it legal, does it give check, does
//! it capture.

use super::bitboard::Bitboard;
use super::castling::is_castling_step;
use super::cell::Cell;
use super::lines::{LINES, between};
use super::move_list::Move;
use super::piece::PieceKind;
use super::position::Position;
use super::side::{Black, Side, White};
use qirkat_game::{Color, MoveFilter};

impl Position {
    /// Whether a move from anywhere (a hash table, a text) is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move {
            Color::White => self.is_legal_for::<White>(mv),
            Color::Black => self.is_legal_for::<Black>(mv),
        }
    }

    fn is_legal_for<S: Side>(&self, mv: Move) -> bool {
        let Move { from, to, promotion } = mv;
        let own = self.of_color(S::COLOR);
        let Some(kind) = self.kind_on(from).filter(|_| own.contains(from) && !own.contains(to))
        else {
            return false;
        };
        let promotes = kind == PieceKind::Pawn && S::LAST_RANK.contains(to);
        let is_promotion_named = match promotion {
            None => !promotes,
            Some(kind) => promotes && PieceKind::PROMOTIONS.contains(&kind),
        };
        if !is_promotion_named {
            return false;
        }
        let reached = match kind {
            PieceKind::King => return self.king_move_is_legal::<S>(from, to),
            PieceKind::Pawn => {
                if let Some(target) = self.answered_double_step(from, to) {
                    return self.en_passant_is_legal::<S>(from, target);
                }
                self.pawn_reaches::<S>(from, to)
            }
            _ => self.reaches(kind, S::COLOR, from, to, self.occupied()),
        };
        if !reached {
            return false;
        }
        let danger = self.king_danger::<S>();
        danger.parrying_cells().contains(to)
            && (!danger.pinned.contains(from) || danger.pin_mask(from).contains(to))
    }

    fn king_move_is_legal<S: Side>(&self, from: Cell, to: Cell) -> bool {
        if is_castling_step(from, to) {
            return self.moves(MoveFilter::Quiet).contains(&Move::new(from, to));
        }
        self.reaches(PieceKind::King, S::COLOR, from, to, self.occupied())
            && !self.is_attacked(to, S::Enemy::COLOR, self.occupied() ^ from.bit())
    }

    /// Whether a pawn of side `S` on `from` may step to or capture on `to`,
    /// en passant and the king's safety aside.
    fn pawn_reaches<S: Side>(&self, from: Cell, to: Cell) -> bool {
        let occupied = self.occupied();
        if occupied.contains(to) {
            return LINES[to].pawn_sources(S::COLOR).contains(from);
        }
        S::STEPS.into_iter().any(|step| {
            let first = step.shift(from.bit()) & !occupied;
            (first | step.shift(first & S::THIRD_RANK)).contains(to)
        })
    }

    /// Whether a piece of this kind and side on `from` attacks `to` when the
    /// cells in `occupied` are taken. Whether a piece stands on either cell
    /// does not matter.
    #[inline]
    pub(super) fn reaches(
        &self,
        kind: PieceKind,
        color: Color,
        from: Cell,
        to: Cell,
        occupied: Bitboard,
    ) -> bool {
        use PieceKind::*;
        let lines = &LINES[to];
        let (near, far) = match kind {
            Pawn => (lines.pawn_sources(color), Bitboard::EMPTY),
            Knight => (lines.knight_leaps, Bitboard::EMPTY),
            Bishop => (lines.rook_steps, lines.diagonal_lines),
            Rook => (Bitboard::EMPTY, lines.rook_lines),
            Queen => (Bitboard::EMPTY, lines.rook_lines | lines.diagonal_lines),
            King => (lines.rook_steps | lines.diagonal_steps, Bitboard::EMPTY),
        };
        near.contains(from) || (far.contains(from) && (between(to, from) & occupied).is_empty())
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let Move { from, to, promotion } = mv;
        let us = self.side_to_move;
        let Some(kind) = self.kind_on(from) else { return false };
        if self.is_castling(mv) || self.is_en_passant(mv) {
            // Two pieces move or vanish; rare enough to look at the result.
            return self.play(mv).in_check();
        }
        let king = self.king(!us);
        let occupied = (self.occupied() ^ from.bit()) | to.bit();
        if self.reaches(promotion.unwrap_or(kind), us, to, king, occupied) {
            return true;
        }
        let lines = &LINES[king];
        (lines.rook_lines | lines.diagonal_lines).contains(from)
            && (self.far_attackers_of(us, king) & !from.bit()).into_iter().any(|attacker| {
                let way = between(king, attacker);
                way.contains(from) && (way & occupied).is_empty()
            })
    }

    /// Whether a legal move is a castling move.
    #[inline]
    pub fn is_castling(&self, mv: Move) -> bool {
        self.kind_on(mv.from) == Some(PieceKind::King) && is_castling_step(mv.from, mv.to)
    }

    /// Whether a legal move captures en passant.
    #[inline]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.answered_double_step(mv.from, mv.to).is_some()
            && self.kind_on(mv.from) == Some(PieceKind::Pawn)
    }

    /// What a legal move captures, if anything.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<PieceKind> {
        if self.is_en_passant(mv) { Some(PieceKind::Pawn) } else { self.kind_on(mv.to) }
    }

    /// Whether a legal move captures or promotes.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.promotion.is_some() || self.captured(mv).is_some()
    }
}
