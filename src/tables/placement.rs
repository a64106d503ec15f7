//! Pieces on points, without all else that belongs to a position.

use arrayvec::ArrayVec;

use super::material::{MAX_TABLE_PIECES, Material};
use crate::chesquerque::{Bitboard, Color, Piece, PieceKind, Point, Position};

/// A piece and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    pub color: Color,
    pub kind: PieceKind,
    pub point: Point,
}

/// A few pieces on points: White's king first, then Black's.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    pub pieces: ArrayVec<Placed, MAX_TABLE_PIECES>,
    pub occupied: Bitboard,
}

impl Placement {
    /// The pieces of a position; none where there are too many.
    pub fn of(position: &Position) -> Option<Placement> {
        if position.occupied().len() as usize > MAX_TABLE_PIECES {
            return None;
        }
        let kings = position.of_kind(PieceKind::King);
        let [white, black] = Color::ALL.map(|color| position.king(color));
        let mut placement = Placement::kings(white, black);
        for point in position.occupied() & !kings {
            if let Some(Piece { color, kind }) = position.piece_on(point) {
                placement.add(Placed { color, kind, point });
            }
        }
        Some(placement)
    }

    /// The kings alone.
    #[inline]
    pub fn kings(white: Point, black: Point) -> Placement {
        let king = |color, point| Placed { color, kind: PieceKind::King, point };
        let mut placement = Placement { pieces: ArrayVec::new(), occupied: Bitboard::EMPTY };
        placement.add(king(Color::White, white));
        placement.add(king(Color::Black, black));
        placement
    }

    /// Puts a piece on its point.
    #[inline]
    pub fn add(&mut self, piece: Placed) {
        self.pieces.push(piece);
        self.occupied |= piece.point.bit();
    }

    /// What stands here beside the kings.
    pub fn material(&self) -> Material {
        self.pieces[2..]
            .iter()
            .fold(Material::default(), |material, piece| material.with(piece.color, piece.kind))
    }

    /// The same with White as the side that Black is here.
    pub fn flipped(&self) -> Placement {
        let flip = |piece: &Placed| Placed {
            color: !piece.color,
            kind: piece.kind,
            point: piece.point.flipped(),
        };
        let mut flipped =
            Placement::kings(self.pieces[1].point.flipped(), self.pieces[0].point.flipped());
        self.pieces[2..].iter().for_each(|piece| flipped.add(flip(piece)));
        flipped
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Point {
        self.pieces[color.index()].point
    }

    /// The position with a side to move, if it is one.
    pub fn position(&self, side_to_move: Color) -> Option<Position> {
        let pieces =
            self.pieces.iter().map(|it| (Piece { color: it.color, kind: it.kind }, it.point));
        Position::from_pieces(pieces, side_to_move)
    }
}
