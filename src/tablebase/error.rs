//! The faults of a table.

use thiserror::Error;

use qirkat_rules::variant::Variant;
use qirkat_system::format_version::OtherVersion;

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum TableError {
    /// It is something else.
    #[error("not a table of Qirkat")]
    Format,
    /// Another version of the format.
    #[error("a table of another version: {}", OtherVersion { found: u32::from(*.found), known: u32::from(*.known) })]
    Version {
        /// That of the file.
        found: u16,
        /// That of this program.
        known: u16,
    },
    /// It is of another game.
    #[error("a table of {}, not of {}", .found.title(), .wanted.title())]
    Game {
        /// The game of the table.
        found: Variant,
        /// The game that it should be of.
        wanted: Variant,
    },
    /// It is no certificate.
    #[cfg(feature = "table-generator")]
    #[error(transparent)]
    Certificate(#[from] crate::alquerque::CertificateFileError),
    /// Bytes are missing.
    #[error("shorter than it should be")]
    Short,
    /// A checksum is wrong.
    #[error("damaged: a checksum does not fit")]
    Damaged,
    /// The system does not give it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
