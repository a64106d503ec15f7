//! The backend of sessions, which searches and reviews in the background: threads of the
//! machine, or in a browser further workers.

use std::sync::mpsc::Sender;

use super::allowance::{Allowance, Share};
use super::event::{Event, SearchListener};
use super::review::{JobResources, ReviewTask};
use qirkat_engine::SearchLimits;
use qirkat_rules::variant::{AnyGame, Variant};

/// Does the work of sessions in the background.
pub trait Backend: Send + Sync {
    /// Whether a session can do more than one thing at a time: let the engine think on the
    /// user's time, or count a file of games.
    fn has_threads(&self) -> bool;

    /// An engine for a game with these threads and megabytes.
    ///
    /// # Errors
    /// In words, when there is no room for it.
    fn engine(
        &self,
        variant: Variant,
        threads: usize,
        megabytes: usize,
    ) -> Result<Box<dyn BackgroundEngine>, String>;

    /// Begins a review. What is returned breaks it off when dropped.
    ///
    /// # Errors
    /// In words, when there is no room for it.
    fn review(&self, task: ReviewTask, events: &Sender<Event>) -> Result<Box<dyn Send>, String>;

    /// Fetches the certificate of Alquerque, which is an event then, where the program does not
    /// carry it; false where it is not to be had.
    fn fetch_certificate(&self, _events: &Sender<Event>) -> bool {
        false
    }
}

/// An engine that searches in the background, one search at a time. Dropped, it stops.
pub trait BackgroundEngine: Send {
    /// Starts a search in place of the one that runs. `elo` holds it back.
    ///
    /// # Errors
    /// In words, when it cannot be started.
    fn go(
        &mut self,
        game: &AnyGame,
        limits: SearchLimits,
        elo: Option<u32>,
        listener: SearchListener,
    ) -> Result<(), String>;

    /// Stops what runs, if anything does.
    fn stop(&mut self);

    /// Tells a search that ponders that the expected move was made.
    fn ponder_hit(&self);
}

/// A review that goes on in the background. Dropped, it is broken off.
pub(crate) struct ReviewJob {
    number: u64,
    _running: Box<dyn Send>,
    _share: Share,
}

impl ReviewJob {
    /// Begins a review.
    ///
    /// # Errors
    /// In words, when other tabs use what it needs or the machine does not give it.
    pub fn start(
        task: ReviewTask,
        backend: &dyn Backend,
        allowance: &Allowance,
        events: &Sender<Event>,
    ) -> Result<ReviewJob, String> {
        let JobResources { threads, hash, .. } = task.resources;
        let share = allowance.take(threads, hash).map_err(|error| error.to_string())?;
        let number = task.number;
        Ok(ReviewJob { number, _running: backend.review(task, events)?, _share: share })
    }

    /// The number that its events bear.
    pub const fn number(&self) -> u64 {
        self.number
    }
}
