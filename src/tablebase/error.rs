//! Access to the bytes of a table, and errors of tables.

use std::cmp::Ordering;
use std::fmt::Display;
use std::path::Path;

use thiserror::Error;

use qirkat_rules::variant::Variant;
use qirkat_system::format_version::UnsupportedVersion;

/// The bytes of a table, in memory or in a file.
pub trait TableBytes: Send + Sync {
    /// Fills a buffer with the bytes at an offset.
    ///
    /// # Errors
    /// If there are too few, or reading fails.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()>;

    /// The number of bytes.
    ///
    /// # Errors
    /// If the system does not report it.
    fn size(&self) -> std::io::Result<u64>;

    /// The path of the file, for error messages; none for bytes in memory.
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

#[derive(Debug, Error)]
pub enum TableError {
    #[error("not a table of Qirkat")]
    Format,
    #[error("a table of another version: {}", UnsupportedVersion { found: u32::from(*.found), known: u32::from(*.known) })]
    Version { found: u16, known: u16 },
    #[error("a table of {}, not of {}", .found.title(), .wanted.title())]
    Game { found: Variant, wanted: Variant },
    #[cfg(feature = "table-generator")]
    #[error(transparent)]
    Certificate(#[from] crate::alquerque::CertificateFileError),
    #[error("damaged: shorter than its header says")]
    Short,
    #[error("damaged: {0}")]
    Damaged(String),
    #[error(transparent)]
    Io(std::io::Error),
}

impl TableError {
    pub(crate) fn damaged_at(offset: u64, what: &str) -> TableError {
        TableError::Damaged(format!("{what} at byte {offset}"))
    }

    /// Adds to a `Damaged` error the path of the table's file, or the table's name if there is no
    /// file.
    #[must_use]
    pub(crate) fn in_table(self, material: impl Display, bytes: &dyn TableBytes) -> TableError {
        let TableError::Damaged(what) = self else { return self };
        let path = bytes.path().map(|path| path.display().to_string());
        TableError::Damaged(format!("{what} of {}", path.unwrap_or_else(|| material.to_string())))
    }

    /// Fails if a file's size differs from what its header says.
    pub(crate) fn expect_size(found: u64, wanted: u64) -> Result<(), TableError> {
        match found.cmp(&wanted) {
            Ordering::Less => Err(TableError::Short),
            Ordering::Equal => Ok(()),
            Ordering::Greater => {
                Err(TableError::Damaged("there are bytes after its end".to_owned()))
            }
        }
    }

    pub(crate) fn damaged_header() -> TableError {
        TableError::Damaged("its header is not that of a table".to_owned())
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
