//! Searches and reviews in further workers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use parking_lot::Mutex;

use super::job::{Job, Report, ReviewOrder};
use super::remote_engine::{OngoingSearch, RemoteEngine};
use super::{ENGINE, Outside};
use crate::page::backend::{Backend, BackgroundEngine};
use crate::page::event::Event;
use crate::page::review::ReviewNews;
use crate::page::review::ReviewTask;
use qirkat_rules::variant::Variant;

/// Who hears of each review that goes on.
type Reviews = Arc<Mutex<BTreeMap<u64, Sender<Event>>>>;

/// Workers that search and review.
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
    ///
    /// # Errors
    /// When it is no report.
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
