//! The interface to background searches and reviews for sessions (threads, or more workers in a
//! browser), and the events that they report.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::Duration;

use parking_lot::Mutex;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use qirkat_analysis::review::{
    AnalystBudget, AnnotationStyle, EngineAnalyst, LeftBook, MoveReview, ReviewData, annotate,
    review_game,
};
use qirkat_engine::book::Book;
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::pgn::{PgnGame, PgnReader};
use qirkat_rules::variant::{AnyGame, Variant};
use qirkat_search::ResourceError;
use qirkat_system::format_version::FormatVersion;
use qirkat_system::machine::{cores, megabytes_of_memory};
use qirkat_tablebase::AllTables;

use crate::page::openings::LoadProgress;

const THREADS_PER_CORE: usize = 8;
const LEAST_THREADS: usize = 64;
/// All hash tables together may take at most the machine's memory divided by this.
const POOL_MEMORY_SHARE: usize = 2;

const NOTHING_LEFT: &str =
    "other tabs use all memory or threads that searches may have here: close some of them";

#[derive(Clone, Copy, Debug)]
struct Resources {
    threads: usize,
    megabytes: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct ResourcePool(Arc<Mutex<Resources>>);

/// A share of the pool, for a search, a review or opening statistics; given back when dropped.
#[derive(Debug)]
pub(crate) struct PoolShare {
    pool: ResourcePool,
    taken: Resources,
}

impl ResourcePool {
    pub fn of_this_machine() -> ResourcePool {
        ResourcePool::new(
            (THREADS_PER_CORE * cores()).max(LEAST_THREADS),
            megabytes_of_memory() / POOL_MEMORY_SHARE,
        )
    }

    fn new(threads: usize, megabytes: usize) -> ResourcePool {
        ResourcePool(Arc::new(Mutex::new(Resources { threads, megabytes })))
    }

    pub fn take(&self, threads: usize, megabytes: usize) -> Result<PoolShare, String> {
        let mut left = self.0.lock();
        if left.threads < threads || left.megabytes < megabytes {
            return Err(NOTHING_LEFT.to_owned());
        }
        left.threads -= threads;
        left.megabytes -= megabytes;
        Ok(PoolShare { pool: self.clone(), taken: Resources { threads, megabytes } })
    }
}

impl Drop for PoolShare {
    fn drop(&mut self) {
        let mut left = self.pool.0.lock();
        left.threads += self.taken.threads;
        left.megabytes += self.taken.megabytes;
    }
}

pub enum Event {
    /// A message from the page, and its permit for a place in the queue, to be dropped once the
    /// message has been handled.
    Request(String, Box<dyn Send>),
    /// A friend with this number has come or gone, or has sent a message.
    Guest(u64, Option<(String, Box<dyn Send>)>),
    Line(u64, Box<SearchLine>),
    Finished(u64, Box<SearchResult>),
    /// The search with this number ended without a result.
    Broken(u64),
    Review(u64, ReviewEvent),
    /// Progress of the thread that counts the opening file with this number.
    Openings(u64, LoadProgress),
    /// A file that was fetched; empty if that failed.
    Fetched(OnDemandFile, Vec<u8>),
    /// Another tab wants the game with this name: leave it if it is open, then drop the sender.
    Leave(String, Sender<()>),
    /// The tab is closed, or the program ends.
    Closed,
}

/// A file that a page without a server fetches when it first needs it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OnDemandFile {
    /// Of Alquerque.
    Certificate,
    Book(Variant),
}

/// Sends a search's results to its session. Dropped before the end, it reports a failure.
pub struct SearchReporter {
    pub number: u64,
    events: Sender<Event>,
    /// Also set if the search was cancelled: nobody waits for its end.
    pub(crate) has_ended: bool,
}

impl SearchReporter {
    pub(crate) fn new(number: u64, events: Sender<Event>) -> SearchReporter {
        SearchReporter { number, events, has_ended: false }
    }

    fn send(&self, event: Event) {
        // The receiver may be gone.
        let _ = self.events.send(event);
    }

    pub fn line(&self, line: &SearchLine) {
        self.send(Event::Line(self.number, Box::new(line.clone())));
    }

    pub fn finished(&mut self, result: &SearchResult) {
        self.has_ended = true;
        self.send(Event::Finished(self.number, Box::new(result.clone())));
    }
}

impl Drop for SearchReporter {
    fn drop(&mut self) {
        if !self.has_ended {
            self.send(Event::Broken(self.number));
        }
    }
}

pub trait Backend: Send + Sync {
    /// Whether a session can do two things at once: ponder, or count a file of games.
    fn has_threads(&self) -> bool;

    fn engine(
        &self,
        variant: Variant,
        threads: usize,
        megabytes: usize,
        tables: AllTables,
    ) -> Result<Box<dyn BackgroundEngine>, String>;

    /// Starts a review. Dropping the result cancels it.
    fn review(&self, task: ReviewTask, events: &Sender<Event>) -> Result<Box<dyn Send>, String>;

