//! What the sessions of all tabs share: games that are kept, who has which open, the file of openings,
//! and the trainer.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;

use crate::page::backend::{Allowance, Backend, Event, Share};
use crate::page::openings::OpeningStatistics;
use crate::page::store::Store;
use crate::page::training::Trainer;
use crate::page::watched_match::WatchedMatch;

#[derive(Clone)]
pub struct Shared {
    pub(crate) store: Store,
    pub(crate) open: OpenGames,
    pub(crate) allowance: Allowance,
    pub(crate) openings: KnownOpenings,
    pub(crate) trainer: Arc<Trainer>,
    /// The match that can be watched, if there is one.
    pub(crate) watch: Option<Arc<dyn WatchedMatch>>,
    pub(crate) backend: Arc<dyn Backend>,
}

impl Shared {
    /// Shares what a host gives its sessions: games, what searches and reviews, and perhaps a match
    /// to watch.
    pub fn new(
        store: Store,
        backend: Arc<dyn Backend>,
        watch: Option<Arc<dyn WatchedMatch>>,
    ) -> Shared {
        Shared {
            trainer: Arc::new(Trainer::new(store.clone())),
            store,
            open: OpenGames::default(),
            allowance: Allowance::of_this_machine(),
            openings: KnownOpenings::default(),
            watch,
            backend,
        }
    }
}

/// A file of openings, and the memory that it takes.
type CountedOpenings = (Arc<OpeningStatistics>, Share);

/// The file of openings that was read last, if one was.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownOpenings(Arc<Mutex<Option<CountedOpenings>>>);

impl KnownOpenings {
    pub fn replace(&self, statistics: OpeningStatistics, share: Share) {
        *self.0.lock() = Some((Arc::new(statistics), share));
    }

    pub fn forget(&self) {
        *self.0.lock() = None;
    }

    pub fn statistics(&self) -> Option<Arc<OpeningStatistics>> {
        self.0.lock().as_ref().map(|(statistics, _)| Arc::clone(statistics))
    }
}

/// How long a tab may take to leave a game.
const PATIENCE: Duration = Duration::from_secs(3);

/// A session, by its number, and the way to it.
type Holder = (u64, Sender<Event>);

/// The sessions that have games open, by the names of the games.
#[derive(Clone, Default)]
pub(crate) struct OpenGames(Arc<Mutex<HashMap<String, Holder>>>);

impl OpenGames {
    pub fn open(&self, id: &str, session: u64, events: &Sender<Event>) {
        self.0.lock().insert(id.to_owned(), (session, events.clone()));
    }

    pub fn is_open(&self, id: &str) -> bool {
        self.0.lock().contains_key(id)
    }

    /// A session has left a game; nothing happens if another has it.
    pub fn close(&self, id: &str, session: u64) {
        let mut open = self.0.lock();
        if open.get(id).is_some_and(|(holder, _)| *holder == session) {
            open.remove(id);
        }
    }

    /// Lets another session leave a game, and waits until it has been kept.
    pub fn take_over(&self, id: &str, session: u64) {
        let (done, left) = channel();
        let asked = match self.0.lock().get(id) {
            Some((holder, events)) if *holder != session => events.send(Event::Leave(done)).is_ok(),
            _ => false,
        };
        if asked {
            // The other side drops its sender when it has left, or is gone.
            let _ = left.recv_timeout(PATIENCE);
        }
    }
}
