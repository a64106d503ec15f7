//! Extended Position Description (EPD): positions in a file, one a line, each followed
//! by operations, as in
//! `4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id "first";`
//!
//! The format is that of S. Edwards' PGN standard (1994) with the board of
//! this game. Both clocks of a FEN may stand before the operations.

mod epd_file;
mod operations;

pub use epd_file::{EpdError, EpdRecord, read_epd};
pub use operations::{Operation, OperationError};
