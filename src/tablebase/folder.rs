//! Tables in the files of a folder. A file is named after its material and, except for Chesquerque,
//! its game: `KRvKB.qtb`, `KRvKB.masonic.qtb`, `3v2.alquerque.qtb`. So a folder can hold tables of
//! several games.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use qirkat_rules::masonic;
use qirkat_rules::variant::Variant;
use qirkat_system::input_file::open_regular_file;

use super::all_tables::AllTables;
use super::alquerque::MenTables;
use super::error::{TableBytes, TableError};
use super::tables::{TableGame, Tables};

pub const TABLE_EXTENSION: &str = "qtb";

pub(super) fn path_of(folder: &Path, game: Variant, material: impl Display) -> PathBuf {
    folder.join(match game {
        Variant::Chesquerque => format!("{material}.{TABLE_EXTENSION}"),
        variant => format!("{material}.{variant}.{TABLE_EXTENSION}"),
    })
}

/// The game whose tables the file contains, judging by its name.
fn game_of(path: &Path) -> Option<Variant> {
    path.extension().filter(|extension| *extension == TABLE_EXTENSION)?;
    let game = Path::new(path.file_stem()?).extension().and_then(|game| game.to_str());
    let is_named = |variant: &Variant| game == Some(variant.name());
    Some(Variant::ALL.into_iter().find(is_named).unwrap_or_default())
}

/// A file that is read on demand.
pub(super) struct TableFile {
    file: Mutex<File>,
    path: PathBuf,
}

impl TableFile {
    pub fn open(path: &Path) -> io::Result<TableFile> {
        Ok(TableFile { file: Mutex::new(open_regular_file(path)?), path: path.to_owned() })
    }
}

impl TableBytes for TableFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.file.lock().unwrap_or_else(PoisonError::into_inner).metadata()?.len())
    }

    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }
}

/// What a folder held.
#[derive(Debug)]
pub struct FolderTables {
    /// Valid files, including tables of materials that were already there.
    pub added: usize,
    pub faulty: Vec<FaultyTable>,
}

/// A file that is not a valid table, or cannot be read.
#[derive(Debug)]
pub struct FaultyTable {
    pub path: PathBuf,
    pub error: TableError,
}

impl<G: TableGame> Tables<G> {
    /// Adds the tables of a folder: every file with the ending of this game's tables, as in `KRvKB.qtb`
    /// or `KRvKB.masonic.qtb`, whatever material its name says, and for Alquerque every certificate,
    /// such as `start.cert`. Damaged files, files of another game than their name says
    /// and wrong certificates are skipped and reported.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn add_folder(&mut self, folder: &Path) -> io::Result<FolderTables> {
        let mut found = FolderTables { added: 0, faulty: Vec::new() };
        let mut note = |path: PathBuf, added: Result<(), TableError>| match added {
            Ok(()) => found.added += 1,
            Err(error) => found.faulty.push(FaultyTable { path, error }),
        };
        for path in files_of(folder, &|path| game_of(path) == Some(G::VARIANT))? {
            let opened = TableFile::open(&path).map_err(TableError::from);
            let added = opened.and_then(|file| self.add(Box::new(file)));
            note(path, added.map(drop));
        }
        let is_strategy = |path: &Path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some() && extension == G::STRATEGY_EXTENSION
        };
        for path in files_of(folder, &is_strategy)? {
            let opened = open_regular_file(&path).map_err(TableError::from);
            note(path, opened.and_then(|file| G::add_strategy(self, file)));
        }
        Ok(found)
    }
}

fn files_of(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| is_wanted(path));
    paths.sort();
    Ok(paths)
}

impl AllTables {
    /// The built-in tables and those of a folder, as [`Tables::add_folder`] finds them.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn with_folder(folder: &Path) -> io::Result<(AllTables, FolderTables)> {
        let mut chesquerque: Tables = Tables::with_embedded();
        let mut masonic = Tables::<masonic::Position>::with_embedded();
        let mut alquerque = MenTables::with_embedded();
        let mut found = chesquerque.add_folder(folder)?;
        for more in [masonic.add_folder(folder)?, alquerque.add_folder(folder)?] {
            found.added += more.added;
            found.faulty.extend(more.faulty);
        }
        let tables = AllTables {
            chesquerque: Arc::new(chesquerque),
            masonic: Arc::new(masonic),
            alquerque: Arc::new(alquerque),
        };
        Ok((tables, found))
    }
}
