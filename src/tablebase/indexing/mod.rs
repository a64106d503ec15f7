//! How the positions of a table are numbered.
//!
//! A `layout` numbers the positions of a `material`: without pawns the symmetries of the board
//! are folded (`chess_game`), of Chesquerque eight, of Masonic chess half a turn; with pawns
//! those that keep pawn moves: the mirror image in Chesquerque, none in Masonic
//! chess. Each way the pawns stand is a slice by itself.

pub mod layout;
pub mod material;
