//! The store: games that are kept, a file each, with their reviews and what the user
//! prefers.

#[cfg(feature = "board")]
mod folder;
mod kept_files;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::record::{Record, is_id};
use crate::pgn::GameResult;
use crate::variant::Variant;
pub(super) use kept_files::KeptFiles;

/// Games shown in a list.
const MAX_LISTED: usize = 100;
/// Bytes of what the user prefers.
const MAX_PREFERENCES_BYTES: usize = 8 << 10;
/// The file of what the user prefers.
const PREFERENCES: &str = "preferences.json";

/// Games that are kept. Copies are of the same store.
#[derive(Clone)]
pub(super) struct Store {
    files: Arc<dyn KeptFiles>,
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
    #[cfg(feature = "board")]
    pub fn open(folder: &std::path::Path) -> std::io::Result<Store> {
        Ok(Store::in_files(Arc::new(folder::Folder::open(folder)?)))
    }

    /// The games in these files.
    pub fn in_files(files: Arc<dyn KeptFiles>) -> Store {
        Store { files }
    }

    /// Writes a file. What goes wrong is logged: the game goes on.
    fn write(&self, name: &str, text: &str) {
        if let Err(error) = self.files.write(name, text) {
            log::error!("{name}: {error}");
        }
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

    /// Reads a game, if it is there and whole.
    pub fn load(&self, id: &str) -> Option<Record> {
        let text = self.files.read(&game_file(Some(id).filter(|id| is_id(id))?))?;
        Record::from_json(id, &text).inspect_err(|error| log::warn!("{id}: {error}")).ok()
    }

    /// Throws a game away, and its review with it.
    pub fn remove(&self, id: &str) {
        if !is_id(id) {
            return;
        }
        for name in [game_file(id), review_file(id)] {
            if let Err(error) = self.files.remove(&name) {
                log::warn!("{name} cannot be removed: {error}");
            }
        }
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
        let text = self.files.read(&review_file(Some(id).filter(|id| is_id(id))?))?;
        serde_json::from_str(&text).inspect_err(|error| log::warn!("{id}: {error}")).ok()
    }

    /// What the user prefers, as the page has told it; nothing at first.
    pub fn preferences(&self) -> Map<String, Value> {
        let text = self.files.read(PREFERENCES).unwrap_or_default();
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
    /// first.
    pub fn names(&self) -> Vec<(String, Duration)> {
        let is_game = |(name, time): (String, Duration)| {
            let id = name.strip_suffix(".json").filter(|id| is_id(id))?;
            Some((id.to_owned(), time))
        };
        let mut names: Vec<_> = self.files.names().into_iter().filter_map(is_game).collect();
        names.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        names
    }

    /// The last games, with what can be said of each in a line.
    pub fn list(&self) -> Vec<Listed> {
        let names = self.names().into_iter().take(MAX_LISTED);
        names.filter_map(|(id, time)| Some(listed(&self.load(&id)?, time))).collect()
    }
}

/// The file of a game.
fn game_file(id: &str) -> String {
    format!("{id}.json")
}

/// The file of a review. Its name is none of a game.
fn review_file(id: &str) -> String {
    format!("{id}.review.json")
}

fn listed(record: &Record, time: Duration) -> Listed {
    let title = match (&record.play, record.tag("White"), record.tag("Black")) {
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
        time: time.as_secs(),
    }
}

/// The engine with its strength.
pub(super) fn engine_name(elo: Option<u32>) -> String {
    elo.map_or_else(|| "Qirkat".to_owned(), |elo| format!("Qirkat ({elo})"))
}
