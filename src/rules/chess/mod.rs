//! The rules of chess for every board: [`Position`] is generic over a [`Geometry`].
//!
//! Chesquerque and Masonic chess differ in their boards and in how pieces move. Everything else is
//! written once, here: making moves, legality, checks and pins, the generator, exchanges, FEN,
//! algebraic notation, and reasons against illegal moves.
//!
//! Begin with [`Geometry`], then `generate`.

mod attacks;
mod castling;
mod chess_game;
mod fen;
mod generate;
mod geometry;
mod illegal_move;
mod moves;
mod pawns;
mod piece;
mod position;
mod san;
mod square;

pub(crate) use castling::is_king_home;
pub use castling::{CastlingRights, Wing};
pub use fen::board_text;
pub use geometry::{CastlingFiles, Geometry, MoveOf, PawnDirection, Sources, ZobristNumbers};
pub(crate) use geometry::{ReverseBytes, SquareTable, rank_attacks};
pub use illegal_move::IllegalMove;
pub use pawns::{MAX_PAWN_DIRECTIONS, double_step, pawn_captures, pawn_steps};
#[doc(hidden)]
pub use piece::read_letter;
pub use piece::{Kind, Move, Piece};
pub use position::{ChessPosition, EnPassant, Position};
pub(crate) use san::san_line;
pub use square::{Square, SquareSet};
