//! Training data: self-play games, or positions of them, packed in files that survive a power cut.
//! `docs/reference/data-format.md` describes them byte by byte.

mod block;
mod block_file;
mod packed_position;
mod repeats;
mod selfplay;

pub(crate) use block::MAX_BLOCK_BYTES;
pub use block::{Block, Form, GameRecord};
pub use block_file::{BlockReader, BlockWriter, Damage, DatasetWriter, FilePart};
pub use packed_position::{PackedPosition, PackedPositionError};
pub use repeats::{RepeatError, Repeats};
pub use selfplay::{SelfPlay, SelfPlayError};

use std::io;

use thiserror::Error;

use qirkat_rules::variant::Variant;
use qirkat_system::format_version::UnsupportedVersion;

#[derive(Debug, Error)]
pub enum DatasetError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not a file of games or positions; `qirkat datagen` writes them")]
    Format,
    /// It ends within its header.
    #[error("damaged: it breaks off after {0} bytes")]
    Short(usize),
    #[error("training data of another version: {0}")]
    Version(UnsupportedVersion),
    /// The positions are of another variant than those already there.
    #[error("positions of {}, not of {}", .found.title(), .wanted.title())]
    Variant { found: Variant, wanted: Variant },
    /// It has games where positions are expected, or vice versa.
    #[error(
        "games and positions do not go into one file; `qirkat data positions` makes positions of games"
    )]
    Form,
    #[error("a game that is not legal")]
    Game,
    /// A wrong checksum, or an incomplete block.
    #[error("block {number} at byte {offset} is damaged; `qirkat data repair` saves the others")]
    Damaged {
        /// From 1.
        number: u64,
        /// In bytes.
        offset: u64,
    },
}
