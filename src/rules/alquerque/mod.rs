//! The rules of Alquerque as played at BrainKing: board, moves, game end, and text formats.
//!
//! There are 25 points and twelve men per side. A man steps straight forward, diagonally forward or
//! sideways, and captures by jumping. Captures are compulsory, and a man must go on jumping as long
//! as it can. A side that cannot move has lost.
//!
//! # Representation
//!
//! A [`Position`] is plain data of 24 bytes that is copied and then changed ("copy-make"). A side's
//! men are a [`Bitboard`] of 32 bits with a padding column: bits shifted off the board fall on no
//! point. A [`Move`] is the whole path of a man in 64 bits. The generator calls a closure with each
//! chain of jumps as it is found, since a position may have thousands.

mod alquerque_game;
mod chain;
mod generate;
mod illegal_move;
mod point;
mod position;

pub use alquerque_game::{Game, MAN_VALUE};
pub use chain::{ForbiddenStep, MAX_JUMPS, Move};
pub use illegal_move::IllegalMove;
pub use point::{Bitboard, Direction, Point, Points};
pub use position::{Position, START_FEN, State};

pub use crate::fen::{FenError, FenNotice};
pub use qirkat_game::{Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove};

pub type ParsedFen = crate::fen::ParsedFen<Position>;
pub type MoveTextError = qirkat_game::MoveTextError<IllegalMove>;
