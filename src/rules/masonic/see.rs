//! Static exchange evaluation (SEE): see [`chess::see_ge`].

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::move_list::Move;
use super::piece::PieceKind;
use super::position::Position;
use crate::chess::{self, Exchange};
use qirkat_game::Color;

/// The value of each kind of piece in exchanges, in centipawns, by
/// [`PieceKind::index`]: 55 for each cell it reaches on average where three
/// cells in ten are taken at random. No exchange outweighs a king.
pub const PIECE_VALUES: [i32; PieceKind::COUNT] = [100, 400, 540, 610, 880, 10_000];

impl Position {
    /// Whether a legal move wins at least `threshold` on its target cell, or
    /// loses no more than that if it is negative. Castling wins nothing.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        chess::see_ge(self, mv, threshold)
    }
}

impl Exchange for Position {
    #[inline]
    fn exchange_value(kind: PieceKind) -> i32 {
        PIECE_VALUES[kind.index()]
    }

    #[inline]
    fn occupied_after(&self, mv: Move) -> Bitboard {
        let occupied = (self.occupied() ^ mv.from.bit()) | mv.to.bit();
        let answered = self.answered_double_step(mv.from, mv.to);
        match answered.filter(|_| self.kind_on(mv.from) == Some(PieceKind::Pawn)) {
            Some(target) => occupied ^ target.pawn.bit(),
            None => occupied,
        }
    }

    #[inline]
    fn without(occupied: Bitboard, cell: Cell) -> Bitboard {
        occupied ^ cell.bit()
    }

    fn least_valuable_attacker(
        &self,
        cell: Cell,
        side: Color,
        occupied: Bitboard,
    ) -> Option<(PieceKind, Cell)> {
        let attackers = self.attackers(cell, occupied) & self.of_color(side);
        let kind =
            PieceKind::ALL.into_iter().find(|&kind| (attackers & self.of_kind(kind)).any())?;
        let from = (attackers & self.of_kind(kind)).lsb()?;
        let walks_into_attack =
            kind == PieceKind::King && self.is_attacked(cell, !side, occupied ^ from.bit());
        (!walks_into_attack).then_some((kind, from))
    }
}
