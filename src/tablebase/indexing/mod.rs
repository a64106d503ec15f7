//! Numbers the positions of a table.
//!
//! A `layout` numbers the positions of a `material`. Without pawns all symmetries of the board are
//! folded (`chess_game`): eight in Chesquerque, a rotation in Masonic chess. With pawns only those
//! that keep pawn moves are: the mirror image in Chesquerque, none in Masonic chess. Each
//! arrangement of the pawns is a separate slice.

pub mod layout;
pub mod material;
