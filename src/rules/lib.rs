//! The rules of Chesquerque, Masonic chess and Alquerque: positions, legal moves, FEN and the
//! text of moves.
//!
//! It knows no search and no evaluation: what those need of a game is the seam
//! [`qirkat_game::Game`], which each position implements. Begin with [`chesquerque`], the game that
//! the engine is made for; [`chess`] holds what it shares with [`masonic`] chess, and
//! [`variant`] a position that may be of any of the games.

pub mod alquerque;
mod bitboard_operators;
pub mod chesquerque;
pub mod chess;
pub mod fen_fields;
pub mod lined_board;
pub mod masonic;
pub mod variant;
