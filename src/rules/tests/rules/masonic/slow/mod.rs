//! Masonic chess: chess on 64 cells laid like bricks.
//!
//! A cell is known by its file and rank. All geometry uses the place of its centre, counted in
//! half cells sideways, because even ranks are shifted by half a cell.

mod board;
mod fen;
mod position;
mod tests;

pub use position::{End, Identity, Position};
