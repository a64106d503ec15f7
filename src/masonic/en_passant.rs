//! En passant: straight after a double step, an enemy pawn that could capture
//! on the cell passed over may do so.

use super::direction::Step;
use super::lines::LINES;
use super::side::Side;
use super::{Bitboard, Cell, PieceKind, Position};

/// A double step that may be answered by a capture.
///
/// Two double steps can lead over one cell (`e2f4` and `f2e4` both pass `f3`),
/// so the cell alone does not say which pawn is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnPassant {
    /// The cell that the pawn has passed over.
    pub passed: Cell,
    /// Where that pawn stands now.
    pub pawn: Cell,
}

impl EnPassant {
    /// The double step that went `half_files` half cells to the right in each
    /// half and `ahead` ranks forward, over `passed`; with where it began.
    pub(super) const fn over(passed: Cell, (half_files, ahead): Step) -> Option<(Cell, EnPassant)> {
        match (passed.offset(-half_files, -ahead), passed.offset(half_files, ahead)) {
            (Some(origin), Some(pawn)) => Some((origin, EnPassant { passed, pawn })),
            _ => None,
        }
    }
}

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
            target.passed == to && LINES[to].pawn_sources(self.side_to_move).has(from)
        })
    }
}
