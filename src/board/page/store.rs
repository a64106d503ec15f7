//! The store: saved games, one file each, with their reviews, preferences and training progress.
//! Failed writes are kept in memory and retried.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::page::backend::ReviewVersion;
use crate::page::game_tree::ROOT;
use crate::page::record::{PlayedGame, ReadError, Record, is_id};
use crate::page::shown::placement_of;
use qirkat_analysis::casual::Strength;
use qirkat_rules::pgn::GameResult;
use qirkat_rules::variant::Variant;
use qirkat_system::host::{Instant, unix_time};

const MAX_PREFERENCES_BYTES: usize = 8 << 10;
const PREFERENCES: &str = "preferences.json";
pub(crate) const TRAINING: &str = "training.json";
const GAME_SUFFIX: &str = ".json";
const REVIEW_SUFFIX: &str = ".review.json";

/// Saved games. Clones share one store.
#[derive(Clone)]
pub struct Store {
    files: Arc<dyn KeptFiles>,
    unsaved: Arc<Mutex<Unsaved>>,
}

#[derive(Debug, Error)]
pub(crate) enum LoadError {
    #[error("its name is not a valid game name")]
    Name,
    #[error("it is not there any more")]
    Gone,
    #[error(transparent)]
    Unreadable(#[from] ReadError),
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> LoadError {
        match error.kind() {
            io::ErrorKind::NotFound => LoadError::Gone,
            _ => LoadError::Unreadable(error.into()),
        }
    }
}

impl Store {
    pub fn new(files: Arc<dyn KeptFiles>) -> Store {
        Store { files, unsaved: Arc::default() }
    }

    /// Writes a file. If that fails, it is kept in memory: the game goes on.
    fn write(&self, name: &str, text: String) {
        let mut unsaved = self.unsaved.lock();
        // A game that is only opened keeps its date.
        let is_there = self.files.read(name).is_ok_and(|old| old == text);
        let written = if is_there { Ok(()) } else { self.files.write(name, &text) };
        match written {
            Ok(()) => unsaved.forget(name),
            Err(error) => {
                log::error!("{name}: {error}");
                unsaved.texts.insert(name.to_owned(), (unix_time(), text));
                unsaved.put_off(error.to_string());
            }
        }
    }

    pub(crate) fn write_json(&self, name: &str, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(text) => self.write(name, text),
            Err(error) => log::error!("{name}: {error}"),
        }
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let waiting = self.unsaved.lock().texts.get(name).map(|(_, text)| text.clone());
        waiting.map_or_else(|| self.files.read(name), Ok)
    }

    pub(crate) fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<T, LoadError> {
        Ok(serde_json::from_str(&self.read(name)?).map_err(ReadError::from)?)
    }

    pub fn try_again(&self) {
        let mut unsaved = self.unsaved.lock();
        unsaved.next_try = None;
        let mut reason = None;
        unsaved.texts.retain(|name, (_, text)| {
            let written = self.files.write(name, text);
            written.inspect_err(|error| reason = Some(error.to_string())).is_err()
        });
        if let Some(reason) = reason {
            unsaved.put_off(reason);
        }
    }

    pub(crate) fn next_try(&self) -> Option<Instant> {
        self.unsaved.lock().next_try
    }

    /// Why something could not be written yet; none when all is saved.
    pub fn trouble(&self) -> Option<SaveFailure> {
        let unsaved = self.unsaved.lock();
        let games = unsaved.texts.keys().filter(|name| game_of(name).is_some()).count();
        let reason = unsaved.reason.clone();
        (!unsaved.texts.is_empty()).then_some(SaveFailure { reason, games })
    }

    pub(crate) fn save(&self, record: &Record) {
        if !record.is_worth_keeping() || !is_id(&record.id) {
            return;
        }
        match record.to_json() {
            Ok(text) => self.write(&game_file(&record.id), text),
            Err(error) => log::error!("{}: {error}", record.id),
        }
    }

    pub(crate) fn load(&self, id: &str) -> Result<Record, LoadError> {
        Ok(Record::from_json(id, &self.read(&file_of(id, game_file)?)?)?)
    }

    /// Some fields of a saved game; its moves are not replayed.
    pub(crate) fn read_fields<T: DeserializeOwned>(&self, id: &str) -> Result<T, LoadError> {
        self.read_json(&file_of(id, game_file)?)
    }

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

