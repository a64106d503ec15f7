//! A store whose files are in memory, and may refuse to be written.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use qirkat_rules::pgn::PgnReader;
use qirkat_system::host::since_1970;

#[derive(Default)]
pub(crate) struct MemoryFiles {
    texts: Mutex<BTreeMap<String, Vec<u8>>>,
    is_full: AtomicBool,
}

impl KeptFiles for MemoryFiles {
    fn names(&self) -> Vec<(String, Duration)> {
        let texts = self.texts.lock();
        texts.keys().map(|name| (name.clone(), since_1970())).collect()
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let text = self.texts.lock().get(name).cloned();
        let text = text.ok_or(io::ErrorKind::NotFound)?;
        String::from_utf8(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        if self.is_full.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.texts.lock().insert(name.to_owned(), text.into());
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.texts.lock().remove(name);
        Ok(())
    }
}

fn record() -> Record {
    let read = PgnReader::new(&b"1. e4 e6 *"[..]).next().expect("a game");
    Record::from_pgn(&read.expect("a good one").game).expect("room")
}

#[test]
fn what_cannot_be_written_waits_and_is_there_meanwhile() {
    let files = Arc::new(MemoryFiles::default());
    let store = Store::new(Arc::clone(&files) as Arc<_>);
    files.is_full.store(true, Ordering::Relaxed);
    let record = record();
    store.save(&record);
    let trouble = store.trouble().expect("trouble");
    assert!(trouble.games == 1 && !trouble.reason.is_empty(), "{trouble:?}");
    assert!(store.next_try().is_some());
    assert_eq!(store.names().first().map(|(id, _)| id.as_str()), Some(record.id.as_str()));
    assert_eq!(store.load(&record.id).expect("the game").to_pgn(), record.to_pgn());
    store.try_again();
    assert_eq!(store.trouble(), Some(trouble));
    files.is_full.store(false, Ordering::Relaxed);
    store.try_again();
    assert_eq!(store.trouble(), None);
    assert_eq!(store.next_try(), None);
    assert!(files.read(&game_file(&record.id)).is_ok());
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

#[test]
fn what_cannot_be_read_is_named() {
    let files = Arc::new(MemoryFiles::default());
    let store = Store::new(Arc::clone(&files) as Arc<_>);
    store.save(&record());
    for (name, text) in [
        ("abcdefghijkm.json", &b"{"[..]),
        ("bcdefghijkma.json", b"\xff"),
        ("my game.json", b"{}"),
        ("preferences.json", b"{}"),
        ("training.json", b"{}"),
        ("abcdefghijkm.review.json", b"{}"),
    ] {
        files.texts.lock().insert(name.to_owned(), text.to_owned());
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
