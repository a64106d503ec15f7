//! The backend of sessions, which searches and reviews in the background: threads of the
//! machine, or in a browser further workers.

use std::sync::mpsc::Sender;

use super::event::Event;
use super::event::SearchListener;
use super::review::ReviewTask;
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
