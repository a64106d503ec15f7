//! Texts that could not be written yet: they are kept in memory, and tried again.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::KeptFiles;
use qirkat_system::host::{Instant, since_1970};

/// How soon it is tried again.
const INTERVAL: Duration = Duration::from_secs(3);

/// That something could not be written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trouble {
    pub reason: String,
    /// How many games wait.
    pub games: usize,
}

/// Texts that could not be written yet, by the names of their files.
#[derive(Debug, Default)]
pub(super) struct Unsaved {
    texts: BTreeMap<String, (Duration, String)>,
    reason: String,
    next_try: Option<Instant>,
}

impl Unsaved {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(|(_, text)| text.as_str())
    }

    /// The names of all that wait, with the time since 1970 when each should have been written.
    pub fn names(&self) -> impl Iterator<Item = (String, Duration)> {
        self.texts.iter().map(|(name, (time, _))| (name.clone(), *time))
    }

    /// Writes a text, or keeps it until that is possible.
    pub fn write(&mut self, files: &dyn KeptFiles, name: &str, text: &str) {
        match files.write(name, text) {
            Ok(()) => self.forget(name),
            Err(error) => {
                log::error!("{name}: {error}");
                self.texts.insert(name.to_owned(), (since_1970(), text.to_owned()));
                self.put_off(error.to_string());
            }
        }
    }

    /// A text is wanted no more.
    pub fn forget(&mut self, name: &str) {
        self.texts.remove(name);
        if self.texts.is_empty() {
            self.next_try = None;
        }
    }

    fn put_off(&mut self, reason: String) {
        self.reason = reason;
        self.next_try = Instant::now().checked_add(INTERVAL);
    }

    /// Writes all that waits and can be written.
    pub fn try_again(&mut self, files: &dyn KeptFiles) {
        self.next_try = None;
        let mut reason = None;
        self.texts.retain(|name, (_, text)| {
            let written = files.write(name, text);
            written.inspect_err(|error| reason = Some(error.to_string())).is_err()
        });
        if let Some(reason) = reason {
            self.put_off(reason);
        }
    }

    /// When it is to be tried again; never while nothing waits.
    pub fn next_try(&self) -> Option<Instant> {
        self.next_try
    }

    /// The trouble, if anything waits.
    pub fn trouble(&self, is_game: impl Fn(&str) -> bool) -> Option<Trouble> {
        let games = self.texts.keys().filter(|name| is_game(name)).count();
        (!self.texts.is_empty()).then(|| Trouble { reason: self.reason.clone(), games })
    }
}
