//! Checksums of files, by which they are known again.

use std::fs::File;
use std::io;
use std::path::Path;

/// The checksum and length of a file.
pub(super) fn checksum(path: &Path) -> io::Result<String> {
    let mut hasher = crc32fast::Hasher::new();
    if !path.metadata()?.is_file() {
        // A pipe may have nothing to say, and no end.
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    let length = io::copy(&mut file, &mut Hashing(&mut hasher))?;
    Ok(format!("{:08x} of {length} bytes", hasher.finalize()))
}

struct Hashing<'a>(&'a mut crc32fast::Hasher);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
