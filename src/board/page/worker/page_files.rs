//! Files that the browser keeps for the page. The page hands over all of them at the start,
//! and is told of each that changes.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Deserialize;

use super::Outside;
use crate::page::store::KeptFiles;
use qirkat_system::host::since_1970;

/// A file as the page hands it over.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct KeptFile {
    name: String,
    /// Milliseconds since 1970 when it was written.
    time: u64,
    text: String,
}

/// A file that another tab has changed.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ChangedFile {
    name: String,
    /// Milliseconds since 1970 when it was written.
    time: u64,
    /// Nothing where it was removed.
    text: Option<String>,
}

pub(super) struct PageFiles {
    files: Mutex<BTreeMap<String, (Duration, String)>>,
    outside: Arc<dyn Outside>,
}

impl PageFiles {
    /// The files that were kept. Changes go to this.
    pub fn new(kept: Vec<KeptFile>, outside: Arc<dyn Outside>) -> PageFiles {
        let file = |KeptFile { name, time, text }| (name, (Duration::from_millis(time), text));
        PageFiles { files: Mutex::new(kept.into_iter().map(file).collect()), outside }
    }

    /// Takes up what another tab has changed.
    pub fn change(&self, ChangedFile { name, time, text }: ChangedFile) {
        let mut files = self.files.lock();
        match text {
            Some(text) => files.insert(name, (Duration::from_millis(time), text)),
            None => files.remove(&name),
        };
    }
}

impl KeptFiles for PageFiles {
    fn names(&self) -> Vec<(String, Duration)> {
        self.files.lock().iter().map(|(name, (time, _))| (name.clone(), *time)).collect()
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let found = self.files.lock().get(name).map(|(_, text)| text.clone());
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        self.files.lock().insert(name.to_owned(), (since_1970(), text.to_owned()));
        self.outside.keep(name, Some(text));
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        if self.files.lock().remove(name).is_some() {
            self.outside.keep(name, None);
        }
        Ok(())
    }
}
