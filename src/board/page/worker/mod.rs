//! A session without a server, in a Web Worker of the page. WebAssembly has one thread, and
//! a thread that searches hears nothing. So the same module runs in several workers:
//!
//! - one has the session ([`WorkerTab`]) and answers the page at once;
//! - further ones do its jobs ([`job`]): one searches for the engine, each review has
//!   one of its own. To stop a job, its worker is ended, which always works at once and
//!   loses no more than its table.
//!
//! JavaScript (`site/alone/`) starts and ends the workers and carries their messages; `exports`
//! is what it calls.

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

use crate::page::backend::{Backend, BackgroundEngine, Event, SearchReporter};
use crate::page::review::{ReviewNews, ReviewTask};
use crate::page::session::{Replies, Session};
use crate::page::shared::Shared;
use crate::page::store::{KeptFiles, Store};
use crate::page::worker::job::{Job, Report, ReviewOrder, SearchJob};
use qirkat_engine::{SearchLimits, handicap_of_elo};
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_system::host::{Instant, random, since_1970};

/// The worker that does the searches of the engine. Each review has the worker of its own
/// number, from 1.
const ENGINE: u32 = 0;
/// The only tab: each page has a worker of its own.
const TAB: u64 = 0;

/// The page outside of the session's worker. Nothing is answered at once.
trait Host: Send + Sync {
    /// Gives a job to a worker, which is made if it is not there.
    fn start(&self, worker: u32, job: &str);

    /// Ends a worker, whatever it does.
    fn end(&self, worker: u32);

    /// Fetches the certificate of Alquerque from where the page comes from.
    fn fetch_certificate(&self);

    /// Keeps a file in the browser, or without a text removes it.
    fn keep(&self, name: &str, text: Option<&str>);
}

/// The session of a page, and the workers that search for it. Whatever is called, it has to be
/// [polled](WorkerTab::poll) afterwards.
struct WorkerTab {
    session: Session,
    workers: Arc<Workers>,
    files: Arc<PageFiles>,
}

impl WorkerTab {
    /// A session with the games that were kept, which greets the page.
    fn open(kept: Vec<KeptFile>, host: Arc<dyn Host>, replies: Replies) -> WorkerTab {
        let workers = Arc::new(Workers {
            host: Arc::clone(&host),
            search: Arc::default(),
            reviews: Arc::default(),
            certificate: Mutex::default(),
        });
        let files = Arc::new(PageFiles { files: Mutex::default(), host });
        kept.into_iter().for_each(|file| files.change(file));
        let store = Store::new(Arc::clone(&files) as Arc<_>);
        let shared = Shared::new(store, Arc::clone(&workers) as Arc<_>, None);
        let mut session = Session::new(shared, TAB, channel(), replies);
        session.greet();
        WorkerTab { session, workers, files }
    }

    fn receive_from_page(&mut self, request: String) {
        if !self.session.is_over() {
            self.session.handle(Event::Request(request, Box::new(())));
        }
    }

    fn receive_file(&self, file: KeptFile) {
        self.files.change(file);
    }

    fn receive_from_worker(&self, report: &str) {
        match serde_json::from_str(report) {
            Ok(report) => self.workers.hear(report),
            Err(error) => log::error!("a report was not understood: {error}"),
        }
    }

    /// The certificate has come, or nothing where it could not be had. Says whether it holds, so
    /// that the workers need not check it once more.
    fn receive_certificate(&mut self, bytes: Vec<u8>) -> bool {
        if let Some(events) = self.workers.certificate.lock().take() {
            // The session may have ended.
            let _ = events.send(Event::Certificate(bytes));
        }
        self.session.handle_waiting();
        self.session.has_certificate()
    }

    fn break_down(&self, worker: u32) {
        if worker == ENGINE {
            // The reporter tells so, when it is dropped.
            self.workers.search.lock().take();
        } else {
            let text = "the review has broken down".to_owned();
            self.workers.send_news(worker.into(), ReviewNews::Failed(text));
        }
    }

    /// Does what is due, and tells after how long it has to be called again though nothing
    /// happens.
    fn poll(&mut self) -> Option<Duration> {
        self.session.handle_waiting();
        let next = self.session.poll()?;
        Some(next.saturating_duration_since(Instant::now()))
    }
}

