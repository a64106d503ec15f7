//! The engine's current task, and the reports of its search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use super::cecp_lines;
use super::search_progress::SearchProgress;
use crate::connection::Event;
use crate::output_lines::OutputLines;
use qirkat_engine::{SearchLine, SearchListener, SearchResult};
use qirkat_rules::chesquerque::Move;

/// The engine's current task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    Nothing,
    /// Searching for its own move.
    Thinking,
    /// The move it expects from the other side, thought about in advance.
    Pondering(Move),
    Analysing,
    /// A move to suggest.
    Hinting,
}

/// Shows the thinking, and announces its end to the conversation.
pub(super) struct ThinkingWriter {
    pub output: OutputLines,
    /// Whether the GUI wants to see the thinking, at this moment; never that
    /// about a hint.
    pub shown: Option<Arc<AtomicBool>>,
    pub progress: SearchProgress,
    pub events: Sender<Event>,
    /// Which search of the conversation this is.
    pub number: u64,
}

impl SearchListener for ThinkingWriter {
    fn line(&mut self, line: &SearchLine) {
        self.progress.note(line);
        if self.shown.as_ref().is_some_and(|shown| shown.load(Ordering::Relaxed)) {
            self.output.line(&cecp_lines::thinking(line));
        }
    }

    fn finished(&mut self, result: &SearchResult) {
        self.progress.reported().result = Some(result.clone());
        if self.events.send(Event::Ended(self.number)).is_err() {
            log::debug!("the conversation ended before the search");
        }
    }
}
