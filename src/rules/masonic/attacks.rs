//! Attackers of a cell, checkers of the king, and pinned pieces.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::lines::{LINES, between};
use super::piece::PieceKind;
use super::position::Position;
use super::rays::{diagonals, rook_lines};
use super::side::Side;
use qirkat_game::Color;

/// Checks and pins of the side to move, found in one pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingDanger {
    pub king: Cell,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// The cells over which checks come along a line. None lie between a king
    /// and a knight: one leap of the knight leads along a cant, but over
    /// whatever stands there.
    pub interposing: Bitboard,
    /// Own pieces that alone keep a line to the king closed.
    pub pinned: Bitboard,
    /// The enemy pieces behind the pinned ones, one each.
    pub pinners: Bitboard,
}

impl KingDanger {
    /// The check mask: where pieces other than the king may go, which is anywhere, or
    /// where they parry the check. Two lines to the king share no cell, so nothing but the king
    /// helps against two checks.
    #[inline]
    pub fn parrying_cells(&self) -> Bitboard {
        if self.checkers.is_empty() {
            Bitboard::ALL
        } else if self.checkers.more_than_one() {
            Bitboard::EMPTY
        } else {
            self.checkers | self.interposing
        }
    }

    /// The pin mask: where the pinned piece on `cell` may go.
    #[inline]
    pub fn pin_mask(&self, cell: Cell) -> Bitboard {
        self.pinners
            .into_iter()
            .map(|pinner| self.pin_line(pinner))
            .find(|line| line.contains(cell))
            .unwrap_or(Bitboard::ALL)
    }

    /// Where the piece pinned by `pinner` may go: along the line, to the pinner
    /// at most. A knight that leaps beyond either end of the line opens it.
    #[inline]
    pub fn pin_line(&self, pinner: Cell) -> Bitboard {
        between(self.king, pinner) | pinner.bit()
    }
}

/// Cells that a piece on `from` attacks when the cells in `occupied` are
/// taken. Empty for pawns, whose attacks depend on their side.
///
/// ```
/// use qirkat_rules::masonic::{Bitboard, Cell, PieceKind, piece_attacks};
///
/// let from: Cell = "e4".parse()?;
/// assert_eq!(piece_attacks(PieceKind::Queen, from, Bitboard::EMPTY).len(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn piece_attacks(kind: PieceKind, from: Cell, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[from];
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => lines.knight_leaps,
        PieceKind::Bishop => diagonals(from, occupied) | lines.rook_steps,
        PieceKind::Rook => rook_lines(from, occupied),
        PieceKind::Queen => rook_lines(from, occupied) | diagonals(from, occupied),
        PieceKind::King => lines.rook_steps | lines.diagonal_steps,
    }
}

impl Position {
    /// Pieces of either side that attack `cell` by a step or leap, which
    /// nothing can be in the way of.
    #[inline]
    fn near_attackers(&self, cell: Cell) -> Bitboard {
        use PieceKind::*;
        let lines = &LINES[cell];
        let kings = self.of_kind(King);
        let pawns = (lines.pawn_sources(Color::White) & self.of_color(Color::White))
            | (lines.pawn_sources(Color::Black) & self.of_color(Color::Black));
        (lines.rook_steps & (self.of_kind(Bishop) | kings))
            | (lines.diagonal_steps & kings)
            | (lines.knight_leaps & self.of_kind(Knight))
            | (pawns & self.of_kind(Pawn))
    }

    /// Pieces of either side that would attack `cell` along a line if nothing
    /// stood between.
    #[inline]
    fn far_attackers(&self, cell: Cell) -> Bitboard {
        use PieceKind::*;
        let lines = &LINES[cell];
        let queens = self.of_kind(Queen);
        (lines.rook_lines & (self.of_kind(Rook) | queens))
            | (lines.diagonal_lines & (self.of_kind(Bishop) | queens))
    }

    /// Pieces of `color` that would attack `cell` along a line if nothing
    /// stood between.
    #[inline]
    pub(super) fn far_attackers_of(&self, color: Color, cell: Cell) -> Bitboard {
        self.far_attackers(cell) & self.of_color(color)
    }

    /// The pieces of either side on `occupied` that attack `cell` when the cells in
    /// `occupied` are taken (X-rays are found by removing cells).
    pub fn attackers(&self, cell: Cell, occupied: Bitboard) -> Bitboard {
        let near = self.near_attackers(cell);
        let far = (self.far_attackers(cell) & occupied)
            .into_iter()
            .filter(|&attacker| (between(cell, attacker) & occupied).is_empty())
            .collect();
        (near & occupied) | far
    }

    /// Whether a piece of `by` that stands on `occupied` attacks `cell` when
    /// the cells in `occupied` are taken.
    #[inline]
    pub(super) fn is_attacked(&self, cell: Cell, by: Color, occupied: Bitboard) -> bool {
        let enemies = self.of_color(by) & occupied;
        (self.near_attackers(cell) & enemies).any()
            || (self.far_attackers(cell) & enemies)
                .into_iter()
                .any(|attacker| (between(cell, attacker) & occupied).is_empty())
    }

    /// Checks against and pins before the king of the side to move.
    #[inline]
    pub(super) fn king_danger<S: Side>(&self) -> KingDanger {
        let king = self.king(S::COLOR);
        let occupied = self.occupied();
        let own = self.of_color(S::COLOR);
        let enemies = self.of_color(S::Enemy::COLOR);
        let mut danger = KingDanger {
            king,
            checkers: self.near_attackers(king) & enemies,
            interposing: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            pinners: Bitboard::EMPTY,
        };
        for attacker in self.far_attackers(king) & enemies {
            let way = between(king, attacker);
            let blockers = way & occupied;
            if blockers.is_empty() {
                danger.checkers |= attacker.bit();
                danger.interposing |= way;
            } else if !blockers.more_than_one() && (blockers & own).any() {
                danger.pinned |= blockers;
                danger.pinners |= attacker.bit();
            }
        }
        danger
    }
}
