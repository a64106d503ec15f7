//! Masonic chess as a chess game: the types and answers that the code shared by the chess
//! games works with.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::direction::Direction;
use super::move_list::Move;
use super::piece::{Piece, PieceKind};
use super::position::Position;
use crate::chess::{CastlingRights, ChessPosition, ChessTypes, PawnStep, SquareSet};

impl ChessTypes for Position {
    type Square = Cell;
    type Kind = PieceKind;
    type Bitboard = Bitboard;
    type PawnStep = Direction;
}

impl ChessPosition for Position {
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied()
    }

    #[inline]
    fn piece_on(&self, cell: Cell) -> Option<Piece> {
        self.piece_on(cell)
    }

    #[inline]
    fn castling(&self) -> CastlingRights {
        self.castling()
    }

    #[inline]
    fn kind_on(&self, cell: Cell) -> Option<PieceKind> {
        self.kind_on(cell)
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

impl SquareSet<Cell> for Bitboard {
    const EMPTY: Bitboard = Bitboard::EMPTY;

    #[inline]
    fn of(cell: Cell) -> Bitboard {
        cell.bit()
    }

    #[inline]
    fn contains(self, cell: Cell) -> bool {
        self.contains(cell)
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

impl PawnStep<Cell> for Direction {
    #[inline]
    fn origin(self, to: Cell) -> Cell {
        self.origin(to)
    }
}
