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
//! A [`Position`] is plain data that is copied and then changed
//! ("copy-make"), so nothing is ever undone. It holds one [`Bitboard`] of 64
//! bits for each side and each kind of piece, a mailbox for look-ups by cell,
//! and an incremental Zobrist key. Which index lies one step away depends on
//! whether a rank is shifted, so sets of pawns move in two parts
//! (`direction`); cants and diagonals still have one cell on each rank, so
//! sliding attacks come from subtraction on whole lines (`rays`).

mod attacks;
mod bitboard;
mod board;
mod castling;
mod cell;
mod chess_game;
mod direction;
mod en_passant;
mod en_passant_capture;
mod fen;
mod from_pieces;
mod game_end;
mod generate;
mod illegal_move;
mod legal_moves;
mod legality;
mod lines;
mod make_move;
mod masonic_game;
mod move_list;
mod pawn_moves;
mod picture;
mod piece;
mod position;
mod rays;
mod san;
mod see;
mod side;
mod structure;
mod symmetry;
mod zobrist;

pub use attacks::piece_attacks;
pub use bitboard::{Bitboard, Cells};
pub use cell::{Cell, PerCell};
pub use en_passant::EnPassant;
pub use fen::{FenError, ParsedFen};
pub use illegal_move::{IllegalMove, MoveTextError};
pub use masonic_game::Game;
pub use move_list::{MAX_MOVES, Move, MoveList};
pub use pawn_moves::{double_step, pawn_captures, pawn_steps};
pub use picture::Picture;
pub use piece::{Piece, PieceKind};
pub use position::{Position, START_FEN};
pub use see::PIECE_VALUES;

pub use crate::chess::{CastlingRights, FenNotice, Wing};
pub use qirkat_game::{
    Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove, SanError,
};
