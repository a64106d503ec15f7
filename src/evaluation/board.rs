//! What several terms want to know of a position, found once.

use super::geometry::zone;
use crate::position::{Bitboard, Color, PieceKind, Point, Position};

/// A position with what all terms ask for.
pub(super) struct Board<'a> {
    pub position: &'a Position,
    pub occupied: Bitboard,
    /// Points that the pawns of each side attack.
    pub pawn_attacks: [Bitboard; 2],
    pub kings: [Point; 2],
}

/// Points that one side attacks.
pub(super) struct Attacks {
    pub by_kind: [Bitboard; PieceKind::COUNT],
    /// By any man but the king.
    pub without_king: Bitboard,
}

impl<'a> Board<'a> {
    pub fn new(position: &'a Position) -> Board<'a> {
        Board {
            position,
            occupied: position.occupied(),
            pawn_attacks: Color::ALL
                .map(|color| pawn_attacks(color, position.of(color, PieceKind::Pawn))),
            kings: Color::ALL.map(|color| position.king(color)),
        }
    }

    #[inline]
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.position.of(color, kind)
    }

    #[inline]
    pub fn king(&self, color: Color) -> Point {
        self.kings[color.index()]
    }

    #[inline]
    pub fn pawn_attacks(&self, color: Color) -> Bitboard {
        self.pawn_attacks[color.index()]
    }

    /// The king of a side and the points around it.
    #[inline]
    pub fn king_zone(&self, color: Color) -> Bitboard {
        zone(self.king(color))
    }
}

impl Attacks {
    /// By any man.
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.without_king | self.by_kind[PieceKind::King.index()]
    }
}

/// Pawns on diagonal points attack slanting, those on plain points straight
/// ahead. So they never attack a plain point.
fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let slanting = (pawns & Bitboard::DIAGONAL).forward(color);
    let straight = (pawns & Bitboard::PLAIN).forward(color);
    slanting.east() | slanting.west() | straight
}
