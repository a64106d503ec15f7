//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file in place of an older one, which stays until the new one is
/// seen to the disk.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let part = path.with_added_extension("part");
    let mut file = File::create(&part)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&part, path)
}
