//! A session without a server, in a Web Worker of the page. WebAssembly has one thread, and a
//! thread that searches receives no messages. So the same module runs in several workers:
//!
//! - one has the session ([`WorkerTab`]) and answers the page at once;
//! - others run its jobs ([`job`]): one searches for the engine, and each review has its own. A job
//!   is stopped by ending its worker, which is immediate and loses only its hash table.
//!
//! JavaScript (`site/alone/`) starts and ends the workers and passes on their messages; it calls
//! `exports`.

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

use crate::page::backend::{
    Backend, BackgroundEngine, Event, OnDemandFile, ReviewEvent, ReviewTask, SearchReporter,
};
use crate::page::protocol::Replies;
use crate::page::session::{Session, Shared};
use crate::page::store::{KeptFiles, Store};
use crate::page::worker::job::{Job, Report, SearchJob};
use qirkat_engine::{SearchLimits, SearchResult, handicap_of_elo};
use qirkat_rules::variant::{AnyGame, Variant};
use qirkat_system::host::{Instant, random, unix_time};
use qirkat_tablebase::AllTables;

/// The worker for the engine's searches. Each review has the worker with its own number, from 1.
const ENGINE: u32 = 0;
/// The only tab: each page has its own worker.
const TAB_NUMBER: u64 = 0;

/// The page outside the session's worker. No call waits for an answer.
trait WorkerHost: Send + Sync {
    /// Gives a job to a worker, created if needed.
    fn start(&self, worker: u32, job: &str);

    /// Terminates a worker, even while it runs.
    fn end(&self, worker: u32);

    /// Fetches a file beside the page, to be [received](WorkerTab::receive_fetched) with this
    /// number.
    fn fetch(&self, name: &str, number: u32);

    /// Saves a file in the browser, or removes it if there is no text.
    fn keep(&self, name: &str, text: Option<&str>);
}

/// A page's session and its workers. After any call it must be [polled](WorkerTab::poll).
struct WorkerTab {
    session: Session,
    workers: Workers,
    files: Arc<PageFiles>,
}

impl WorkerTab {
    /// Opens a session with the saved games and greets the page.
    fn open(kept: Vec<KeptFile>, host: Arc<dyn WorkerHost>, replies: Replies) -> WorkerTab {
        let workers = Workers {
            host: Arc::clone(&host),
            search: Arc::default(),
            reviews: Arc::default(),
            fetches: Arc::default(),
        };
        let files = Arc::new(PageFiles { files: Mutex::default(), host });
        kept.into_iter().for_each(|file| files.change(file));
        let store = Store::new(Arc::clone(&files) as Arc<_>);
        let shared = Shared::new(store, Arc::new(workers.clone()), None);
        let mut session = Session::new(shared, TAB_NUMBER, channel(), replies);
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
            Ok(report) => self.workers.receive(report),
            Err(error) => log::error!("a report was not understood: {error}"),
        }
    }

    /// Receives the file of a fetch, empty if it is not available. Returns whether it is a valid
    /// certificate, so that the workers, which need it too, need not check it again.
    fn receive_fetched(&mut self, number: u32, bytes: Vec<u8>) -> bool {
        let fetch = self.workers.fetches.lock().get(number as usize).cloned();
        let Some((file, events)) = fetch else { return false };
        // The session may have ended.
        let _ = events.send(Event::Fetched(file, bytes));
        self.session.handle_waiting();
        file == OnDemandFile::Certificate && self.session.has_certificate()
    }

    fn crashed(&self, worker: u32) {
        if worker == ENGINE {
            // Dropping the reporter reports the failure.
            self.workers.search.lock().take();
        } else {
            self.workers.send_news(worker.into(), ReviewEvent::crashed());
        }
    }

    /// Runs whatever is due; returns how long to wait before the next call if nothing happens.
    fn poll(&mut self) -> Option<Duration> {
        self.session.handle_waiting();
        let next = self.session.poll()?;
        Some(next.saturating_duration_since(Instant::now()))
    }
}

/// A file, and the session that wants it.
type Fetch = (OnDemandFile, Sender<Event>);

#[derive(Clone)]
struct Workers {
    host: Arc<dyn WorkerHost>,
    search: Arc<Mutex<Option<SearchReporter>>>,
    reviews: Arc<Mutex<BTreeMap<u64, Sender<Event>>>>,
    /// By their numbers; each file is fetched at most once.
    fetches: Arc<Mutex<Vec<Fetch>>>,
}

impl Workers {
    /// Handles a worker's report. Reports of cancelled jobs are ignored.
    fn receive(&self, report: Report) {
        let mut search = self.search.lock();
        match report {
            Report::Line { number, mut line, moves } => {
                line.moves = moves;
                if let Some(reporter) = search.as_ref().filter(|it| it.number == number) {
                    reporter.line(&line);
                }
            }
            Report::Finished { number, mut line, moves } => {
                line.moves = moves;
                if let Some(mut reporter) = search.take_if(|it| it.number == number) {
                    reporter.finished(&SearchResult::of_line(&line));
                }
            }
            Report::Review { number, news } => self.send_news(number, news),
        }
    }

    fn send_news(&self, number: u64, news: ReviewEvent) {
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
        _tables: AllTables,
    ) -> Result<Box<dyn BackgroundEngine>, String> {
        Ok(Box::new(RemoteEngine { workers: self.clone(), megabytes }))
    }

    fn review(
        &self,
        mut task: ReviewTask,
        events: &Sender<Event>,
    ) -> Result<Box<dyn Send>, String> {
        let worker = u32::try_from(task.number).map_err(|error| error.to_string())?;
        task.resources.threads = 1;
        let job = Job::Review(task).to_json()?;
        self.reviews.lock().insert(worker.into(), events.clone());
        self.host.start(worker, &job);
        Ok(Box::new(RemoteReview { worker, workers: self.clone() }))
    }

    fn fetch(&self, file: OnDemandFile, events: &Sender<Event>) -> bool {
        let mut fetches = self.fetches.lock();
        let name = match file {
            OnDemandFile::Certificate => "start.alquerque.cert".to_owned(),
            OnDemandFile::Book(variant) => format!("{variant}.book"),
        };
        self.host.fetch(&name, fetches.len() as u32);
        fetches.push((file, events.clone()));
        true
    }
}

struct RemoteReview {
    worker: u32,
    workers: Workers,
}

impl Drop for RemoteReview {
    fn drop(&mut self) {
        self.workers.reviews.lock().remove(&self.worker.into());
        self.workers.host.end(self.worker);
    }
}

struct RemoteEngine {
    workers: Workers,
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
        *self.workers.search.lock() = Some(reporter);
        self.workers.host.start(ENGINE, &job);
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(mut reporter) = self.workers.search.lock().take() {
            reporter.has_ended = true;
            self.workers.host.end(ENGINE);
        }
    }

    /// No pondering here: a worker that searches would not receive the message.
    fn ponder_hit(&self) {}
}

impl Drop for RemoteEngine {
    fn drop(&mut self) {
        self.stop();
        self.workers.host.end(ENGINE);
    }
}

/// A file from the page, or changed by another tab.
#[derive(Clone, Debug, Deserialize)]
struct KeptFile {
    name: String,
    /// Milliseconds since 1970 when it was written.
    time: u64,
    text: Option<String>,
}

/// The files in the browser's storage: the page passes all at the start, then each change.
struct PageFiles {
    files: Mutex<BTreeMap<String, (Duration, String)>>,
    host: Arc<dyn WorkerHost>,
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
        self.files.lock().insert(name.to_owned(), (unix_time(), text.to_owned()));
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
