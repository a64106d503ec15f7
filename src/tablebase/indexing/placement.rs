//! Pieces on points, without all else that belongs to a position.

use arrayvec::ArrayVec;

use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, Piece, SquareSet};

use super::material::{MAX_TABLE_PIECES, Material};
use crate::chess_game::ChessTableGame;

/// A piece and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed<G: ChessTableGame> {
    pub color: Color,
    pub kind: G::Kind,
    pub point: G::Square,
}

impl<G: ChessTableGame> Placed<G> {
    /// The points that the piece attacks when these are taken.
    #[inline]
    pub fn attacks(self, occupied: G::Bitboard) -> G::Bitboard {
        G::attacks(self.color, self.kind, self.point, occupied)
    }
}

/// A few pieces on points: White's king first, then Black's.
#[derive(Clone, Debug)]
pub struct Placement<G: ChessTableGame> {
    pub pieces: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
    pub occupied: G::Bitboard,
}

impl<G: ChessTableGame> Placement<G> {
    /// The pieces of a position; none where there are too many.
    pub fn of(position: &G) -> Option<Placement<G>> {
        if position.chess().occupied().len() as usize > MAX_TABLE_PIECES {
            return None;
        }
        let [white, black] = Color::ALL.map(|color| position.chess().king(color));
        let mut placement: Placement<G> = Placement::kings(white, black);
        for point in position.chess().occupied() & !placement.occupied {
            if let Some(Piece { color, kind }) = position.chess().piece_on(point) {
                placement.add(Placed { color, kind, point });
            }
        }
        Some(placement)
    }

    /// The kings alone.
    #[inline]
    pub fn kings(white: G::Square, black: G::Square) -> Placement<G> {
        let king = |color, point| Placed { color, kind: G::Kind::KING, point };
        let mut placement = Placement { pieces: ArrayVec::new(), occupied: G::Bitboard::EMPTY };
        placement.add(king(Color::White, white));
        placement.add(king(Color::Black, black));
        placement
    }

    /// Puts a piece on its point.
    #[inline]
    pub fn add(&mut self, piece: Placed<G>) {
        self.pieces.push(piece);
        self.occupied |= G::Bitboard::of(piece.point);
    }

    /// The material beside the kings.
    pub fn material(&self) -> Material<G::Kind> {
        self.pieces[2..]
            .iter()
            .fold(Material::KINGS, |material, piece| material.with(piece.color, piece.kind))
    }

    /// The same with White as the side that Black is here.
    pub fn flipped(&self) -> Placement<G> {
        let flip = |piece: &Placed<G>| Placed {
            color: !piece.color,
            kind: piece.kind,
            point: G::Geometry::flipped(piece.point),
        };
        let mut flipped = Placement::kings(
            G::Geometry::flipped(self.pieces[1].point),
            G::Geometry::flipped(self.pieces[0].point),
        );
        self.pieces[2..].iter().for_each(|piece| flipped.add(flip(piece)));
        flipped
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> G::Square {
        self.pieces[color.index()].point
    }

    /// The position with a side to move, if it is one.
    pub fn position(&self, side_to_move: Color) -> Option<G> {
        let pieces =
            self.pieces.iter().map(|it| (Piece { color: it.color, kind: it.kind }, it.point));
        G::from_pieces(pieces, side_to_move)
    }
}
