//! En passant: straight after a double step, an enemy pawn that could capture
//! on the cell passed over may do so.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::en_passant::EnPassant;
use super::lines::LINES;
use super::piece::PieceKind;
use super::position::Position;
use super::side::Side;

impl Position {
    /// Pawns of side `S` that attack a cell passed over.
    #[inline]
    pub(super) fn en_passant_captors<S: Side>(&self, passed: Cell) -> Bitboard {
        LINES[passed].pawn_sources(S::COLOR) & self.of(S::COLOR, PieceKind::Pawn)
    }

    /// Whether side `S` keeps its king safe when the pawn on `from` captures
    /// en passant. That takes two pieces off their cells at once, so it is
    /// tried out on the board instead of reasoned about.
    pub(super) fn en_passant_is_legal<S: Side>(&self, from: Cell, target: EnPassant) -> bool {
        let occupied = (self.occupied() ^ from.bit() ^ target.pawn.bit()) | target.passed.bit();
        !self.is_attacked(self.king(S::COLOR), S::Enemy::COLOR, occupied)
    }

    /// Whether side `S` can legally answer a double step en passant.
    #[inline]
    pub(super) fn can_answer<S: Side>(&self, target: EnPassant) -> bool {
        self.en_passant_captors::<S>(target.passed)
            .into_iter()
            .any(|from| self.en_passant_is_legal::<S>(from, target))
    }

    /// The double step that a pawn's move from one cell to another answers en
    /// passant, if it does: a pawn can also step onto the cell passed over.
    #[inline]
    pub(super) fn answered_double_step(&self, from: Cell, to: Cell) -> Option<EnPassant> {
        self.en_passant.filter(|target| {
            target.passed == to && LINES[to].pawn_sources(self.side_to_move).contains(from)
        })
    }
}
