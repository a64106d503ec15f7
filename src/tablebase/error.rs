//! Where the bytes of a table are, and what faults they can have.

use std::cmp::Ordering;
use std::fmt::Display;
use std::path::Path;

use thiserror::Error;

use qirkat_rules::variant::Variant;
use qirkat_system::format_version::OtherVersion;

/// Where the bytes of a table are: in memory or in a file.
pub trait TableBytes: Send + Sync {
    /// Fills a buffer with the bytes from an offset on.
    ///
    /// # Errors
    /// When there are fewer, or the system does not give them.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()>;

    /// How many bytes there are.
    ///
    /// # Errors
    /// When the system does not say.
    fn size(&self) -> std::io::Result<u64>;

    /// Their file, to be named where they are damaged; none of bytes in memory.
    fn path(&self) -> Option<&Path> {
        None
    }
}

impl TableBytes for &'static [u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = self.get(from..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(found.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn size(&self) -> std::io::Result<u64> {
        Ok(self.len() as u64)
    }
}

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
