//! The store: games that are kept, a file each, with their reviews and what the user
//! prefers.

#[cfg(feature = "board")]
mod folder;
mod kept_files;
mod listed;
mod unsaved;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use thiserror::Error;

use super::record::{Record, RecordError, is_id};
pub(super) use kept_files::KeptFiles;
pub(super) use listed::{Listed, Unreadable};
use qirkat_system::host::Instant;
pub(super) use unsaved::Trouble;
use unsaved::Unsaved;

/// Bytes of what the user prefers.
const MAX_PREFERENCES_BYTES: usize = 8 << 10;
/// The file of what the user prefers.
const PREFERENCES: &str = "preferences.json";
const GAME_ENDING: &str = ".json";
const REVIEW_ENDING: &str = ".review.json";

/// Games that are kept. Copies are of the same store.
#[derive(Clone)]
pub(super) struct Store {
    files: Arc<dyn KeptFiles>,
    unsaved: Arc<Mutex<Unsaved>>,
}

/// Why a game cannot be had.
#[derive(Debug, Error)]
pub(super) enum LoadError {
    /// No game is called so.
    #[error("its name is none that the board gives")]
    Name,
    /// There is no such file.
    #[error("it is not there any more")]
    Gone,
    /// It cannot be read.
    #[error(transparent)]
    File(io::Error),
    /// It is no game.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> LoadError {
        match error.kind() {
            io::ErrorKind::NotFound => LoadError::Gone,
            _ => LoadError::File(error),
        }
    }
}

impl Store {
    /// The games in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// When nothing can be kept there.
    #[cfg(feature = "board")]
    pub fn open(folder: &std::path::Path) -> io::Result<Store> {
        Ok(Store::in_files(Arc::new(folder::Folder::open(folder)?)))
    }

    /// The games in these files.
    pub fn in_files(files: Arc<dyn KeptFiles>) -> Store {
        Store { files, unsaved: Arc::default() }
    }

    fn unsaved(&self) -> MutexGuard<'_, Unsaved> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a file. Where that is not possible it is kept in memory: the game goes on.
    fn write(&self, name: &str, text: &str) {
        self.unsaved().write(&*self.files, name, text);
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let waiting = self.unsaved().text(name).map(str::to_owned);
        waiting.map_or_else(|| self.files.read(name), Ok)
    }

    /// Writes what could not be written before.
    pub fn try_again(&self) {
        self.unsaved().try_again(&*self.files);
    }

    /// When that is due, if anything waits.
    pub fn next_try(&self) -> Option<Instant> {
        self.unsaved().next_try()
    }

    /// Why something could not be written yet; nothing when all is kept.
    pub fn trouble(&self) -> Option<Trouble> {
        self.unsaved().trouble(|name| game_of(name).is_some())
    }

    /// Keeps a game.
    pub fn save(&self, record: &Record) {
        if !record.is_worth_keeping() || !is_id(&record.id) {
            return;
        }
        match record.to_json() {
            Ok(text) => self.write(&game_file(&record.id), &text),
            Err(error) => log::error!("{}: {error}", record.id),
        }
    }

    /// Reads a game.
    ///
    /// # Errors
    /// When it is not there, or not whole.
    pub fn load(&self, id: &str) -> Result<Record, LoadError> {
        let id = Some(id).filter(|id| is_id(id)).ok_or(LoadError::Name)?;
        Ok(Record::from_json(id, &self.read(&game_file(id))?)?)
    }

    /// Throws a game away, and its review with it.
    ///
    /// # Errors
    /// When it stays.
    pub fn remove(&self, id: &str) -> io::Result<()> {
        if !is_id(id) {
            return Ok(());
        }
        for name in [game_file(id), review_file(id)] {
            self.unsaved().forget(&name);
            self.files.remove(&name)?;
        }
        Ok(())
    }

    /// Keeps the review of a game beside it: the game is written after every move, the
    /// review only once.
    pub fn keep_review(&self, id: &str, review: &Value) {
        if is_id(id) {
            self.write(&review_file(id), &review.to_string());
        }
    }

    /// The review of a game, if it has one.
    pub fn review(&self, id: &str) -> Option<Value> {
        let text = self.read(&review_file(Some(id).filter(|id| is_id(id))?)).ok()?;
        serde_json::from_str(&text).inspect_err(|error| log::warn!("{id}: {error}")).ok()
    }

