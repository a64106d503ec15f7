//! Solves a table without pawns many positions at a time, in Chesquerque.
//!
//! What holds for all points of one piece is a `row` of bits, and `solver` goes back row by
//! row (`layout`, `king_steps`), captures included (`captures`). It fills cells (`table`), or
//! counts only (`counting`), so that a survey of tables with five pieces needs little more
//! memory than their bits.

pub mod captures;
pub mod counting;
pub mod king_steps;
pub mod layout;
pub mod row;
pub mod solver;
pub mod table;
