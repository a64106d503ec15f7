//! Attacks and king rings that several terms of the evaluation use, computed once.

use super::geometry::king_ring;
use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point, Position};

/// A position with attacks and king rings.
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
    /// By any piece or pawn but the king.
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

    /// The king ring: the point of a side's king and the points around it.
    #[inline]
    pub fn king_ring(&self, color: Color) -> Bitboard {
        king_ring(self.king(color))
    }
}

impl Attacks {
    /// By any piece, pawn or king.
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.without_king | self.by_kind[PieceKind::King.index()]
    }
}

/// Pawns on diagonal points attack diagonally, those on plain points straight
/// ahead. So they never attack a plain point.
fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let diagonal = (pawns & Bitboard::DIAGONAL).forward(color);
    let straight = (pawns & Bitboard::PLAIN).forward(color);
    diagonal.east() | diagonal.west() | straight
}
