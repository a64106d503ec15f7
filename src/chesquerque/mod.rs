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
mod draws;
mod fen;
mod generate;
mod legality;
mod lines;
mod moves;
mod perft;
#[cfg(feature = "threads")]
mod perft_divide;
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
pub use board::{Position, START_FEN};
pub use castling::{CastlingRights, Wing};
pub use draws::{DrawReason, Outcome};
pub use fen::{Excerpt, FenError, FenNotice, ParsedFen, board_text};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use perft::{perft, perft_unbulked};
#[cfg(feature = "threads")]
pub use perft_divide::perft_divide;
pub use piece::{MEN_AT_START, Piece, PieceKind};
pub use point::{PerPoint, Point};
pub use rays::{diagonal as diagonal_attacks, orthogonal as orthogonal_attacks};
pub use refusal::{MoveTextError, Refusal};
pub use san::SanError;
pub use see::PIECE_VALUES;

pub use crate::game::{Color, GameHistory, Key, MoveFilter, PackedMove};

/// A game of Chesquerque in progress.
pub type Game = crate::game::GameState<Position>;

use board::MAX_CLOCK;
