//! Extended Position Description: positions in a file, one a line, each with
//! operations behind it that say something about it, as in
//! `4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id "first";`
//!
//! The format is that of S. Edwards' PGN standard (1994) with the board of
//! this game. Both clocks of a FEN may stand before the operations.

mod operations;
mod read;

pub use operations::{Operation, OperationError};
pub use read::{EpdError, EpdRecord, read_epd};
