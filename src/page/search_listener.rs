//! Tells a session what its search finds.

use std::sync::mpsc::Sender;

use super::event::Event;
use qirkat_engine::{SearchLine, SearchResult};

/// Sends a session what its search finds. Dropped before the search has ended, it says
/// that the search has broken down.
pub struct SearchListener {
    /// The number of the search.
    pub number: u64,
    events: Sender<Event>,
    has_ended: bool,
}

impl SearchListener {
    /// For the search of this number.
    pub(crate) fn new(number: u64, events: Sender<Event>) -> SearchListener {
        SearchListener { number, events, has_ended: false }
    }

    /// A line was finished.
    pub fn line(&mut self, line: &SearchLine) {
        self.send(Event::Line(self.number, Box::new(line.clone())));
    }

    /// The search has ended.
    pub fn finished(&mut self, result: &SearchResult) {
        self.has_ended = true;
        self.send(Event::Finished(self.number, Box::new(result.clone())));
    }

    /// The search was given up: nobody waits for its end.
    pub fn given_up(&mut self) {
        self.has_ended = true;
    }

    fn send(&self, event: Event) {
        // Nobody may be there any more.
        let _ = self.events.send(event);
    }
}

impl Drop for SearchListener {
    fn drop(&mut self) {
        if !self.has_ended {
            self.send(Event::Broken(self.number));
        }
    }
}
