//! The events that a tab's session handles, and the listener that sends those of a search.

use std::sync::mpsc::Sender;

use super::openings::LoadProgress;
use super::review::ReviewNews;
use qirkat_engine::{SearchLine, SearchResult};

/// Something that a session has to handle.
pub enum Event {
    /// A message from the page. What comes with it is dropped when it has been handled.
    Request(String, Box<dyn Send>),
    /// The search of this number has found a line.
    Line(u64, Box<SearchLine>),
    /// The search of this number has ended.
    Finished(u64, Box<SearchResult>),
    /// The search of this number has ended without a result.
    Broken(u64),
    /// The review of this number has come further.
    Review(u64, ReviewNews),
    /// The thread that counts the file of games of this number has told something.
    Openings(u64, LoadProgress),
    /// The file of a certificate that was fetched; empty where it could not be had.
    Certificate(Vec<u8>),
    /// Another tab wants the game: leave it, then drop the sender.
    Leave(Sender<()>),
    /// The tab is closed, or the program ends.
    Closed,
}

/// Sends a session what its search finds. Dropped before the search has ended, it says
/// that the search has broken down.
pub struct SearchListener {
    pub number: u64,
    events: Sender<Event>,
    has_ended: bool,
}

impl SearchListener {
    pub(crate) fn new(number: u64, events: Sender<Event>) -> SearchListener {
        SearchListener { number, events, has_ended: false }
    }

    pub fn line(&mut self, line: &SearchLine) {
        self.send(Event::Line(self.number, Box::new(line.clone())));
    }

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
