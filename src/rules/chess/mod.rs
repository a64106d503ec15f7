//! What the chess games share: Chesquerque and Masonic chess differ in their boards and in
//! how pieces move; castling rights, moves as text, FEN and algebraic notation are alike.
//!
//! Everything here is generic over a game's squares and kinds of pieces and is compiled
//! once for each game, so that sharing it costs no time.

mod castling;
mod chess_move;
mod chess_position;
mod fen;
mod fen_error;
mod illegal_move;
mod kind;
mod move_sink;
mod piece;
mod rank_attacks;
mod reverse_bytes;
mod rule_words;
pub(crate) mod san;
mod see;
mod square;

pub(crate) use castling::{CastlingMasks, CastlingPath};
pub use castling::{CastlingRights, Wing};
pub use chess_move::Move;
pub use chess_position::{ChessPosition, ChessTypes, PawnStep, SquareSet};
pub use fen::ParsedFen;
pub(crate) use fen::{FenFields, board_text, read_board, read_castling};
pub use fen_error::{FenError, FenNotice};
pub(crate) use illegal_move::{ExplainsRules, read_move, why_illegal};
pub use illegal_move::{IllegalMove, MoveTextError};
pub use kind::Kind;
pub(crate) use move_sink::{Any, Counter, Each, MoveSink};
pub use piece::Piece;
pub(crate) use piece::read_letter;
pub(crate) use rank_attacks::rank_attacks;
pub(crate) use reverse_bytes::ReverseBytes;
pub use rule_words::RuleWords;
pub(crate) use see::{Exchange, see_ge};
pub use square::Square;
