//! The position: which pieces stand where, whose turn it is, and all else that
//! belongs to it.

use std::hash::{Hash, Hasher};

use super::bitboard::Bitboard;
use super::cell::{Cell, PerCell};
use super::en_passant::EnPassant;
use super::piece::{Piece, PieceKind};
use crate::chess::CastlingRights;
use qirkat_game::{Color, Key};

/// The usual starting position.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position: pieces, side to move, castling rights, en-passant possibility
/// and both clocks. Each side has exactly one king, and the side whose turn it
/// is not is not in check.
///
/// ```
/// use qirkat_rules::chesquerque::Color;
/// use qirkat_rules::masonic::Position;
///
/// let position = Position::start().play("e2f4".parse()?);
/// assert_eq!(position.side_to_move(), Color::Black);
/// assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/5P2/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// assert!(!position.in_check());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) by_color: [Bitboard; 2],
    pub(super) by_kind: [Bitboard; PieceKind::COUNT],
    pub(super) kind_on: PerCell<Option<PieceKind>>,
    pub(super) key: Key,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    pub(super) side_to_move: Color,
    pub(super) castling: CastlingRights,
    /// The last double step, only when a capture en passant is legal.
    pub(super) en_passant: Option<EnPassant>,
}

/// The usual starting position.
impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

/// By the Zobrist key: equal positions have equal keys.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Position {
    /// A board without pieces, from which positions are built.
    pub(super) const EMPTY: Position = Position {
        by_color: [Bitboard::EMPTY; 2],
        by_kind: [Bitboard::EMPTY; PieceKind::COUNT],
        kind_on: PerCell([None; Cell::COUNT]),
        key: Key(0),
        halfmove_clock: 0,
        fullmove_number: 1,
        side_to_move: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
    };

    /// The usual starting position.
    pub fn start() -> Position {
        match Position::from_fen(START_FEN) {
            Ok(parsed) => parsed.position,
            Err(error) => unreachable!("the starting position is valid: {error}"),
        }
    }

    /// Whose turn it is.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The pieces of a side.
    #[inline]
    pub const fn of_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The pieces of a kind, of both sides.
    #[inline]
    pub const fn of_kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The pieces of a side and kind.
    #[inline]
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.of_color(color) & self.of_kind(kind)
    }

    /// Every cell where a piece stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.of_color(Color::White) | self.of_color(Color::Black)
    }

    /// The cells on which another piece stands than in another position, or none.
    #[inline]
    pub fn differing_cells(&self, other: &Position) -> Bitboard {
        let by_color = self.by_color.iter().zip(&other.by_color);
        let by_kind = self.by_kind.iter().zip(&other.by_kind);
        by_color.chain(by_kind).fold(Bitboard::EMPTY, |all, (a, b)| all | (*a ^ *b))
    }

    /// The kind of piece on a cell.
    #[inline]
    pub fn kind_on(&self, cell: Cell) -> Option<PieceKind> {
        self.kind_on[cell]
    }

    /// The piece on a cell.
    pub fn piece_on(&self, cell: Cell) -> Option<Piece> {
        let kind = self.kind_on(cell)?;
        let color =
            if self.of_color(Color::White).contains(cell) { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Cell {
        match self.of(color, PieceKind::King).lsb() {
            Some(cell) => cell,
            None => unreachable!("each side has a king"),
        }
    }

    /// The castling moves not yet forfeited.
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The double step just made, if a capture en passant is legal.
    pub const fn en_passant(&self) -> Option<EnPassant> {
        self.en_passant
    }

    /// The Zobrist key.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Plies since the last pawn move or capture.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, as in FEN.
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        let us = self.side_to_move;
        self.is_attacked(self.king(us), !us, self.occupied())
    }
}
