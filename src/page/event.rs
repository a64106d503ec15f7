//! The events that a tab's session handles.

use std::sync::mpsc::Sender;

use super::openings::LoadProgress;
use super::reviewed::Reviewed;
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
    /// Another tab wants the game: leave it, then drop the sender.
    Leave(Sender<()>),
    /// The tab is closed, or the program ends.
    Closed,
}

/// What is heard of a review.
pub enum ReviewNews {
    /// A move was reviewed; so many are left.
    Left(usize),
    /// It has ended, or was broken off.
    Done(Box<Reviewed>),
    /// It came to nothing, for this reason.
    Failed(String),
}
