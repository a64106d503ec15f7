//! Which tab has opened which game: a game is open in one tab at a time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;

use super::event::Event;

/// How long a tab may take to leave a game.
const PATIENCE: Duration = Duration::from_secs(3);

/// The games that are open, by name.
#[derive(Clone, Default)]
pub(crate) struct OpenGames(Arc<Mutex<HashMap<String, Holder>>>);

struct Holder {
    session: u64,
    events: Sender<Event>,
}

impl OpenGames {
    /// A session has opened a game.
    pub fn open(&self, id: &str, session: u64, events: &Sender<Event>) {
        let holder = Holder { session, events: events.clone() };
        self.0.lock().insert(id.to_owned(), holder);
    }

    /// Whether any session has it open.
    pub fn is_open(&self, id: &str) -> bool {
        self.0.lock().contains_key(id)
    }

    /// A session has left a game; nothing happens if another has it.
    pub fn close(&self, id: &str, session: u64) {
        let mut open = self.0.lock();
        if open.get(id).is_some_and(|holder| holder.session == session) {
            open.remove(id);
        }
    }

    /// Lets another session leave a game, and waits until it has been kept.
    pub fn take_over(&self, id: &str, session: u64) {
        let (done, left) = channel();
        let asked = match self.0.lock().get(id) {
            Some(holder) if holder.session != session => {
                holder.events.send(Event::Leave(done)).is_ok()
            }
            _ => false,
        };
        if asked {
            // The other side drops its sender when it has left, or is gone.
            let _ = left.recv_timeout(PATIENCE);
        }
    }
}
