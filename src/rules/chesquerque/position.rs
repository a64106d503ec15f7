//! The position: which pieces stand where, whose turn it is, and all else that
//! belongs to it.

use std::hash::{Hash, Hasher};

use super::bitboard::Bitboard;
use super::piece::{Piece, PieceKind};
use super::point::{PerPoint, Point};
use crate::chess::CastlingRights;
use qirkat_game::{Color, Key};

/// The usual starting position.
pub const START_FEN: &str = "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1";

/// A position: pieces, side to move, castling rights, en-passant possibility
/// and both clocks. Each side has exactly one king, and the side whose turn it
/// is not is not in check.
///
/// It is plain data of 256 bytes: making a move copies it and changes the copy.
///
/// ```
/// use qirkat_rules::chesquerque::{Color, PieceKind, Point, Position};
///
/// let position: Position = "4k4/9/9/9/4B4/9/9/9/4K4 w - - 0 1".parse()?;
/// assert_eq!(position.side_to_move(), Color::White);
/// assert_eq!(position.kind_on("e5".parse()?), Some(PieceKind::Bishop));
/// assert_eq!(position.king(Color::Black), Point::new(4, 8));
/// assert!(!position.in_check());
/// assert_eq!(position.legal_moves().len(), 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) by_color: [Bitboard; 2],
    pub(super) by_kind: [Bitboard; PieceKind::COUNT],
    pub(super) kind_on: PerPoint<Option<PieceKind>>,
    pub(super) side_to_move: Color,
    pub(super) castling: CastlingRights,
    /// The point passed over, only when a capture there is legal.
    pub(super) en_passant: Option<Point>,
    pub(super) key: Key,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
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
        kind_on: PerPoint([None; Point::COUNT]),
        side_to_move: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        key: Key(0),
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The usual starting position, [`START_FEN`].
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

    /// Every point where a piece stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.of_color(Color::White) | self.of_color(Color::Black)
    }

    /// The points on which another piece stands than in another position, or none.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let start = Position::start();
    /// let after = start.play("e2e4".parse()?);
    /// assert_eq!(start.differing_points(&after).len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn differing_points(&self, other: &Position) -> Bitboard {
        let by_color = self.by_color.iter().zip(&other.by_color);
        let by_kind = self.by_kind.iter().zip(&other.by_kind);
        by_color.chain(by_kind).fold(Bitboard::EMPTY, |all, (a, b)| all | (*a ^ *b))
    }

    /// The kind of piece on a point.
    #[inline]
    pub fn kind_on(&self, point: Point) -> Option<PieceKind> {
        self.kind_on[point]
    }

    /// The piece on a point.
    pub fn piece_on(&self, point: Point) -> Option<Piece> {
        let kind = self.kind_on(point)?;
        let color =
            if self.of_color(Color::White).contains(point) { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Point {
        match self.of(color, PieceKind::King).lsb() {
            Some(point) => point,
            None => unreachable!("each side has a king"),
        }
    }

    /// The castling moves not yet forfeited.
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The point a pawn has just passed over, if a capture there is legal.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// // The white pawn on h6 stands on a diagonal point and may capture on g7.
    /// let position: Position = "4k4/6p2/9/7P1/9/9/9/9/4K4 b - - 0 1".parse()?;
    /// assert_eq!(position.play("g8g6".parse()?).en_passant(), Some("g7".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn en_passant(&self) -> Option<Point> {
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
