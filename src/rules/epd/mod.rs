//! Extended Position Description (EPD): positions in a file, one a line, each followed
//! by operations, as in
//! `4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id "first";`
//!
//! The format is that of S. Edwards' PGN standard (1994) with the board of
//! this game. Both clocks of a FEN may stand before the operations.
//!
//! ```
//! use qirkat_rules::epd::read_epd;
//! use qirkat_rules::variant::Variant;
//!
//! let text = "4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id \"first\";";
//! for record in read_epd(text.as_bytes(), "my positions", Variant::Chesquerque)? {
//!     let operations = record.operations()?;
//!     assert_eq!(operations[0].opcode, "bm");
//!     assert!(record.position.read_move(&operations[0].operands[0]).is_ok());
//!     assert_eq!(operations[1].operands, ["first"]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod epd_file;
mod operations;

pub use epd_file::{EpdError, EpdRecord, read_epd};
pub use operations::{Operation, OperationError};
