//! What tables see of a game: its board, moves, pieces and how positions are numbered.
//!
//! [`TableBoard`](table_board::TableBoard) is implemented for both chess games. A `layout`
//! numbers the positions of a `material`: without pawns the symmetries of the board are folded
//! (`king_pairs`), of Chesquerque eight, of Masonic chess half a turn; with pawns those that
//! keep pawn moves (`pawns`): the mirror image in Chesquerque, none in Masonic chess. Each way
//! the pawns stand is a slice by itself.

pub mod attacks;
pub mod chesquerque;
pub mod king_pairs;
pub mod layout;
pub mod masonic;
pub mod material;
pub mod once_per_game;
pub mod pawns;
pub mod placement;
pub mod symmetry;
pub mod table_board;
