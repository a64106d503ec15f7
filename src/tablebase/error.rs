//! The faults of a table.

use std::cmp::Ordering;
use std::fmt::Display;

use thiserror::Error;

use qirkat_rules::variant::Variant;
use qirkat_system::format_version::OtherVersion;

use crate::file::table::TableBytes;

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
    #[error("damaged: shorter than its header says")]
    Short,
    /// It is damaged, as this says.
    #[error("damaged: {0}")]
    Damaged(String),
    /// The system does not give it.
    #[error(transparent)]
    Io(std::io::Error),
}

impl TableError {
    /// A part of the file, from this byte on, that is not as it was written.
    pub(crate) fn damaged_at(offset: u64, what: &str) -> TableError {
        TableError::Damaged(format!("{what} at byte {offset}"))
    }

    /// The same with the file of the table, or its name where it has none.
    #[must_use]
    pub(crate) fn of(self, material: impl Display, bytes: &dyn TableBytes) -> TableError {
        match (self, bytes.path()) {
            (TableError::Damaged(what), Some(path)) => {
                TableError::Damaged(format!("{what} of {}", path.display()))
            }
            (TableError::Damaged(what), None) => {
                TableError::Damaged(format!("{what} of {material}"))
            }
            (error, _) => error,
        }
    }

    /// Fails where a file has another size than its header says.
    pub(crate) fn expect_size(found: u64, wanted: u64) -> Result<(), TableError> {
        match found.cmp(&wanted) {
            Ordering::Less => Err(TableError::Short),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(TableError::Damaged("more follows behind its end".to_owned())),
        }
    }

    pub(crate) fn damaged_header() -> TableError {
        TableError::Damaged("its header is of no table".to_owned())
    }
}

impl From<std::io::Error> for TableError {
    fn from(error: std::io::Error) -> TableError {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => TableError::Short,
            _ => TableError::Io(error),
        }
    }
}
