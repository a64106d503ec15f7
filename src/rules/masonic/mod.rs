//! The rules of Masonic chess (George R. Dekle Sr., 1983): board, pieces,
//! legal moves, ends of the game, and the texts they are written in.
//!
//! Chess on 64 cells laid like bricks: the even ranks are shifted right by
//! half a cell, so that a cell touches six others. Measured in half cells, its
//! neighbours lie along the rank at (±2, 0) and along the two *cants* at
//! (±1, ±1); the *diagonals* of the bishops run through the corners, (±3, ±1).
//!
//! # How the board is kept
//!
//! A [`Position`] is the one of every chess game ([`chess::Position`]), with one [`Bitboard`]
//! of 64 bits for each side and each kind of piece. The game's own part is its
//! [`Geometry`](chess::Geometry) (`geometry`). Which index lies one step away depends on
//! whether a rank is shifted, so sets of pawns move in two parts
//! (`direction`); cants and diagonals still have one cell on each rank, so
//! sliding attacks come from subtraction on whole lines (`rays`).

mod bitboard;
mod cell;
mod direction;
mod geometry;
mod lines;
mod picture;
mod piece;
mod rays;

pub use bitboard::{Bitboard, Cells};
pub use cell::{Cell, PerCell};
pub use direction::Direction;
pub use geometry::{MAX_MOVES, Masonic, PIECE_VALUES, START_FEN, Way, piece_attacks};
pub use picture::Picture;
pub use piece::PieceKind;

pub use crate::chess::{CastlingRights, FenNotice, Wing};
pub use qirkat_game::{
    Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove, SanError,
};

use crate::chess;

/// A position of Masonic chess.
pub type Position = chess::Position<Masonic>;
/// A game of Masonic chess in progress.
pub type Game = qirkat_game::GameState<Position>;
/// A move of Masonic chess.
pub type Move = chess::Move<Cell, PieceKind>;
/// A piece of Masonic chess: its side and its kind.
pub type Piece = chess::Piece<PieceKind>;
/// Why a text is not the FEN of a position of Masonic chess.
pub type FenError = chess::FenError<Masonic>;
/// A FEN of Masonic chess that was read.
pub type ParsedFen = chess::ParsedFen<Masonic>;
/// Why a move of Masonic chess is not legal.
pub type IllegalMove = chess::IllegalMove<Masonic>;
/// Why a text is not a legal move of Masonic chess.
pub type MoveTextError = chess::MoveTextError<Masonic>;