    /// Saves a game's review beside it: the game is written after every move, the review only once.
    pub(crate) fn keep_review(&self, id: &str, review: &Value) {
        if is_id(id) {
            self.write(&review_file(id), review.to_string());
        }
    }

    pub(crate) fn review(&self, id: &str) -> Result<Value, LoadError> {
        #[derive(Deserialize)]
        struct Versioned {
            #[serde(default, rename = "version")]
            _version: ReviewVersion,
        }
        let review: Value = self.read_json(&file_of(id, review_file)?)?;
        Versioned::deserialize(&review).map_err(ReadError::from)?;
        Ok(review)
    }

    /// The preferences, as the page has sent them; empty at first.
    pub(crate) fn preferences(&self) -> Map<String, Value> {
        self.read_json(PREFERENCES).unwrap_or_default()
    }

    /// Saves preferences that have changed. The others stay: another tab may have changed those.
    pub(crate) fn save_preferences(&self, changed: &Map<String, Value>) {
        let mut all = self.preferences();
        all.extend(changed.clone());
        let text = Value::Object(all).to_string();
        if text.len() <= MAX_PREFERENCES_BYTES {
            self.write(PREFERENCES, text);
        }
    }

    /// All files, with the time since 1970 when each was written.
    fn all(&self) -> Vec<(String, Duration)> {
        let unsaved = self.unsaved.lock();
        let unsaved = unsaved.texts.iter().map(|(name, (time, _))| (name.clone(), *time));
        let unsaved: BTreeMap<String, Duration> = unsaved.collect();
        let mut all = self.files.names();
        all.retain(|(name, _)| !unsaved.contains_key(name));
        all.extend(unsaved);
        all
    }

    /// The names of all games, perhaps invalid, with the time since 1970 of each, the latest first.
    pub(crate) fn names(&self) -> Vec<(String, Duration)> {
        let is_game = |(name, time): (String, Duration)| Some((game_of(&name)?.to_owned(), time));
        let mut names: Vec<_> = self.all().into_iter().filter_map(is_game).collect();
        names.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        names
    }

    /// The names of all reviewed games, with the time since 1970 when the review was saved.
    pub(crate) fn reviews(&self) -> Vec<(String, Duration)> {
        let reviewed = |(name, time): (String, Duration)| {
            let id = name.strip_suffix(REVIEW_SUFFIX).filter(|id| is_id(id))?;
            Some((id.to_owned(), time))
        };
        self.all().into_iter().filter_map(reviewed).collect()
    }

    /// Which sides people play; none if the game was not played here.
    pub(crate) fn people(&self, id: &str) -> Result<Option<[bool; 2]>, LoadError> {
        let kept: Value = self.read_fields(id)?;
        let people = kept.pointer("/play/people").map(Deserialize::deserialize).transpose();
        Ok(people.map_err(ReadError::from)?)
    }

    /// A game's row in the list, or why it cannot be read. None if it is gone.
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

/// The file of a game or a review, if the name is valid.
fn file_of(id: &str, file: fn(&str) -> String) -> Result<String, LoadError> {
    if is_id(id) { Ok(file(id)) } else { Err(LoadError::Name) }
}

fn game_file(id: &str) -> String {
    format!("{id}{GAME_SUFFIX}")
}

fn game_of(file: &str) -> Option<&str> {
    let is_other = [PREFERENCES, TRAINING].contains(&file) || file.ends_with(REVIEW_SUFFIX);
    file.strip_suffix(GAME_SUFFIX).filter(|_| !is_other)
}

fn review_file(id: &str) -> String {
    format!("{id}{REVIEW_SUFFIX}")
}

pub(super) fn engine_name(elo: Option<u32>) -> String {
    elo.map_or(Strength::FULL, Strength::Elo).name()
}

/// Files by name: a folder on disk, or the browser's storage.
pub trait KeptFiles: Send + Sync {
    /// All names, with the time since 1970 when each was written.
    fn names(&self) -> Vec<(String, Duration)>;

    /// The text of a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read: of the kind `NotFound` if there is no such file.
    fn read(&self, name: &str) -> io::Result<String>;

    fn write(&self, name: &str, text: &str) -> io::Result<()>;

