//! The folder in which games are kept, a file each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Map, Value};

use super::record::{Record, is_id};
use crate::pgn::GameResult;
use crate::variant::Variant;
use crate::whole_file::replace;

/// Games shown in a list.
const MAX_LISTED: usize = 100;
/// Bytes of a file that are read.
const MAX_FILE_BYTES: u64 = 8 << 20;
/// Bytes of what the user prefers.
const MAX_PREFERENCES_BYTES: usize = 8 << 10;

/// The folder of games.
#[derive(Clone, Debug)]
pub(super) struct Store {
    folder: PathBuf,
}

/// What a list says of a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Listed {
    /// Its name.
    pub id: String,
    /// Which game it is.
    pub game: Variant,
    /// Moves of its main line.
    pub moves: usize,
    /// Its result.
    pub result: GameResult,
    /// Whether it is being played.
    pub running: bool,
    /// Whether the engine plays, and how strong.
    pub title: String,
    /// Seconds since 1970 when it was kept.
    pub time: u64,
}

impl Store {
    /// The games in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(folder: &Path) -> io::Result<Store> {
        fs::create_dir_all(folder)?;
        Ok(Store { folder: folder.to_owned() })
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    /// Keeps a game. What goes wrong is logged: the game goes on all the same.
    pub fn save(&self, record: &Record) {
        if !record.is_worth_keeping() || !is_id(&record.id) {
            return;
        }
        let path = self.path(&record.id);
        match record.to_json() {
            Ok(text) => {
                if let Err(error) = replace(&path, &text) {
                    log::error!("{}: {error}", path.display());
                }
            }
            Err(error) => log::error!("{}: {error}", path.display()),
        }
    }

    /// Reads a game, if it is there and whole.
    pub fn load(&self, id: &str) -> Option<Record> {
        if !is_id(id) {
            return None;
        }
        let path = self.path(id);
        if path.metadata().ok()?.len() > MAX_FILE_BYTES {
            return None;
        }
        let text = fs::read_to_string(&path).ok()?;
        Record::from_json(id, &text)
            .inspect_err(|error| log::warn!("{}: {error}", path.display()))
            .ok()
    }

    /// Throws a game away, and its review with it.
    pub fn remove(&self, id: &str) {
        if !is_id(id) {
            return;
        }
        if let Err(error) = fs::remove_file(self.path(id)) {
            log::warn!("{id} cannot be removed: {error}");
        }
        // Few games have one.
        let _ = fs::remove_file(self.review_path(id));
    }

    /// The file of a review. Its name is none of a game.
    fn review_path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.review.json"))
    }

    /// Keeps the review of a game beside it: the game is written after every move, the
    /// review only once.
    pub fn keep_review(&self, id: &str, review: &Value) {
        let path = self.review_path(id);
        if is_id(id)
            && let Err(error) = replace(&path, review.to_string())
        {
            log::error!("{}: {error}", path.display());
        }
    }

    /// The review of a game, if it has one.
    pub fn review(&self, id: &str) -> Option<Value> {
        let path = self.review_path(id);
        if !is_id(id) || path.metadata().ok()?.len() > MAX_FILE_BYTES {
            return None;
        }
        let text = fs::read_to_string(&path).ok()?;
        serde_json::from_str(&text)
            .inspect_err(|error| log::warn!("{}: {error}", path.display()))
            .ok()
    }

    fn preferences_path(&self) -> PathBuf {
        self.folder.join("preferences.json")
    }

    /// What the user prefers, as the page has told it; nothing at first.
    pub fn preferences(&self) -> Map<String, Value> {
        let text = fs::read_to_string(self.preferences_path()).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Keeps what the user prefers, unless it is more than anybody could prefer.
    pub fn prefer(&self, preferences: &Map<String, Value>) {
        let text = Value::Object(preferences.clone()).to_string();
        let path = self.preferences_path();
        if text.len() <= MAX_PREFERENCES_BYTES
            && let Err(error) = replace(&path, &text)
        {
            log::error!("{}: {error}", path.display());
        }
    }

    /// The names of all games with the time they were kept, the last one first.
    pub fn names(&self) -> Vec<(String, SystemTime)> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut names: Vec<(String, SystemTime)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let name = entry.file_name().into_string().ok()?;
                let id = name.strip_suffix(".json").filter(|id| is_id(id))?;
                Some((id.to_owned(), entry.metadata().ok()?.modified().ok()?))
            })
            .collect();
        names.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        names
    }

    /// The last games, with what can be said of each in a line.
    pub fn list(&self) -> Vec<Listed> {
        let names = self.names().into_iter().take(MAX_LISTED);
        names.filter_map(|(id, time)| Some(listed(&self.load(&id)?, time))).collect()
    }
}

fn listed(record: &Record, time: SystemTime) -> Listed {
    let tag = |name: &str| {
        record.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let title = match (&record.play, tag("White"), tag("Black")) {
        (Some(play), ..) => match play.people {
            [true, true] => "two players".to_owned(),
            [true, false] => format!("you and {}", engine_name(play.elo)),
            [false, true] => format!("{} and you", engine_name(play.elo)),
            [false, false] => "the engine alone".to_owned(),
        },
        (None, Some(white), Some(black)) => format!("{white} and {black}"),
        _ => "analysis".to_owned(),
    };
    Listed {
        id: record.id.clone(),
        game: record.variant,
        moves: record.tree.main_line_from(super::game_tree::ROOT).count(),
        result: record.result(),
        running: record.play.as_ref().is_some_and(super::play::Play::is_running),
        title,
        time: time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    }
}

/// The engine with its strength.
pub(super) fn engine_name(elo: Option<u32>) -> String {
    elo.map_or_else(|| "Qirkat".to_owned(), |elo| format!("Qirkat ({elo})"))
}
