//! Solves a table without pawns many positions at a time, in Chesquerque.
//!
//! All that holds for the points of one piece is a `row` of bits, and `solver` goes back row by
//! row (`layout`), captures included (`captures`). It fills cells (`table`), or counts only
//! (`counting`), so that a survey of tables with five pieces needs little more memory than
//! their bits.

mod captures;
pub mod counting;
pub mod layout;
mod row;
mod solver;
pub mod table;

use qirkat_rules::chesquerque::Position;

use crate::indexing::{king_pairs, placement, symmetry};

type KingPairs = king_pairs::KingPairs<Position>;
type Layout = crate::indexing::layout::Layout<Position>;
type Placed = placement::Placed<Position>;
type Placement = placement::Placement<Position>;
type Symmetries = symmetry::Symmetries<Position>;
