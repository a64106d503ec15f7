//! Chesquerque as a chess game: the types and answers that the code shared by the chess
//! games works with.

use super::bitboard::Bitboard;
use super::move_list::Move;
use super::piece::{Piece, PieceKind};
use super::point::Point;
use super::position::Position;
use crate::chess::{CastlingRights, ChessPosition, ChessTypes, PawnStep, SquareSet};

impl ChessTypes for Position {
    type Square = Point;
    type Kind = PieceKind;
    type Bitboard = Bitboard;
    /// The difference of two points' indices.
    type PawnStep = i8;
}

impl ChessPosition for Position {
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied()
    }

    #[inline]
    fn piece_on(&self, point: Point) -> Option<Piece> {
        self.piece_on(point)
    }

    #[inline]
    fn castling(&self) -> CastlingRights {
        self.castling()
    }

    #[inline]
    fn kind_on(&self, point: Point) -> Option<PieceKind> {
        self.kind_on(point)
    }

    #[inline]
    fn captured(&self, mv: Move) -> Option<PieceKind> {
        self.captured(mv)
    }

    #[inline]
    fn is_castling(&self, mv: Move) -> bool {
        self.is_castling(mv)
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.in_check()
    }
}

impl SquareSet<Point> for Bitboard {
    const EMPTY: Bitboard = Bitboard::EMPTY;

    #[inline]
    fn of(point: Point) -> Bitboard {
        point.bit()
    }

    #[inline]
    fn contains(self, point: Point) -> bool {
        self.contains(point)
    }

    #[inline]
    fn len(self) -> u32 {
        self.len()
    }

    #[inline]
    fn any(self) -> bool {
        self.any()
    }
}

impl PawnStep<Point> for i8 {
    #[inline]
    fn origin(self, to: Point) -> Point {
        to.stepped(-self)
    }
}
