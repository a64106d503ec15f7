//! An engine that searches in another worker.

use std::sync::Arc;

use parking_lot::Mutex;

use super::job::{Job, LineText, ResultText, SearchJob};
use super::{ENGINE, Outside};
use crate::page::backend::BackgroundEngine;
use crate::page::event::SearchListener;
use qirkat_engine::{SearchLimits, handicap_of_elo};
use qirkat_rules::variant::{AnyGame, AnyPosition};
use qirkat_system::host::random;

/// The search that goes on in the engine's worker, if one does.
#[derive(Clone, Default)]
pub(super) struct OngoingSearch(Arc<Mutex<Option<Ongoing>>>);

struct Ongoing {
    listener: SearchListener,
    position: AnyPosition,
}

impl OngoingSearch {
    /// The search of this number has found a line.
    pub fn line(&self, number: u64, line: &LineText) {
        if let Some(ongoing) =
            self.0.lock().as_mut().filter(|known| known.listener.number == number)
        {
            ongoing.listener.line(&line.read(&ongoing.position));
        }
    }

    /// The search of this number has ended.
    pub fn finished(&self, number: u64, result: &ResultText) {
        let ended = self.0.lock().take_if(|known| known.listener.number == number);
        if let Some(Ongoing { mut listener, position }) = ended {
            listener.finished(&result.read(&position));
        }
    }

    /// The worker has broken down, and the listener tells so.
    pub fn break_down(&self) {
        self.0.lock().take();
    }
}

/// An engine that searches in another worker.
pub(super) struct RemoteEngine {
    outside: Arc<dyn Outside>,
    ongoing: OngoingSearch,
    hash: usize,
}

impl RemoteEngine {
    /// An engine with a table of this many megabytes.
    pub fn new(outside: Arc<dyn Outside>, ongoing: OngoingSearch, hash: usize) -> RemoteEngine {
        RemoteEngine { outside, ongoing, hash }
    }
}

impl BackgroundEngine for RemoteEngine {
    fn go(
        &mut self,
        game: &AnyGame,
        mut limits: SearchLimits,
        elo: Option<u32>,
        listener: SearchListener,
    ) -> Result<(), String> {
        self.stop();
        limits.handicap = elo.and_then(|elo| handicap_of_elo(elo, random()));
        let job = Job::Search(SearchJob::of(listener.number, self.hash, game, limits));
        let job = serde_json::to_string(&job).map_err(|error| error.to_string())?;
        *self.ongoing.0.lock() = Some(Ongoing { listener, position: *game.position() });
        self.outside.start(ENGINE, &job);
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(mut ongoing) = self.ongoing.0.lock().take() {
            ongoing.listener.given_up();
            self.outside.end(ENGINE);
        }
    }

    /// Nobody ponders here: a worker that searches would not hear of it.
    fn ponder_hit(&self) {}
}

impl Drop for RemoteEngine {
    fn drop(&mut self) {
        self.stop();
        self.outside.end(ENGINE);
    }
}
