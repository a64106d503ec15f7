//! Solves a table of Chesquerque without pawns many positions at a time.
//!
//! A `row` of bits covers all points of one piece, and `solver` works backwards row by row
//! (`layout`), captures included. `table` fills cells from the rows or only counts them, so a
//! survey of tables with five pieces needs little more memory than the bits.

pub mod layout;
mod row;
mod solver;
pub mod table;

use qirkat_rules::chesquerque::Position;

use crate::chess_game;
use crate::chess_material;

type KingPairs = chess_game::KingPairs<Position>;
type Layout = crate::chess_index::Layout<Position>;
type Placed = chess_material::Placed<Position>;
type Placement = chess_material::Placement<Position>;
type Symmetries = chess_game::Symmetries<Position>;
