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
//! A [`Position`] is plain data that is copied and then changed
//! ("copy-make"), so nothing is ever undone. It holds one [`Bitboard`] of 81
//! bits for each side and each kind of piece, a mailbox for look-ups by point,
//! and an incremental Zobrist key. Sliding attacks come from subtraction on
//! whole lines (see `rays`), and one table, `between`, answers for lines and
//! knights' legs alike what must be empty for a distant attack.

mod attacks;
mod bitboard;
mod board;
mod castling;
mod chesquerque_game;
mod chess_game;
mod fen;
mod from_pieces;
mod game_end;
mod generate;
mod illegal_move;
mod legal_moves;
mod legality;
mod lines;
mod make_move;
mod move_list;
mod picture;
mod piece;
mod point;
mod position;
mod rays;
mod san;
mod see;
mod side;
mod structure;
mod symmetry;
mod zobrist;

pub use attacks::piece_attacks;
pub use bitboard::{Bitboard, Points};
pub use chesquerque_game::Game;
pub use fen::{FenError, ParsedFen, board_text};
pub use illegal_move::{IllegalMove, MoveTextError};
pub use move_list::{MAX_MOVES, Move, MoveList};
pub use piece::{MAX_PIECES, Piece, PieceKind};
pub use point::{PerPoint, Point};
pub use position::{Position, START_FEN};
pub use rays::{diagonal as diagonal_attacks, orthogonal as orthogonal_attacks};
pub use see::PIECE_VALUES;

pub use crate::chess::{CastlingRights, FenNotice, Wing};
pub use crate::lined_board::LinedBoard as Picture;
pub use qirkat_game::{
    Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove, SanError,
};
