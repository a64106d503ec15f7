//! Input files.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file to read it, but no folder, pipe or device: those may block, or never end.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    File::open(path)
}
