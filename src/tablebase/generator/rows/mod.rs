//! Solves a table without pawns many positions at a time, in Chesquerque.
//!
//! All that holds for the points of one piece is a `row` of bits, and `solver` goes back row by
//! row (`layout`), captures included. It fills cells, or counts only (`table`), so that a survey
//! of tables with five pieces needs little more memory than their bits.

pub mod layout;
mod row;
mod solver;
pub mod table;

use qirkat_rules::chesquerque::Position;

use crate::chess_game;
use crate::indexing::material;

type KingPairs = chess_game::KingPairs<Position>;
type Layout = crate::indexing::layout::Layout<Position>;
type Placed = material::Placed<Position>;
type Placement = material::Placement<Position>;
type Symmetries = chess_game::Symmetries<Position>;
