//! The rules of chess, for every board: [`Position`] is generic over a [`Geometry`].
//!
//! Chesquerque and Masonic chess differ in their boards and in how pieces move. All that is
//! left once that is known is written here, once: making moves, legality, checks and pins,
//! the generator, exchanges, FEN and algebraic notation, reasons against illegal moves. A
//! game is its geometry and a page of rules. The compiler makes a position of its own for each
//! game, so sharing costs no time.
//!
//! Begin with [`Geometry`], then `generate`.

mod attacks;
mod castling;
mod chess_move;
mod chess_position;
mod fen;
mod fen_error;
mod generate;
mod geometry;
mod illegal_move;
mod kind;
mod legality;
mod make_move;
mod move_sink;
mod pawns;
mod piece;
mod position;
mod rules;
mod san;
mod see;
mod side;
mod sliders;
mod square;
mod square_set;
mod structure;
mod zobrist;

pub use castling::{CastlingRights, Wing};
pub use chess_move::Move;
pub use chess_position::ChessPosition;
pub use fen::{ParsedFen, board_text};
pub use fen_error::{FenError, FenNotice};
pub use geometry::{CastlingFiles, Geometry, MoveOf, PawnWay, Sources, ZobristNumbers};
pub use illegal_move::{IllegalMove, MoveTextError};
pub use kind::Kind;
pub use pawns::{MAX_PAWN_WAYS, double_step, pawn_captures, pawn_steps};
pub use piece::Piece;
#[doc(hidden)]
pub use piece::read_letter;
pub use position::{EnPassant, Position};
pub(crate) use sliders::{ReverseBytes, rank_attacks};
pub use square::Square;
pub use square_set::SquareSet;