    /// The opening book of a game, if the program contains it.
    fn book(&self, _variant: Variant) -> Option<&'static Book> {
        None
    }

    /// Fetches a file that the program does not contain; an event delivers it. Returns false if it
    /// is not available.
    fn fetch(&self, _file: OnDemandFile, _events: &Sender<Event>) -> bool {
        false
    }
}

/// An engine that searches in the background, one search at a time. It stops when dropped.
pub trait BackgroundEngine: Send {
    /// Starts a search, replacing any in progress. `elo` limits its strength.
    fn go(
        &mut self,
        game: &AnyGame,
        limits: SearchLimits,
        elo: Option<u32>,
        reporter: SearchReporter,
    ) -> Result<(), String>;

    fn stop(&mut self);

    /// Tells a pondering search that the expected move was made.
    fn ponder_hit(&self);
}

/// A review in the background, cancelled when dropped.
pub(crate) struct ReviewJob {
    pub number: u64,
    pub _running: Box<dyn Send>,
    pub _share: PoolShare,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct JobResources {
    pub time: Duration,
    pub threads: usize,
    pub hash: usize,
}

/// A review to be made. Its events carry the number.
#[derive(Clone, Serialize, Deserialize)]
pub struct ReviewTask {
    pub number: u64,
    #[serde(serialize_with = "write_pgn", deserialize_with = "read_pgn")]
    pub(crate) game: PgnGame,
    pub(crate) resources: JobResources,
    pub(crate) gives_reasons: bool,
    pub(crate) left_book: Option<LeftBook>,
    #[serde(skip, default = "AllTables::with_embedded")]
    pub(crate) tables: AllTables,
}

fn write_pgn<S: Serializer>(game: &PgnGame, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(game)
}

fn read_pgn<'de, D: Deserializer<'de>>(from: D) -> Result<PgnGame, D::Error> {
    let text = String::deserialize(from)?;
    let read = PgnReader::new(text.as_bytes()).next();
    let read = read.ok_or_else(|| D::Error::custom("there is no game"))?;
    Ok(read.map_err(D::Error::custom)?.game)
}

impl ReviewTask {
    /// Reviews the game until `stop` is raised. `report` gets the number of moves left after each one.
    /// A panic is an error too, since the page waits for the end.
    pub fn run(
        &self,
        stop: Arc<AtomicBool>,
        report: impl FnMut(usize) + Send + 'static,
    ) -> ReviewEvent {
        let review = AssertUnwindSafe(|| self.reviewed(stop, report));
        match catch_unwind(review) {
            Ok(ended) => ReviewEvent::Ended(Box::new(ended)),
            Err(_) => ReviewEvent::crashed(),
        }
    }

    fn reviewed(
        &self,
        stop: Arc<AtomicBool>,
        report: impl FnMut(usize) + Send + 'static,
    ) -> Result<Reviewed, String> {
        let JobResources { time, threads, hash } = self.resources;
        let variant = self.game.start.variant();
        let moves = self.game.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(AnalystBudget::Time(time), moves, stop);
        if !self.gives_reasons {
            analyst = analyst.without_reasons();
        }
        let ready: Result<(), ResourceError> = analyst.begin(variant, || {
            let evaluation = AnyEvaluation::embedded(variant);
            let mut searcher = AnySearcher::with_resources(evaluation, threads, hash)?;
            searcher.set_tablebases(Some(self.tables.clone()));
            Ok(searcher)
        });
        ready.map_err(|error| error.to_string())?;
        analyst.on_reviewed(report);
        let mut review = review_game(&self.game, &mut analyst);
        review.left_book = self.left_book;
        let annotated = annotate(&self.game, &review, AnnotationStyle::default());
        let data = serde_json::to_value(ReviewData::of(&self.game, &review));
        let data = data.map_err(|error| error.to_string())?;
        Ok(Reviewed {
            is_complete: review.is_complete(),
            kept: json!({
                "version": ReviewVersion::default(),
                "review": data,
                "pgn": annotated.to_string(),
            }),
            first: review.moves.into_iter().next(),
        })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewEvent {
    /// A move was reviewed; this many are left.
    Left(usize),
    Ended(Box<Result<Reviewed, String>>),
}

impl ReviewEvent {
    pub(crate) fn crashed() -> ReviewEvent {
        ReviewEvent::Ended(Box::new(Err("the review has crashed".to_owned())))
    }
}

pub(crate) type ReviewVersion = FormatVersion<1>;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    pub(crate) is_complete: bool,
    /// The review as it is saved and sent to the page.
    pub(crate) kept: Value,
    pub(crate) first: Option<MoveReview>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let pool = ResourcePool::new(4, 100);
        let first = pool.take(3, 60).expect("enough is left");
        for (threads, megabytes) in [(2, 1), (1, 41)] {
            assert!(pool.take(threads, megabytes).is_err_and(|text| text == NOTHING_LEFT));
        }
        drop(first);
        assert!(pool.take(4, 100).is_ok());
    }
}
