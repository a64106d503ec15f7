//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file in place of an older one, which stays until the new one is finished
/// and seen to the disk. Dropped before that, it leaves no trace.
pub(crate) struct WholeFile {
    /// What goes in.
    pub content: BufWriter<File>,
    /// Where that is until the end.
    part: PathBuf,
    path: PathBuf,
}

impl WholeFile {
    /// Begins it, in the folder where it is to stand.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let part = path.with_added_extension(format!("{}.part", std::process::id()));
        let content = BufWriter::new(File::create(&part)?);
        log::debug!("{}: being written as {}", path.display(), part.display());
        Ok(WholeFile { content, part, path: path.to_owned() })
    }

    /// Puts it in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.content.flush()?;
        self.content.get_ref().sync_all()?;
        fs::rename(&self.part, &self.path)?;
        log::info!("{}: written", self.path.display());
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // A finished file is there no more.
        let _ = fs::remove_file(&self.part);
    }
}

/// Writes a whole file.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.content.write_all(content)?;
    file.finish()
}

/// Writes a file whole or not at all, without seeing it to the disk: that may take
/// longer than a move, and the system writes it when the program is killed too.
pub(crate) fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let part = path.with_added_extension("part");
    fs::write(&part, content)?;
    fs::rename(&part, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_files_stay_until_new_ones_are_whole() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("file");
        write_whole(&path, b"old").expect("room on the disk");
        let mut file = WholeFile::create(&path).expect("room on the disk");
        file.content.write_all(b"half").expect("room on the disk");
        drop(file);
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        write_whole(&path, b"new").expect("room on the disk");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
