//! The engine's current task, and the reports of its search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use parking_lot::{Mutex, MutexGuard};

use super::cecp_lines;
use crate::protocol::connection::Event;
use crate::protocol::output_lines::OutputLines;
use crate::{SearchLine, SearchListener, SearchResult};
use qirkat_game::distance::Depth;
use qirkat_rules::chesquerque::{Move, Position};
use qirkat_rules::variant::Member;

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

/// The latest reports of a running search, for `.`, `?` and draw offers. Shared by the
/// conversation and the search it waits for.
#[derive(Clone, Default)]
pub(super) struct SearchProgress(Arc<Mutex<Reported>>);

#[derive(Default)]
pub(super) struct Reported {
    /// The last finished depth.
    pub depth: Depth,
    /// The best line so far.
    pub line: Vec<Move>,
    /// Its result, once it has ended.
    pub result: Option<SearchResult>,
}

impl SearchProgress {
    /// The reports so far.
    pub fn reported(&self) -> MutexGuard<'_, Reported> {
        self.0.lock()
    }

    pub fn note(&self, line: &SearchLine) {
        if line.rank == 1 {
            let mut reported = self.reported();
            reported.depth = line.depth;
            reported.line.clear();
            reported.line.extend(line.moves.iter().filter_map(|&mv| Position::own_move(mv)));
        }
    }
}
