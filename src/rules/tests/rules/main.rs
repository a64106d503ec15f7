//! Tests of the rules: tables of cases, slow reference generators, properties.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod alquerque;
mod dead_material;
mod epd;
mod fen;
mod geometry;
mod illegal_moves;
mod masonic;
mod move_generation;
mod orthodox;
mod pgn;
mod pictures;
mod properties;
mod reference;
mod san;
mod tables;
mod variant;