    /// What the user prefers, as the page has told it; nothing at first.
    pub fn preferences(&self) -> Map<String, Value> {
        let text = self.read(PREFERENCES).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Keeps what the user prefers, unless it is more than anybody could prefer.
    pub fn prefer(&self, preferences: &Map<String, Value>) {
        let text = Value::Object(preferences.clone()).to_string();
        if text.len() <= MAX_PREFERENCES_BYTES {
            self.write(PREFERENCES, &text);
        }
    }

    /// The names of all games with the time since 1970 when they were kept, the last one
    /// first. Some may be names that the board gives to no game.
    pub fn names(&self) -> Vec<(String, Duration)> {
        let unsaved: BTreeMap<String, Duration> = self.unsaved().names().collect();
        let is_written = |(name, _): &(String, Duration)| !unsaved.contains_key(name);
        let written = self.files.names().into_iter().filter(is_written);
        let is_game = |(name, time): (String, Duration)| Some((game_of(&name)?.to_owned(), time));
        let all = written.chain(unsaved.clone());
        let mut names: Vec<_> = all.filter_map(is_game).collect();
        names.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        names
    }

    /// What can be said in a line of a game of this name, or why it cannot be read. Nothing
    /// when it is gone.
    pub fn listed(&self, id: &str, time: Duration) -> Option<Result<Listed, Unreadable>> {
        match self.load(id) {
            Ok(record) => Some(Ok(Listed::of(&record, time))),
            Err(LoadError::Gone) => None,
            Err(error) => Some(Err(Unreadable {
                id: Some(id.to_owned()).filter(|id| is_id(id)),
                file: game_file(id),
                reason: error.to_string(),
                time: time.as_secs(),
            })),
        }
    }
}

/// The file of a game.
fn game_file(id: &str) -> String {
    format!("{id}{GAME_ENDING}")
}

/// The name of the game in a file, if one may be there.
fn game_of(file: &str) -> Option<&str> {
    let is_other = file == PREFERENCES || file.ends_with(REVIEW_ENDING);
    file.strip_suffix(GAME_ENDING).filter(|_| !is_other)
}

/// The file of a review. Its name is none of a game.
fn review_file(id: &str) -> String {
    format!("{id}{REVIEW_ENDING}")
}

/// The engine with its strength.
pub(super) fn engine_name(elo: Option<u32>) -> String {
    elo.map_or_else(|| "Qirkat".to_owned(), |elo| format!("Qirkat ({elo})"))
}

#[cfg(feature = "board")]
#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use qirkat_notation::pgn::PgnReader;

    fn record() -> Record {
        let read = PgnReader::new(&b"1. e4 e6 *"[..]).next().expect("a game");
        Record::from_pgn(&read.expect("a good one").game).expect("room")
    }

    #[test]
    fn one_board_at_a_time_has_a_folder() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let first = Store::open(folder.path()).expect("a folder for games");
        let refused = Store::open(folder.path()).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(refused, Err("another board keeps its games there".to_owned()));
        drop(first);
        assert!(Store::open(folder.path()).is_ok());
    }

    #[test]
    fn what_cannot_be_written_waits_and_is_there_meanwhile() {
        let parent = tempfile::tempdir().expect("a folder for the test");
        let folder = parent.path().join("games");
        let store = Store::open(&folder).expect("a folder for games");
        fs::remove_dir_all(&folder).expect("a folder");
        let record = record();
        store.save(&record);
        let trouble = store.trouble().expect("trouble");
        assert!(trouble.games == 1 && !trouble.reason.is_empty(), "{trouble:?}");
        assert!(store.next_try().is_some());
        assert_eq!(store.names().first().map(|(id, _)| id.as_str()), Some(record.id.as_str()));
        assert_eq!(store.load(&record.id).expect("the game").to_pgn(), record.to_pgn());
        store.try_again();
        assert_eq!(store.trouble(), Some(trouble));
        fs::create_dir(&folder).expect("a folder");
        store.try_again();
        assert_eq!(store.trouble(), None);
        assert_eq!(store.next_try(), None);
        assert!(folder.join(game_file(&record.id)).exists());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let store = Store::open(folder.path()).expect("a folder for games");
        let record = record();
        store.save(&record);
        for (name, text) in [
            ("abcdefghijkm.json", &b"{"[..]),
            ("bcdefghijkma.json", b"\xff"),
            ("my game.json", b"{}"),
            ("preferences.json", b"{}"),
            ("abcdefghijkm.review.json", b"{}"),
        ] {
            fs::write(folder.path().join(name), text).expect("room");
        }
        let rows = store.names().into_iter().filter_map(|(id, time)| store.listed(&id, time));
        let (good, bad): (Vec<_>, Vec<_>) = rows.partition(Result::is_ok);
        assert_eq!(good.len(), 1);
        let mut files: Vec<_> = bad.into_iter().filter_map(Result::err).collect();
        files.sort_by(|a, b| a.file.cmp(&b.file));
        let names: Vec<_> = files.iter().map(|bad| (bad.file.as_str(), bad.id.is_some())).collect();
        let wanted =
            [("abcdefghijkm.json", true), ("bcdefghijkma.json", true), ("my game.json", false)];
        assert_eq!(names, wanted);
        assert!(files.iter().all(|bad| !bad.reason.is_empty()));
    }
}
