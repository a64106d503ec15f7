//! A review in the background, as `qirkat annotate` does it.

use std::sync::mpsc::Sender;

use super::allowance::{Allowance, Share};
use super::backend::Backend;
use super::event::Event;
use super::review_task::{JobResources, ReviewTask};

/// A review that goes on in the background. Dropped, it is broken off.
pub(super) struct ReviewJob {
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
