//! The rules of Chesquerque: board, pieces, legal moves, ends of the game, and
//! the texts they are written in.
//!
//! Two players, 81 points, 18 pieces each. The points where diagonal lines meet
//! are *diagonal points* (those with an even file + rank, `a1` among them),
//! the others are *plain points*. The point a piece stands on decides how it
//! moves, and nothing ever jumps: even a knight needs its first point empty.
//!
//! # How the board is kept
//!
//! A [`Position`] is the one of every chess game ([`chess::Position`]): plain data that is
//! copied and then changed ("copy-make"), so nothing is ever undone. It holds one
//! [`Bitboard`] of 81 bits for each side and each kind of piece, a mailbox for look-ups by
//! point, and an incremental Zobrist key. The game's own part is its [`Geometry`]
//! (`geometry`). Sliding attacks come from subtraction on whole lines (see `rays`), and one
//! table, `lines::between`, answers for lines and knights' legs alike what must be empty for
//! a distant attack.
//!
//! [`Geometry`]: chess::Geometry

mod bitboard;
mod geometry;
mod lines;
mod picture;
mod piece;
mod point;
mod rays;

pub use bitboard::{Bitboard, Points};
pub use geometry::{
    Chesquerque, MAX_MOVES, MAX_PIECES, PIECE_VALUES, START_FEN, Way, piece_attacks,
};
pub use piece::PieceKind;
pub use point::{PerPoint, Point};
pub use rays::{diagonal as diagonal_attacks, orthogonal as orthogonal_attacks};

pub use crate::chess::{CastlingRights, FenNotice, Wing};
pub use crate::lined_board::LinedBoard as Picture;
pub use qirkat_game::{
    Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove, SanError,
};

use crate::chess;

/// A position of Chesquerque.
pub type Position = chess::Position<Chesquerque>;
/// A game of Chesquerque in progress.
pub type Game = qirkat_game::GameState<Position>;
/// A move of Chesquerque.
pub type Move = chess::Move<Point, PieceKind>;
/// A piece of Chesquerque: its side and its kind.
pub type Piece = chess::Piece<PieceKind>;
/// Why a text is not the FEN of a position of Chesquerque.
pub type FenError = chess::FenError<Chesquerque>;
/// A FEN of Chesquerque that was read.
pub type ParsedFen = chess::ParsedFen<Chesquerque>;
/// Why a move of Chesquerque is not legal.
pub type IllegalMove = chess::IllegalMove<Chesquerque>;
/// Why a text is not a legal move of Chesquerque.
pub type MoveTextError = chess::MoveTextError<Chesquerque>;
