//! The store: games that are kept, a file each, with their reviews, what the user prefers and
//! what he has trained.

mod listed;
#[cfg(test)]
pub(super) mod tests;
mod unsaved;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::record::{Record, RecordError, is_id};
use super::review::ReviewVersion;
use super::training::Progress;
pub(super) use listed::{Listed, Unreadable};
use qirkat_analysis::casual::Strength;
use qirkat_system::host::Instant;
pub use unsaved::Trouble;
use unsaved::Unsaved;

/// Bytes of what the user prefers.
const MAX_PREFERENCES_BYTES: usize = 8 << 10;
/// The file of what the user prefers.
const PREFERENCES: &str = "preferences.json";
/// The file of what the user has trained.
const TRAINING: &str = "training.json";
const GAME_ENDING: &str = ".json";
const REVIEW_ENDING: &str = ".review.json";

/// Games that are kept. Copies are of the same store.
#[derive(Clone)]
pub struct Store {
    files: Arc<dyn KeptFiles>,
    unsaved: Arc<Mutex<Unsaved>>,
}

/// Why a game cannot be had.
#[derive(Debug, Error)]
pub(crate) enum LoadError {
    /// No game is called so.
    #[error("its name is none that the board gives")]
    Name,
    /// There is no such file.
    #[error("it is not there any more")]
    Gone,
    /// It cannot be read.
    #[error(transparent)]
    File(io::Error),
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
    /// The games in these files.
    pub fn new(files: Arc<dyn KeptFiles>) -> Store {
        Store { files, unsaved: Arc::default() }
    }

    /// Writes a file. Where that is not possible it is kept in memory: the game goes on.
    fn write(&self, name: &str, text: &str) {
        self.unsaved.lock().write(&*self.files, name, text);
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let waiting = self.unsaved.lock().text(name).map(str::to_owned);
        waiting.map_or_else(|| self.files.read(name), Ok)
    }

    /// Writes what could not be written before.
    pub fn try_again(&self) {
        self.unsaved.lock().try_again(&*self.files);
    }

    /// When that is due, if anything waits.
    pub(crate) fn next_try(&self) -> Option<Instant> {
        self.unsaved.lock().next_try()
    }

    /// Why something could not be written yet; nothing when all is kept.
    pub fn trouble(&self) -> Option<Trouble> {
        self.unsaved.lock().trouble(|name| game_of(name).is_some())
    }

