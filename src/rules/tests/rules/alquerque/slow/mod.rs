//! Alquerque, as played at BrainKing: twelve men a side on 25 points, compulsory jumps.

mod board;
mod fen;
mod position;
mod tests;

pub use position::{End, Identity, Position};
