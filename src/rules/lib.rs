//! The rules of Chesquerque, Masonic chess and Alquerque: positions, legal moves, FEN and move
//! notation.
//!
//! It contains no search and no evaluation. Each position implements the traits that the arbiter,
//! the search and the networks need: [`Rules`](qirkat_game::Rules),
//! [`Searchable`](qirkat_game::Searchable) and [`Board`](qirkat_game::Board).
//!
//! - [`chess`] has the rules of every chess game, written once. [`chess::Position`] is generic over
//!   a [`chess::Geometry`]: a board and how pieces move on it. The generator, checks and pins,
//!   castling, en passant, exchanges, FEN and algebraic notation are derived from it.
//! - [`chesquerque`] and [`masonic`] are such geometries, each in a module of its own. The tests
//!   have a third, orthodox chess, which is checked against published perft counts.
//! - [`alquerque`] is a game of jumps, like checkers; it shares only the pattern of its board.
//! - [`variant`] has one position type for all games, for code that does not need the speed of
//!   separate types.
//! - [`pgn`] reads and writes games, [`epd`] reads positions with their operations. Reading is
//!   lenient, never panics and uses bounded memory. Writing follows S. J. Edwards' standard (1994),
//!   but for a few lines that are too long.
//!
//! Begin with [`chesquerque`], the game that the engine is made for, then `chess::generate`. The
//! compiler makes a separate position for each geometry, so sharing costs no time.

/// Evaluates `$value` with `$Side` as the type of this color's side.
macro_rules! match_side {
    ($color:expr, $Side:ident => $value:expr) => {
        match $color {
            qirkat_game::Color::White => {
                type $Side = $crate::White;
                $value
            }
            qirkat_game::Color::Black => {
                type $Side = $crate::Black;
                $value
            }
        }
    };
}

pub mod alquerque;
pub mod chesquerque;
pub mod chess;
pub mod epd;
pub mod fen;
pub mod masonic;
pub mod pgn;
pub mod picture;
pub mod variant;

use qirkat_game::Color;

/// A side as a type, so that a generator is compiled for each and does not branch on the side.
pub(crate) trait Side {
    type Enemy: Side;
    const COLOR: Color;
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
}
