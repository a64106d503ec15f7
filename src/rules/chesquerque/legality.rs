//! Cheap questions about a single move: is it legal, does it give check, does
//! it capture.

use super::bitboard::Bitboard;
use super::castling::is_castling_step;
use super::lines::{LINES, between};
use super::move_list::Move;
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use super::side::{Black, Side, White};
use qirkat_game::{Color, MoveFilter};

impl Position {
    /// Whether a move from anywhere (a hash table, a text) is legal here.
    /// [`Position::why_illegal`] says why it is not.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position = Position::start();
    /// assert!(position.is_legal("e2e4".parse()?));
    /// assert!(!position.is_legal("e2e5".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let names_piece =
            promotion.is_some_and(|kind| kind != PieceKind::Pawn && kind != PieceKind::King);
        if promotes != names_piece || (promotion.is_some() && !promotes) {
            return false;
        }
        let reached = match kind {
            PieceKind::King => return self.king_move_is_legal::<S>(from, to),
            PieceKind::Pawn if self.en_passant == Some(to) && !self.pawn_reaches::<S>(from, to) => {
                return self.en_passant_captors::<S>(to).contains(from)
                    && self.en_passant_is_legal::<S>(from, to);
            }
            PieceKind::Pawn => self.pawn_reaches::<S>(from, to),
            _ => self.reaches(kind, S::COLOR, from, to, self.occupied()),
        };
        if !reached {
            return false;
        }
        let danger = self.king_danger::<S>();
        danger.parrying_points().contains(to)
            && (!danger.pinned.contains(from) || danger.pin_mask(from).contains(to))
    }

    fn king_move_is_legal<S: Side>(&self, from: Point, to: Point) -> bool {
        if is_castling_step(from, to) {
            return self.moves(MoveFilter::Quiet).contains(&Move::new(from, to));
        }
        self.reaches(PieceKind::King, S::COLOR, from, to, self.occupied())
            && !self.is_attacked(to, S::Enemy::COLOR, self.occupied() ^ from.bit())
    }

    /// Whether a pawn of side `S` on `from` may step to or capture on `to`,
    /// en passant and the king's safety aside.
    fn pawn_reaches<S: Side>(&self, from: Point, to: Point) -> bool {
        let occupied = self.occupied();
        if occupied.contains(to) {
            return LINES[to].pawn_sources[S::COLOR.index()].contains(from);
        }
        let step = S::forward(from.bit()) & !occupied;
        (step | S::forward(step & S::THIRD_RANK)).contains(to)
    }

    /// Whether a piece of this kind and side on `from` attacks `to` when the
    /// points in `occupied` are taken. Whether a piece stands on either point
    /// does not matter.
    #[inline]
    pub(super) fn reaches(
        &self,
        kind: PieceKind,
        color: Color,
        from: Point,
        to: Point,
        occupied: Bitboard,
    ) -> bool {
        use PieceKind::*;
        let lines = &LINES[to];
        let (near, far) = match kind {
            Pawn => (lines.pawn_sources[color.index()], Bitboard::EMPTY),
            Knight => (Bitboard::EMPTY, lines.knight_reach),
            Bishop => (lines.orthogonal_steps, lines.diagonal_lines),
            Rook => (lines.diagonal_steps, lines.orthogonal_lines),
            Archbishop => (lines.orthogonal_steps, lines.diagonal_lines | lines.knight_reach),
            Queen => (Bitboard::EMPTY, lines.orthogonal_lines | lines.diagonal_lines),
            King => (lines.orthogonal_steps | lines.diagonal_steps, Bitboard::EMPTY),
        };
        near.contains(from) || (far.contains(from) && (between(to, from) & occupied).is_empty())
    }

    /// Whether a legal move gives check.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position: Position = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1".parse()?;
    /// assert!(position.gives_check("a1a9".parse()?));
    /// assert!(!position.gives_check("a1a8".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        // Knights' legs are neighbours of the king, so they lie on its lines.
        let lines = &LINES[king];
        (lines.orthogonal_lines | lines.diagonal_lines).contains(from)
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
        self.en_passant == Some(mv.to) && self.kind_on(mv.from) == Some(PieceKind::Pawn)
    }

    /// What a legal move captures, if anything.
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
    pub fn captured(&self, mv: Move) -> Option<PieceKind> {
        if self.is_en_passant(mv) { Some(PieceKind::Pawn) } else { self.kind_on(mv.to) }
    }

    /// Whether a legal move captures or promotes.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.promotion.is_some() || self.captured(mv).is_some()
    }
}
