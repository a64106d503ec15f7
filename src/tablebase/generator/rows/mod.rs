//! Solves a table of Chesquerque many positions at a time, unless it has nothing but pawns.
//!
//! A `row` of bits covers all points of one piece, and `solver` works backwards row by row
//! (`layout`). `exits` finds what captures and pawn moves lead to. `table` fills cells from the rows
//! or only counts them, so a survey of tables with five pieces needs little more memory than the
//! bits.

mod exits;
pub mod layout;
mod row;
mod solver;
pub mod table;

use qirkat_rules::chesquerque::Position;

use crate::chess_game;
use crate::chess_material;
use crate::generator::solved_table;

type KingPairs = chess_game::KingPairs<Position>;
type Layout = crate::chess_index::Layout<Position>;
type Placed = chess_material::Placed<Position>;
type Placement = chess_material::Placement<Position>;
type KnownTables<'a> = solved_table::KnownTables<'a, Position>;
type Symmetries = chess_game::Symmetries<Position>;
