//! What the sessions of all tabs share: saved games, which session has which game open, the opening
//! file, and the trainer.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;

use crate::page::backend::{Backend, Event, PoolShare, ResourcePool};
use crate::page::openings::OpeningStatistics;
use crate::page::store::Store;
use crate::page::training::Trainer;
use crate::page::watched_match::WatchedMatch;

/// The statistics of an opening file, and their share of memory.
type CountedOpenings = Arc<(OpeningStatistics, PoolShare)>;

#[derive(Clone)]
pub struct Shared {
    pub(crate) store: Store,
    pub(crate) open: OpenGames,
    pub(crate) pool: ResourcePool,
    pub(crate) openings: Arc<Mutex<Option<CountedOpenings>>>,
    pub(crate) trainer: Arc<Trainer>,
    pub(crate) watch: Option<Arc<dyn WatchedMatch>>,
    pub(crate) backend: Arc<dyn Backend>,
}

impl Shared {
    /// Combines what a host provides: saved games, the backend, and perhaps a match to watch.
    pub fn new(
        store: Store,
        backend: Arc<dyn Backend>,
        watch: Option<Arc<dyn WatchedMatch>>,
    ) -> Shared {
        Shared {
            trainer: Arc::new(Trainer::new(store.clone())),
            store,
            open: OpenGames::default(),
            pool: ResourcePool::of_this_machine(),
            openings: Arc::default(),
            watch,
            backend,
        }
    }
}

/// How long a tab may take to leave a game.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(3);

type Holder = (u64, Sender<Event>);

/// The sessions with open games, by game name.
#[derive(Clone, Default)]
pub(crate) struct OpenGames(Arc<Mutex<HashMap<String, Holder>>>);

impl OpenGames {
    pub fn open(&self, id: &str, session: u64, events: &Sender<Event>) {
        self.0.lock().insert(id.to_owned(), (session, events.clone()));
    }

    pub fn is_open(&self, id: &str) -> bool {
        self.0.lock().contains_key(id)
    }

    /// A session has left a game; ignored if another has it.
    pub fn close(&self, id: &str, session: u64) {
        let mut open = self.0.lock();
        if open.get(id).is_some_and(|(holder, _)| *holder == session) {
            open.remove(id);
        }
    }

    /// Makes another session leave a game, and waits until it is saved.
    pub fn take_over(&self, id: &str, session: u64) {
        let (done, left) = channel();
        let asked = match self.0.lock().get(id) {
            Some((holder, events)) if *holder != session => events.send(Event::Leave(done)).is_ok(),
            _ => false,
        };
        if asked {
            // The other side drops its sender when it has left, or is gone.
            let _ = left.recv_timeout(LEAVE_TIMEOUT);
        }
    }
}
