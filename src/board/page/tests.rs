//! What the tests of sessions on threads and in workers share.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::page::KeptFiles;
use qirkat_system::host::unix_time;

/// How long a reply may take on a busy machine.
pub(crate) const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// Its first move loses more than the opening book accepts.
pub(crate) const BAD_OPENING: &str = "[Variant \"Masonic chess\"]\n\n1. Nc3 *";

/// A page, as its session knows it.
pub(crate) trait TestPage {
    fn ask(&mut self, request: Value);

    fn next_reply(&mut self) -> Option<String>;

    fn hear(&mut self, kind: &str) -> Value {
        loop {
            let text = self.next_reply().unwrap_or_else(|| panic!("no reply `{kind}`"));
            let reply: Value = serde_json::from_str(&text).expect("JSON");
            if reply["say"] == kind {
                return reply;
            }
        }
    }

    fn get(&mut self, request: Value, kind: &str) -> Value {
        self.ask(request);
        self.hear(kind)
    }

    fn state_where(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let state = self.hear("state");
            if holds(&state) {
                return state;
            }
        }
    }

    /// Makes moves from a node that is shown.
    fn play(&mut self, mut node: u64, moves: &[&str]) -> Value {
        let mut state = Value::Null;
        for text in moves {
            self.ask(json!({"do": "move", "node": node, "text": text}));
            state = self.state_where(|state| state["node"] != node);
            node = state["node"].as_u64().expect("a node");
        }
        state
    }

    fn begin(&mut self, game: &str) -> Value {
        self.ask(json!({"do": "new", "game": game, "people": [true, true]}));
        self.state_where(|state| !state["play"].is_null())
    }

    fn export(&mut self) -> String {
        let written = self.get(json!({"do": "export"}), "exported");
        written["pgn"].as_str().expect("a text").replace('\n', " ")
    }

    fn refuses(&mut self, requests: &[Value]) {
        for request in requests {
            let error = self.get(request.clone(), "error");
            assert!(text_of(&error["text"]).contains("not understood"), "{request}");
        }
    }
}

pub(crate) fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(crate) fn length(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

#[derive(Default)]
pub(crate) struct MemoryFiles {
    texts: Mutex<BTreeMap<String, String>>,
}

impl KeptFiles for MemoryFiles {
    fn names(&self) -> Vec<(String, Duration)> {
        let texts = self.texts.lock();
        texts.keys().map(|name| (name.clone(), unix_time())).collect()
    }

    fn read(&self, name: &str) -> io::Result<String> {
        self.texts.lock().get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        self.texts.lock().insert(name.to_owned(), text.into());
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.texts.lock().remove(name);
        Ok(())
    }
}