    /// Removes a file; one that is not there is no error.
    fn remove(&self, name: &str) -> io::Result<()>;
}

const RETRY_INTERVAL: Duration = Duration::from_secs(3);

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SaveFailure {
    pub reason: String,
    pub games: usize,
}

/// Texts not written yet, by file name.
#[derive(Debug, Default)]
struct Unsaved {
    texts: BTreeMap<String, (Duration, String)>,
    reason: String,
    next_try: Option<Instant>,
}

impl Unsaved {
    fn forget(&mut self, name: &str) {
        self.texts.remove(name);
        if self.texts.is_empty() {
            self.next_try = None;
        }
    }

    fn put_off(&mut self, reason: String) {
        self.reason = reason;
        self.next_try = Instant::now().checked_add(RETRY_INTERVAL);
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Listed {
    pub id: String,
    pub game: Variant,
    /// Plies of the main line.
    pub moves: usize,
    pub board: String,
    pub flipped: bool,
    pub result: GameResult,
    /// Why it ended so; empty if that is not known.
    pub reason: String,
    pub running: bool,
    /// Its heading in the list: who plays, or `Analysis`; empty if `players` is set.
    pub title: String,
    pub players: Option<[String; 2]>,
    pub about: Vec<String>,
    /// When it was saved, in seconds since 1970.
    pub time: u64,
}

/// A file that should hold a game but does not.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Unreadable {
    /// The game's name, if it is one that the board could have assigned.
    pub id: Option<String>,
    pub file: String,
    pub reason: String,
    /// Seconds since 1970 when it was written.
    pub time: u64,
}

impl Listed {
    pub fn of(record: &Record, time: Duration) -> Listed {
        let names = record.tag("White").zip(record.tag("Black"));
        let players = names.filter(|_| record.play.is_none()).map(Into::into);
        let title = match (&record.play, &players) {
            (Some(play), _) => title_of(play),
            (None, Some(_)) => String::new(),
            (None, None) => "Analysis".to_owned(),
        };
        let last = record.tree.get(record.tree.end_of_main_line());
        let ending = record.ending();
        let people = record.play.as_ref().map(|play| play.game.people);
        Listed {
            id: record.id.clone(),
            board: last.map_or_else(String::new, |node| placement_of(&node.position)),
            flipped: people == Some([false, true]),
            game: record.variant,
            moves: record.tree.main_line_from(ROOT).count(),
            result: ending.as_ref().map_or(GameResult::Unfinished, |ending| ending.result),
            reason: ending.map_or_else(String::new, |ending| ending.reason),
            running: record.is_being_played(),
            title,
            players,
            about: ["Event", "Date"].iter().filter_map(|name| record.tag(name)).collect(),
            time: time.as_secs(),
        }
    }
}

fn title_of(play: &PlayedGame) -> String {
    match play.game.people {
        [true, true] => "White and Black".to_owned(),
        [true, false] => format!("You and {}", engine_name(play.elo)),
        [false, true] => format!("{} and You", engine_name(play.elo)),
        [false, false] => format!("{0} and {0}", engine_name(play.elo)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tests::MemoryFiles;
    use qirkat_rules::pgn::PgnReader;

    fn record() -> Record {
        let read = PgnReader::new(&b"1. e4 e6 *"[..]).next().expect("a game");
        Record::from_pgn(&read.expect("a good one").game).expect("room")
    }

    /// A review without a version is one of the first, and one that is too new says so.
    #[test]
    fn reviews_have_versions() {
        let files = Arc::new(MemoryFiles::default());
        let store = Store::new(Arc::clone(&files) as Arc<_>);
        let record = record();
        let read = || store.review(&record.id).map_err(|error| error.to_string());
        for (text, found) in [
            (r#"{"review":{"moves":[]},"pgn":"1. e4 *"}"#, Ok("1. e4 *")),
            (r#"{"version":1,"review":{"moves":[]},"pgn":"1. d4 *"}"#, Ok("1. d4 *")),
            (r#"{"version":2,"games":[]}"#, Err("it needs a newer Qirkat (format 2, not 1)")),
            ("{", Err("EOF")),
        ] {
            files.write(&review_file(&record.id), text).expect("room");
            match (read(), found) {
                (Ok(review), Ok(pgn)) => assert_eq!(review["pgn"], pgn),
                (Err(error), Err(fault)) => assert!(error.starts_with(fault), "{error}"),
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
        store.keep_review(&record.id, &serde_json::json!({"version": ReviewVersion::default()}));
        assert_eq!(read().expect("a review")["version"], 1);
    }
}