/// The search that goes on in the engine's worker, if one does.
type OngoingSearch = Arc<Mutex<Option<(SearchReporter, AnyPosition)>>>;
/// Who hears of each review that goes on.
type Reviews = Arc<Mutex<BTreeMap<u64, Sender<Event>>>>;

/// Searches and reviews in further workers.
struct Workers {
    host: Arc<dyn Host>,
    search: OngoingSearch,
    reviews: Reviews,
    certificate: Mutex<Option<Sender<Event>>>,
}

impl Workers {
    /// A worker has reported something. Reports of jobs that were given up come to nothing.
    fn hear(&self, report: Report) {
        let mut search = self.search.lock();
        match report {
            Report::Line { number, line } => {
                if let Some((reporter, position)) =
                    search.as_mut().filter(|it| it.0.number == number)
                {
                    reporter.line(&line.read(position));
                }
            }
            Report::Finished { number, result } => {
                if let Some((mut reporter, position)) = search.take_if(|it| it.0.number == number) {
                    reporter.finished(&result.read(&position));
                }
            }
            Report::Review { number, news } => self.send_news(number, news),
        }
    }

    fn send_news(&self, number: u64, news: ReviewNews) {
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
        let (host, search) = (Arc::clone(&self.host), Arc::clone(&self.search));
        Ok(Box::new(RemoteEngine { host, search, megabytes }))
    }

    fn review(&self, task: ReviewTask, events: &Sender<Event>) -> Result<Box<dyn Send>, String> {
        let worker = u32::try_from(task.number).map_err(|error| error.to_string())?;
        let job = Job::Review(ReviewOrder::of(&task)).to_json()?;
        self.reviews.lock().insert(task.number, events.clone());
        self.host.start(worker, &job);
        let (host, reviews) = (Arc::clone(&self.host), Arc::clone(&self.reviews));
        Ok(Box::new(RemoteReview { worker, host, reviews }))
    }

    fn fetch_certificate(&self, events: &Sender<Event>) -> bool {
        *self.certificate.lock() = Some(events.clone());
        self.host.fetch_certificate();
        true
    }
}

struct RemoteReview {
    worker: u32,
    host: Arc<dyn Host>,
    reviews: Reviews,
}

impl Drop for RemoteReview {
    fn drop(&mut self) {
        self.reviews.lock().remove(&self.worker.into());
        self.host.end(self.worker);
    }
}

struct RemoteEngine {
    host: Arc<dyn Host>,
    search: OngoingSearch,
    megabytes: usize,
}

impl BackgroundEngine for RemoteEngine {
    fn go(
        &mut self,
        game: &AnyGame,
        mut limits: SearchLimits,
        elo: Option<u32>,
        reporter: SearchReporter,
    ) -> Result<(), String> {
        self.stop();
        limits.handicap = elo.and_then(|elo| handicap_of_elo(elo, random()));
        let job = SearchJob::of(reporter.number, self.megabytes, game, limits);
        let job = Job::Search(job).to_json()?;
        *self.search.lock() = Some((reporter, *game.position()));
        self.host.start(ENGINE, &job);
        Ok(())
    }

    fn stop(&mut self) {
        if let Some((mut reporter, _)) = self.search.lock().take() {
            reporter.given_up();
            self.host.end(ENGINE);
        }
    }

    /// Nobody ponders here: a worker that searches would not hear of it.
    fn ponder_hit(&self) {}
}

impl Drop for RemoteEngine {
    fn drop(&mut self) {
        self.stop();
        self.host.end(ENGINE);
    }
}

/// A file that the page hands over, or that another tab has changed.
#[derive(Clone, Debug, Deserialize)]
struct KeptFile {
    name: String,
    /// Milliseconds since 1970 when it was written.
    time: u64,
    /// Nothing where it was removed.
    text: Option<String>,
}

/// The files that the browser keeps for the page. The page hands over all of them at the start,
/// and is told of each that changes.
struct PageFiles {
    files: Mutex<BTreeMap<String, (Duration, String)>>,
    host: Arc<dyn Host>,
}

impl PageFiles {
    fn change(&self, KeptFile { name, time, text }: KeptFile) {
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
        self.host.keep(name, Some(text));
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        if self.files.lock().remove(name).is_some() {
            self.host.keep(name, None);
        }
        Ok(())
    }
}
