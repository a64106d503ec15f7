//! Where a store keeps its files.

use std::io;
use std::time::Duration;

/// Files by their names: a folder on the disk, or what a browser keeps for a page.
pub trait KeptFiles: Send + Sync {
    /// All names, with the time since 1970 when each was written.
    fn names(&self) -> Vec<(String, Duration)>;

    /// What is in a file.
    ///
    /// # Errors
    /// When it is not there, or cannot be read as a text of sensible size.
    fn read(&self, name: &str) -> io::Result<String>;

    /// Writes a file in place of the one of its name.
    ///
    /// # Errors
    /// When there is no room.
    fn write(&self, name: &str, text: &str) -> io::Result<()>;

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// When it stays.
    fn remove(&self, name: &str) -> io::Result<()>;
}