    /// Keeps a game.
    pub(crate) fn save(&self, record: &Record) {
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
    pub(crate) fn load(&self, id: &str) -> Result<Record, LoadError> {
        let id = Some(id).filter(|id| is_id(id)).ok_or(LoadError::Name)?;
        Ok(Record::from_json(id, &self.read(&game_file(id))?)?)
    }

    /// Throws a game away, and its review with it.
    ///
    /// # Errors
    /// When it stays.
    pub(crate) fn remove(&self, id: &str) -> io::Result<()> {
        if !is_id(id) {
            return Ok(());
        }
        for name in [game_file(id), review_file(id)] {
            self.unsaved.lock().forget(&name);
            self.files.remove(&name)?;
        }
        Ok(())
    }

    /// Keeps the review of a game beside it: the game is written after every move, the
    /// review only once.
    pub(crate) fn keep_review(&self, id: &str, review: &Value) {
        if is_id(id) {
            self.write(&review_file(id), &review.to_string());
        }
    }

    /// The review of a game.
    ///
    /// # Errors
    /// When it has none, or one that cannot be read.
    pub(crate) fn review(&self, id: &str) -> Result<Value, LoadError> {
        #[derive(Deserialize)]
        struct KeptReview {
            #[serde(default, rename = "version")]
            _version: ReviewVersion,
        }
        let id = Some(id).filter(|id| is_id(id)).ok_or(LoadError::Name)?;
        let text = self.read(&review_file(id))?;
        let KeptReview { .. } = serde_json::from_str(&text).map_err(RecordError::from)?;
        Ok(serde_json::from_str(&text).map_err(RecordError::from)?)
    }

    /// The user's preferences, as the page has told them; nothing at first.
    pub(crate) fn preferences(&self) -> Map<String, Value> {
        let text = self.read(PREFERENCES).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Keeps what the user prefers, unless it is more than anybody could prefer.
    pub(crate) fn prefer(&self, preferences: &Map<String, Value>) {
        let text = Value::Object(preferences.clone()).to_string();
        if text.len() <= MAX_PREFERENCES_BYTES {
            self.write(PREFERENCES, &text);
        }
    }

    /// What was trained.
    ///
    /// # Errors
    /// When nothing was, or it cannot be read.
    pub(crate) fn training(&self) -> Result<Progress, LoadError> {
        Ok(serde_json::from_str(&self.read(TRAINING)?).map_err(RecordError::from)?)
    }

    pub(crate) fn keep_training(&self, progress: &Progress) {
        match serde_json::to_string(progress) {
            Ok(text) => self.write(TRAINING, &text),
            Err(error) => log::error!("{TRAINING}: {error}"),
        }
    }

    /// All files, with the time since 1970 when each was kept.
    fn all(&self) -> Vec<(String, Duration)> {
        let unsaved: BTreeMap<String, Duration> = self.unsaved.lock().names().collect();
        let mut all = self.files.names();
        all.retain(|(name, _)| !unsaved.contains_key(name));
        all.extend(unsaved);
        all
    }

    /// The names of all games with the time since 1970 when they were kept, the last one
    /// first. Some may be names that the board gives to no game.
    pub(crate) fn names(&self) -> Vec<(String, Duration)> {
        let is_game = |(name, time): (String, Duration)| Some((game_of(&name)?.to_owned(), time));
        let mut names: Vec<_> = self.all().into_iter().filter_map(is_game).collect();
        names.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        names
    }

    /// The names of all games that are reviewed, with the time since 1970 when the review was
    /// kept.
    pub(crate) fn reviews(&self) -> Vec<(String, Duration)> {
        let reviewed = |(name, time): (String, Duration)| {
            let id = name.strip_suffix(REVIEW_ENDING).filter(|id| is_id(id))?;
            Some((id.to_owned(), time))
        };
        self.all().into_iter().filter_map(reviewed).collect()
    }

    /// Which sides people play in a game; nothing of one that was not played here.
    ///
    /// # Errors
    /// When it is not there, or cannot be read.
    pub(crate) fn people(&self, id: &str) -> Result<Option<[bool; 2]>, LoadError> {
        #[derive(Deserialize)]
        struct Kept {
            play: Option<Play>,
        }
        #[derive(Deserialize)]
        struct Play {
            people: [bool; 2],
        }
        let id = Some(id).filter(|id| is_id(id)).ok_or(LoadError::Name)?;
        let kept: Kept =
            serde_json::from_str(&self.read(&game_file(id))?).map_err(RecordError::from)?;
        Ok(kept.play.map(|play| play.people))
    }

    /// The list's row of a game of this name, or why it cannot be read. Nothing
    /// when it is gone.
    pub(crate) fn listed(&self, id: &str, time: Duration) -> Option<Result<Listed, Unreadable>> {
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

fn game_file(id: &str) -> String {
    format!("{id}{GAME_ENDING}")
}

/// The name of the game in a file, if one may be there.
fn game_of(file: &str) -> Option<&str> {
    let is_other = [PREFERENCES, TRAINING].contains(&file) || file.ends_with(REVIEW_ENDING);
    file.strip_suffix(GAME_ENDING).filter(|_| !is_other)
}

/// The file of a review. Its name is none of a game.
fn review_file(id: &str) -> String {
    format!("{id}{REVIEW_ENDING}")
}

pub(super) fn engine_name(elo: Option<u32>) -> String {
    elo.map_or(Strength::FULL, Strength::Elo).name()
}

/// Files by their names: a folder on the disk, or what a browser keeps for a page.
pub trait KeptFiles: Send + Sync {
    /// All names, with the time since 1970 when each was written.
    fn names(&self) -> Vec<(String, Duration)>;

    /// The text of a file.
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
