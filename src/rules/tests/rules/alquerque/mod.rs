//! The rules of Alquerque: fixed counts, a table of special cases, texts, and properties of every
//! position.

mod counts;
mod endings;
mod illegal_moves;
mod properties;
mod reference_agrees;
mod slow;
mod walks;

use qirkat_rules::alquerque::Position;

const POSITIONS: &str = include_str!("../../data/alquerque_positions.txt");

fn read(fen: &str) -> Position {
    super::tables::read(fen)
}
