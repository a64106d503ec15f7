//! The folder that games are kept in.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use qirkat_system::input_file::open_regular_file;
use qirkat_system::output_file::{lock_folder, write_atomic_unsynced};

use crate::page::KeptFiles;

const MAX_FILE_BYTES: u64 = 8 << 20;

/// A folder's files, locked against other boards.
#[derive(Debug)]
pub(super) struct Folder {
    pub path: PathBuf,
    _held: File,
}

impl Folder {
    pub fn open(path: &Path) -> io::Result<Folder> {
        if path.exists() && !path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder"));
        }
        let held = fs::create_dir_all(path).and_then(|()| lock_folder(path));
        let held = held.map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => {
                io::Error::new(error.kind(), "another board keeps its games there")
            }
            _ => error,
        });
        Ok(Folder { path: path.to_owned(), _held: held? })
    }
}

impl KeptFiles for Folder {
    fn names(&self) -> Vec<(String, Duration)> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) => {
                log::warn!("{}: {error}", self.path.display());
                return Vec::new();
            }
        };
        let names = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            // Follows links, unlike `entry.metadata()`.
            let facts = fs::metadata(entry.path()).ok().filter(fs::Metadata::is_file)?;
            let time = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            Some((entry.file_name().to_string_lossy().into_owned(), time.unwrap_or_default()))
        });
        names.collect()
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let path = self.path.join(name);
        let mut text = String::new();
        open_regular_file(&path)?.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAX_FILE_BYTES {
            let limit = MAX_FILE_BYTES >> 20;
            let text = format!("it is larger than {limit} MB");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(text)
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        write_atomic_unsynced(&self.path.join(name), text.as_bytes())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_board_at_a_time_has_a_folder() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let first = Folder::open(folder.path()).expect("a folder for games");
        let refused = Folder::open(folder.path()).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(refused, Err("another board keeps its games there".to_owned()));
        drop(first);
        assert!(Folder::open(folder.path()).is_ok());
    }

    #[test]
    fn files_are_written_read_and_removed() {
        let parent = tempfile::tempdir().expect("a folder for the test");
        let path = parent.path().join("games");
        let folder = Folder::open(&path).expect("a folder for games");
        folder.write("a.json", "{}").expect("room");
        assert_eq!(folder.read("a.json").expect("a file"), "{}");
        assert_eq!(folder.names().first().map(|(name, _)| name.as_str()), Some("a.json"));
        fs::write(path.join("b.json"), b"\xff").expect("room");
        assert!(folder.read("b.json").is_err(), "it is no text");
        std::os::unix::fs::symlink("/dev/zero", path.join("c.json")).expect("a link");
        assert!(folder.read("c.json").is_err(), "it never ends");
        assert!(folder.names().iter().all(|(name, _)| name != "c.json"));
        folder.remove("a.json").expect("a file");
        let gone = folder.read("a.json").map_err(|error| error.kind());
        assert_eq!(gone, Err(io::ErrorKind::NotFound));
        fs::remove_dir_all(&path).expect("a folder");
        assert!(folder.write("a.json", "{}").is_err());
        fs::create_dir(&path).expect("a folder");
        assert!(folder.write("a.json", "{}").is_ok());
    }
}
