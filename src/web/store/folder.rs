//! A folder on the disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::KeptFiles;
use crate::output_file::replace;

/// Bytes of a file that are read.
const MAX_FILE_BYTES: u64 = 8 << 20;

/// The files of a folder.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// A folder, which is made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(path: &Path) -> io::Result<Folder> {
        fs::create_dir_all(path)?;
        Ok(Folder(path.to_owned()))
    }
}

impl KeptFiles for Folder {
    fn names(&self) -> Vec<(String, Duration)> {
        let Ok(entries) = fs::read_dir(&self.0) else { return Vec::new() };
        let names = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            let modified = entry.metadata().ok()?.modified().ok()?;
            let time = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
            Some((entry.file_name().into_string().ok()?, time))
        });
        names.collect()
    }

    fn read(&self, name: &str) -> Option<String> {
        let path = self.0.join(name);
        let is_sensible = path.metadata().ok()?.len() <= MAX_FILE_BYTES;
        is_sensible.then(|| fs::read_to_string(&path).ok()).flatten()
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        replace(&self.0.join(name), text)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.0.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
