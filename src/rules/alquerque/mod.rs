//! The rules of Alquerque as played at BrainKing: board, moves, ends of the
//! game, and the texts they are written in.
//!
//! Two players, 25 points, twelve men each. A man steps straight forward, diagonally
//! forward or sideways, and captures by jumping. Captures are compulsory, and the
//! jumps of one man go on as long as they can. A side that cannot move has lost.
//!
//! # How the board is kept
//!
//! A [`Position`] is plain data of 24 bytes that is copied and then changed ("copy-make"). The men
//! of a side are a [`Bitboard`] of 32 bits, in which a column without points keeps the ranks apart:
//! what is shifted off the board falls where no point is. A [`Move`] is the whole path of a man in
//! 64 bits. The generator calls a closure with each chain of jumps as it is found, since a position
//! may have thousands.

mod alquerque_game;
mod chain;
mod fen;
mod generate;
mod illegal_move;
mod point;
mod position;

pub use alquerque_game::{Game, MAN_VALUE};
pub use chain::{ForbiddenStep, MAX_JUMPS, Move};
pub use fen::{FenError, FenNotice, ParsedFen};
pub use illegal_move::{IllegalMove, MoveFormError, MoveTextError};
pub use point::{Bitboard, Direction, Point, Points};
pub use position::{Position, START_FEN, State};

pub use qirkat_game::{Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove};
