//! The rules of Chesquerque: board, men, legal moves, ends of the game, and
//! the texts they are written in.
//!
//! Two players, 81 points, 18 men each. The points where diagonal lines meet
//! are *diagonal points* (those with an even file + rank, `a1` among them),
//! the others are *plain points*. The point a piece stands on decides how it
//! moves, and nothing ever jumps: even a knight needs its first point empty.
//!
//! # How the board is kept
//!
//! A [`Position`] is plain data that is copied and then changed
//! ("copy-make"), so nothing is ever undone. It holds one [`Bitboard`] of 81
//! bits for each side and each kind of man, a mailbox for look-ups by point,
//! and an incremental Zobrist key. Sliding attacks come from subtraction on
//! whole lines (see `rays`), and one table, `between`, answers for lines and
//! knights' legs alike what must be empty for a distant attack.

mod attacks;
mod bitboard;
mod castling;
mod draws;
mod fen;
mod generate;
mod legality;
mod lines;
mod moves;
mod perft;
mod picture;
mod piece;
mod play;
mod point;
mod rays;
mod refusal;
mod rules;
mod san;
mod see;
mod side;
mod structure;
mod symmetry;
mod zobrist;

pub use attacks::piece_attacks;
pub use bitboard::{Bitboard, Points};
pub use castling::{CastlingRights, Wing};
pub use draws::{DrawReason, Outcome};
pub use fen::{Excerpt, FenError, FenNotice, ParsedFen, board_text};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use perft::{perft, perft_divide, perft_unbulked};
pub use piece::{MEN_AT_START, Piece, PieceKind};
pub use point::{PerPoint, Point};
pub use rays::{diagonal as diagonal_attacks, orthogonal as orthogonal_attacks};
pub use refusal::{MoveTextError, Refusal};
pub use san::SanError;
pub use see::PIECE_VALUES;

pub use crate::game::{Color, GameHistory, Key, MoveFilter, PackedMove};

/// A game of Chesquerque in progress.
pub type Game = crate::game::GameState<Position>;

/// The usual starting position.
pub const START_FEN: &str = "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1";

/// The highest number a clock reads and counts to.
const MAX_CLOCK: u16 = 9999;

/// A position: men, side to move, castling rights, en-passant possibility
/// and both clocks. Each side has exactly one king, and the side that is not
/// to move is not in check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    by_color: [Bitboard; 2],
    by_kind: [Bitboard; PieceKind::COUNT],
    kind_on: PerPoint<Option<PieceKind>>,
    side_to_move: Color,
    castling: CastlingRights,
    /// The point passed over, only when a capture there is legal.
    en_passant: Option<Point>,
    key: Key,
    halfmove_clock: u16,
    fullmove_number: u16,
}

impl Position {
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

    /// The men of a side.
    #[inline]
    pub const fn of_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The men of a kind, of both sides.
    #[inline]
    pub const fn of_kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The men of a side and kind.
    #[inline]
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.of_color(color) & self.of_kind(kind)
    }

    /// Every point where a man stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.of_color(Color::White) | self.of_color(Color::Black)
    }

    /// The points where not the same man stands as in another position.
    #[inline]
    pub fn differing_points(&self, other: &Position) -> Bitboard {
        let by_color = self.by_color.iter().zip(&other.by_color);
        let by_kind = self.by_kind.iter().zip(&other.by_kind);
        by_color.chain(by_kind).fold(Bitboard::EMPTY, |all, (a, b)| all | (*a ^ *b))
    }

    /// The kind of man on a point.
    #[inline]
    pub fn kind_on(&self, point: Point) -> Option<PieceKind> {
        self.kind_on[point]
    }

    /// The man on a point.
    pub fn piece_on(&self, point: Point) -> Option<Piece> {
        let kind = self.kind_on(point)?;
        let color =
            if self.of_color(Color::White).has(point) { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Point {
        match self.of(color, PieceKind::King).first() {
            Some(point) => point,
            None => unreachable!("each side has a king"),
        }
    }

    /// The castling moves not yet forfeited.
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The point a pawn has just passed over, if a capture there is legal.
    pub const fn en_passant(&self) -> Option<Point> {
        self.en_passant
    }

    /// The position's hash key.
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
