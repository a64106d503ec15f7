//! Games in PGN.

mod fuzz;
mod reader;
mod write;
