//! Training data: positions of self-play games, packed in files that survive a
//! power cut.
//!
//! # The file
//!
//! All numbers are little-endian. A file begins with 16 bytes: `QIRKDATA`, the
//! version of the format (`u16`, now 1), the size of a position (`u16`, 36), the
//! game (zero for Chesquerque, `M` for Masonic chess, `A` for Alquerque) and three
//! bytes that are zero.
//! Blocks follow until the end, each a header of 24 bytes
//! and then its positions:
//!
//! | bytes | type | meaning |
//! |---|---|---|
//! | 0–3 | `u32` | how many positions follow |
//! | 4–7 | `u32` | CRC-32 (ISO-HDLC) of the positions |
//! | 8–15 | `u64` | one more than the highest number of a game in it |
//! | 16–19 | `u32` | how many games it holds |
//! | 20–23 | `u32` | CRC-32 of the 20 bytes before |
//!
//! [`PackedPosition`] says how a position is packed. A last block that was not
//! written to its end reads as damaged; resuming the file cuts it off. Sound blocks
//! behind a damaged one are found by their checksums.

mod block;
mod block_file;
mod dataset_writer;
mod packed_position;
mod rescue;
mod selfplay;

pub use block::Block;
pub use block_file::{BlockReader, BlockWriter};
pub use dataset_writer::DatasetWriter;
pub use packed_position::{PackedPosition, PackedPositionError, Pieces};
pub use rescue::{Damage, Found};
#[cfg(feature = "tuning")]
pub(crate) use selfplay::on_threads;
pub use selfplay::{SelfPlay, SelfPlayError, SelfPlayProgress};

use std::io;

use thiserror::Error;

use qirkat_rules::variant::Variant;
use qirkat_system::format_version::OtherVersion;

/// Why a file of positions cannot be read or written.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not such a file.
    #[error("not a file of positions; `qirkat datagen` writes them")]
    Format,
    /// It has another version of the format.
    #[error("positions of another version: {0}")]
    Version(OtherVersion),
    /// The positions are of another game than those already there.
    #[error("positions of {}, not of {}", .found.title(), .wanted.title())]
    Variant {
        /// The game of the file.
        found: Variant,
        /// The game of the others.
        wanted: Variant,
    },
    /// A checksum is wrong, or a block is cut off.
    #[error("block {number} at byte {offset} is damaged; `qirkat data repair` saves the others")]
    Damaged {
        /// Which block, from 1.
        number: u64,
        /// Its offset in bytes.
        offset: u64,
    },
}
