//! The rules of Chesquerque, Masonic chess and Alquerque: positions, legal moves, FEN and the
//! text of moves.
//!
//! It knows no search and no evaluation. What an arbiter, the search and networks need of a
//! game are the traits [`Rules`](qirkat_game::Rules), [`Searchable`](qirkat_game::Searchable) and
//! [`Board`](qirkat_game::Board), which each position implements.
//!
//! - [`chess`] has the rules of every chess game, written once. [`chess::Position`] is generic
//!   over a [`chess::Geometry`]: a board and how pieces move on it. From that follow the
//!   generator, checks and pins, castling, en passant, exchanges, FEN and algebraic notation.
//! - [`chesquerque`] and [`masonic`] are such geometries, each with a page of rules of its own.
//!   The tests have a third, orthodox chess, which is checked against its published counts.
//! - [`alquerque`] is a game of jumps, and shares no more than the look of its board.
//! - [`variant`] has a position that may be of any of these games, for code that does not need
//!   the speed of a type of its own.
//!
//! - [`pgn`] writes games down and reads them, [`epd`] reads positions with their operations.
//!   Reading is lenient and bounded: nothing makes a reader panic, and no text takes more than a
//!   bounded part of memory. Writing follows S. J. Edwards' standard (1994) to the letter.
//!
//! Begin with [`chesquerque`], the game that the engine is made for: its page says what the
//! game is, and `chess::generate` what becomes of it. The compiler makes a position of its
//! own for each geometry, so that sharing costs no time.
#![warn(missing_docs)]

pub mod alquerque;
pub mod chesquerque;
pub mod chess;
pub mod epd;
pub mod fen_fields;
pub mod lined_board;
pub mod masonic;
pub mod pgn;
mod side;
pub mod variant;
