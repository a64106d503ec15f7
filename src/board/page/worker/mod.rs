//! A session without a server, in a Web Worker of the page. WebAssembly has one thread, and
//! a thread that searches hears nothing. So the same module runs in several workers:
//!
//! - one has the session ([`WorkerTab`]) and answers the page at once;
//! - further ones do its jobs ([`JobRunner`]): one searches for the engine, each review has
//!   one of its own. To stop a job, its worker is ended, which always works at once and
//!   loses no more than its table.
//!
//! The messages between them are JSON ([`job`]). JavaScript (`site/alone/`) starts and ends the
//! workers and carries their messages; `exports` is what it calls.

#[cfg(target_family = "wasm")]
mod exports;
mod job;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;
use serde::Deserialize;

use crate::page::backend::{Backend, BackgroundEngine, Event, SearchListener};
use crate::page::review::{ReviewNews, ReviewTask};
use crate::page::session::{Replies, Session};
use crate::page::shared::Shared;
use crate::page::store::{KeptFiles, Store};
use crate::page::worker::job::{
    Job, JobRunner, LineText, Report, ResultText, ReviewOrder, SearchJob,
};
use qirkat_engine::{SearchLimits, handicap_of_elo};
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_system::host::{Instant, random, since_1970};

/// The worker that does the searches of the engine. Each review has the worker of its own
/// number, from 1.
const ENGINE: u32 = 0;

/// The page outside of the session's worker. Nothing is answered at once.
pub(super) trait Outside: Send + Sync {
    /// Gives a job to a worker, which is made if it is not there.
    fn start(&self, worker: u32, job: &str);

    /// Ends a worker, whatever it does.
    fn end(&self, worker: u32);

    /// Fetches the certificate of Alquerque from where the page comes from.
    fn fetch_certificate(&self);

    /// Keeps a file in the browser, or without a text removes it.
    fn keep(&self, name: &str, text: Option<&str>);
}

/// The session of a page, and the workers that search for it. Whatever is called, the
/// session is asked what is due afterwards ([`poll`](WorkerTab::poll)).
pub(super) struct WorkerTab {
    session: Session,
    workers: Arc<Workers>,
    files: Arc<PageFiles>,
}

/// The only tab: each page has a worker of its own.
const NUMBER: u64 = 0;

impl WorkerTab {
    /// A session with the games that were kept, which greets the page.
    pub fn open(kept: Vec<KeptFile>, outside: Arc<dyn Outside>, replies: Replies) -> WorkerTab {
        let workers = Arc::new(Workers::new(Arc::clone(&outside)));
        let files = Arc::new(PageFiles::new(kept, outside));
        let store = Store::new(Arc::clone(&files) as Arc<_>);
        let shared = Shared::new(store, Arc::clone(&workers) as Arc<_>, None);
        let mut session = Session::new(shared, NUMBER, channel(), replies);
        session.greet();
        WorkerTab { session, workers, files }
    }

    pub fn receive_from_page(&mut self, request: String) {
        if !self.session.is_over() {
            self.session.handle(Event::Request(request, Box::new(())));
        }
    }

    /// Another tab has kept a file, or removed it.
    pub fn receive_file(&self, file: ChangedFile) {
        self.files.change(file);
    }

    pub fn receive_from_worker(&self, report: &str) {
        if let Err(error) = self.workers.hear(report) {
            log::error!("a report was not understood: {error}");
        }
    }

    /// The certificate has come, or nothing where it could not be had. Says whether it holds, so
    /// that the workers need not check it once more.
    pub fn receive_certificate(&mut self, bytes: Vec<u8>) -> bool {
        self.workers.take_certificate(bytes);
        self.session.handle_waiting();
        self.session.has_certificate()
    }

    pub fn break_down(&self, worker: u32) {
        self.workers.break_down(worker);
    }

    /// Does what is due, and tells after how long it has to be called again though nothing
    /// happens.
    pub fn poll(&mut self) -> Option<Duration> {
        self.session.handle_waiting();
        let next = self.session.poll()?;
        Some(next.saturating_duration_since(Instant::now()))
    }
}

/// Who hears of each review that goes on.
type Reviews = Arc<Mutex<BTreeMap<u64, Sender<Event>>>>;

pub(super) struct Workers {
    outside: Arc<dyn Outside>,
    search: OngoingSearch,
    reviews: Reviews,
    /// Who waits for the certificate.
    certificate: Mutex<Option<Sender<Event>>>,
}

impl Workers {
    /// Workers that are started and ended by this.
    pub fn new(outside: Arc<dyn Outside>) -> Workers {
        Workers {
            outside,
            search: OngoingSearch::default(),
            reviews: Reviews::default(),
            certificate: Mutex::default(),
        }
    }

    /// A worker has reported something. Reports of jobs that were given up come to nothing.
    pub fn hear(&self, report: &str) -> Result<(), serde_json::Error> {
        match serde_json::from_str(report)? {
            Report::Line { number, line } => self.search.line(number, &line),
            Report::Finished { number, result } => self.search.finished(number, &result),
            Report::Review { number, news } => self.send(number, news),
        }
        Ok(())
    }

    /// The certificate has come, or nothing where it could not be had.
    pub fn take_certificate(&self, bytes: Vec<u8>) {
        if let Some(events) = self.certificate.lock().take() {
            // The session may have ended.
            let _ = events.send(Event::Certificate(bytes));
        }
    }

    pub fn break_down(&self, worker: u32) {
        if worker == ENGINE {
            self.search.break_down();
        } else {
            let text = "the review has broken down".to_owned();
            self.send(worker.into(), ReviewNews::Failed(text));
        }
    }

    fn send(&self, number: u64, news: ReviewNews) {
        if let Some(events) = self.reviews.lock().get(&number) {
            // The session may have ended.
            let _ = events.send(Event::Review(number, news));
        }
    }
}

impl Backend for Workers {
    fn has_threads(&self) -> bool {
        false
    }

    fn engine(
        &self,
        _variant: Variant,
        _threads: usize,
        megabytes: usize,
    ) -> Result<Box<dyn BackgroundEngine>, String> {
        let outside = Arc::clone(&self.outside);
        Ok(Box::new(RemoteEngine::new(outside, self.search.clone(), megabytes)))
    }

    fn review(&self, task: ReviewTask, events: &Sender<Event>) -> Result<Box<dyn Send>, String> {
        let worker = u32::try_from(task.number).map_err(|error| error.to_string())?;
        let job = Job::Review(ReviewOrder::of(&task));
        let job = serde_json::to_string(&job).map_err(|error| error.to_string())?;
        self.reviews.lock().insert(task.number, events.clone());
        self.outside.start(worker, &job);
        let (outside, reviews) = (Arc::clone(&self.outside), Arc::clone(&self.reviews));
        Ok(Box::new(RemoteReview { worker, outside, reviews }))
    }

    fn fetch_certificate(&self, events: &Sender<Event>) -> bool {
        *self.certificate.lock() = Some(events.clone());
        self.outside.fetch_certificate();
        true
    }
}

/// A review in a worker of its own, which is ended with it.
struct RemoteReview {
    worker: u32,
    outside: Arc<dyn Outside>,
    reviews: Reviews,
}

impl Drop for RemoteReview {
    fn drop(&mut self) {
        self.reviews.lock().remove(&self.worker.into());
        self.outside.end(self.worker);
    }
}

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
