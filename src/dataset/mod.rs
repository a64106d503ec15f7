//! Positions to learn from: from games of the engine against itself, packed
//! closely in files that survive a power cut.
//!
//! # The file
//!
//! All numbers are little-endian. A file begins with 16 bytes: `QIRKDATA`, the
//! version of the format (`u16`, now 1), the size of a record (`u16`, 36) and
//! four bytes that are zero. Blocks follow until the end, each of 24 bytes and
//! then its records:
//!
//! | bytes | type | meaning |
//! |---|---|---|
//! | 0–3 | `u32` | how many records follow |
//! | 4–7 | `u32` | CRC-32 (ISO-HDLC) of the records |
//! | 8–15 | `u64` | one more than the highest number of a game in it |
//! | 16–19 | `u32` | how many games it holds |
//! | 20–23 | `u32` | CRC-32 of the 20 bytes before |
//!
//! A record is one position; see [`Record`]. A file whose last block was
//! not written to its end reads as damaged; going on with it cuts that off. Sound
//! blocks behind a damaged one are found by their checksums.

mod file;
mod record;
mod rescue;
mod selfplay;

pub use file::{Block, BlockReader, BlockWriter, DatasetError, DatasetWriter};
pub use record::{Record, RecordError};
pub use rescue::{Damage, Found};
pub use selfplay::{SelfPlay, SelfPlayError, SelfPlayProgress};
