//! Tables in files of a folder.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::error::TableError;
use super::material::Material;
use super::set::Tables;
use super::table::TableBytes;
use super::table_game::TableGame;
use crate::chess::Kind;

/// The extension of a file with a table.
pub const TABLE_EXTENSION: &str = "qtb";

/// The file of a table in a folder.
pub(super) fn path_of<K: Kind>(folder: &Path, material: Material<K>) -> PathBuf {
    folder.join(format!("{material}.{TABLE_EXTENSION}"))
}

/// A file that is read where it is asked for.
pub(super) struct PagedFile(Mutex<File>);

impl PagedFile {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<PagedFile> {
        Ok(PagedFile(Mutex::new(File::open(path)?)))
    }
}

impl TableBytes for PagedFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).metadata()?.len())
    }
}

/// What a folder held.
#[derive(Debug)]
pub struct FolderTables<K> {
    /// The tables that were added.
    pub added: Vec<Material<K>>,
    /// The files that were left out.
    pub faulty: Vec<FaultyTable>,
}

/// A file that is no table, or cannot be read.
#[derive(Debug)]
pub struct FaultyTable {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: TableError,
}

impl<G: TableGame> Tables<G> {
    /// Adds the tables of a folder: every file with the extension
    /// [`TABLE_EXTENSION`]. Those that are damaged are left out.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn add_folder(&mut self, folder: &Path) -> io::Result<FolderTables<G::Kind>> {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        paths.retain(|path| path.extension().is_some_and(|it| it == TABLE_EXTENSION));
        paths.sort();
        let mut found = FolderTables { added: Vec::new(), faulty: Vec::new() };
        for path in paths {
            let opened = PagedFile::open(&path).map_err(TableError::from);
            match opened.and_then(|file| self.add(Box::new(file))) {
                Ok(material) => found.added.push(material),
                Err(error) => found.faulty.push(FaultyTable { path, error }),
            }
        }
        Ok(found)
    }
}
