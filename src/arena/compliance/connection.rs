//! The pipes of an engine under test: lines to it and from it, and every wait with a time
//! limit.

use std::collections::VecDeque;
use std::io;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::engine_events::{Event, WAITING_LINES, listen};
use super::engine_line::Line;
use super::examiner::Examiner;
use super::finding::quoted;
use super::transcript::Speaker;
use qirkat_system::program::RunningProgram;

/// Time between two looks at what else may have happened.
pub(super) const LOOK: Duration = Duration::from_millis(10);
/// How long lines of an engine that has ended may still be on their way.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(300);
/// Lines of standard error that a finding quotes, the latest.
const QUOTED_ERRORS: usize = 3;

/// Why no line came.
pub(super) enum Silence {
    Late,
    /// What became of the engine.
    Ended(String),
    Interrupted,
}

/// A running engine and its pipes. Dropping it kills it and all processes it has started.
pub(super) struct Connection<'a> {
    examiner: &'a Examiner<'a>,
    program: RunningProgram,
    events: Receiver<Event>,
    /// A line that arrived after it was waited for.
    held: Option<Line>,
    is_closed: bool,
    /// What it last wrote to standard error.
    errors: VecDeque<String>,
    /// When it was last sent something.
    pub last_sent: Instant,
    /// The latest line since then.
    pub last_line: Option<String>,
}

impl<'a> Connection<'a> {
    /// Starts the engine and sends nothing yet.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(examiner: &'a Examiner<'a>) -> io::Result<Connection<'a>> {
        let (program, outputs) = RunningProgram::start(examiner.program)?;
        Ok(Connection {
            examiner,
            program,
            events: listen(outputs)?,
            held: None,
            is_closed: false,
            errors: VecDeque::new(),
            last_sent: Instant::now(),
            last_line: None,
        })
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// When the engine leaves its input unread or has closed it.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let now = Instant::now();
        for line in String::from_utf8_lossy(bytes).trim_end_matches('\n').split('\n') {
            self.examiner.note(now, Speaker::Examiner, line);
        }
        let result = self.program.send_bytes(bytes);
        (self.last_sent, self.last_line) = (Instant::now(), None);
        result
    }

    /// Ends its input.
    pub fn hang_up(&mut self) {
        self.examiner.note(Instant::now(), Speaker::Examiner, "(end of input)");
        self.program.hang_up();
        self.last_sent = Instant::now();
    }

    /// How it has ended; nothing while it runs.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.program.status()
    }

    /// The number of its process.
    pub fn process_id(&self) -> u32 {
        self.program.id()
    }

    /// The next line, or why there is none until then.
    pub fn next_line(&mut self, until: Instant) -> Result<Line, Silence> {
        let mut last_words = None;
        loop {
            if let Some(line) = self.held.take() {
                if line.arrived <= until {
                    return Ok(line);
                }
                self.held = Some(line);
                return Err(Silence::Late);
            }
            if self.examiner.is_interrupted() {
                return Err(Silence::Interrupted);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(LOOK)) {
                Ok(event) => {
                    let is_late = self.note_event(event).is_some_and(|arrived| arrived > until);
                    if is_late && self.held.is_none() {
                        return Err(Silence::Late);
                    }
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.fate())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Something that the engine has started may hold its output open.
            if self.is_closed || self.program.status().is_some() {
                let latest = *last_words.get_or_insert_with(|| Instant::now() + LAST_WORDS);
                if self.is_closed || Instant::now() >= latest {
                    return Err(Silence::Ended(self.fate()));
                }
            }
            if left.is_zero() {
                return Err(Silence::Late);
            }
        }
    }

    /// Keeps what has come; the moment it did.
    fn note_event(&mut self, event: Event) -> Option<Instant> {
        match event {
            Event::Closed => {
                self.is_closed = true;
                None
            }
            Event::Line(line) => {
                self.examiner.note(line.arrived, Speaker::Engine, &line.text);
                self.last_line = Some(line.text.clone());
                let arrived = line.arrived;
                self.held = Some(line);
                Some(arrived)
            }
            Event::Error(line) => {
                self.examiner.note(line.arrived, Speaker::EngineError, &line.text);
                if self.errors.len() == QUOTED_ERRORS {
                    self.errors.pop_front();
                }
                if !line.text.is_empty() {
                    self.errors.push_back(line.text);
                }
                Some(line.arrived)
            }
        }
    }

    /// What became of an engine that can no longer be talked to.
    pub fn fate(&mut self) -> String {
        self.read_last_words();
        let mut text = match self.program.status() {
            Some(status) => format!("the end of the engine ({status})"),
            None => "its input or output closed".to_owned(),
        };
        if !self.errors.is_empty() {
            let errors: Vec<&str> = self.errors.iter().map(String::as_str).collect();
            text.push_str(&format!(", with {} on standard error", quoted(&errors.join(" / "))));
        }
        text
    }

    /// Waits a moment for the lines that are still on their way.
    fn read_last_words(&mut self) {
        let until = Instant::now() + LAST_WORDS;
        let mut is_all_read = false;
        while Instant::now() < until && (self.program.status().is_none() || !is_all_read) {
            match self.events.recv_timeout(LOOK) {
                Ok(event) => {
                    self.note_event(event);
                }
                Err(RecvTimeoutError::Timeout) => {}
                // Both its outputs have ended; its status may take a moment more.
                Err(RecvTimeoutError::Disconnected) => {
                    is_all_read = true;
                    thread::sleep(LOOK);
                }
            }
        }
        for event in self.events.try_iter().take(WAITING_LINES).collect::<Vec<_>>() {
            self.note_event(event);
        }
    }
}
