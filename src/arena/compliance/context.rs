//! The context of a check, its findings, and the transcript of all communication.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use parking_lot::Mutex;

use qirkat_game::text::one_line;
use qirkat_system::program::Program;

use crate::engine_process::Listener;

pub(super) struct CheckContext<'a> {
    pub program: &'a Program,
    pub patience: f64,
    pub stop: Arc<AtomicBool>,
    pub transcript: Arc<Mutex<Transcript>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub sent: String,
    pub expected: String,
    pub got: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.sent.is_empty() {
            write!(f, "sent {}; ", self.sent)?;
        }
        write!(f, "expected {}; got {}", self.expected, self.got)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    /// Allowed by the protocol, but not what most programs expect.
    Warned(Finding),
    Failed(Finding),
    Skipped(String),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExamineError {
    #[error("{0}")]
    NoStart(String),
    #[error("interrupted")]
    Interrupted,
}

/// Why a check ends before its last step.
#[derive(Debug, derive_more::From)]
pub(super) enum CheckError {
    Verdict(Verdict),
    ExamineError(ExamineError),
}

pub(super) type CheckResult<T = ()> = Result<T, CheckError>;

/// A text quoted for a finding, shortened and free of control characters.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 120;
    format!("`{}`", one_line(text, LONGEST))
}

/// Writes every line with the time since the start and the name of the check.
pub(super) struct Transcript {
    output: Box<dyn Write + Send>,
    start: Instant,
    check: &'static str,
    lines: usize,
    is_broken: bool,
}

/// Lines written per check, so that an engine that floods its output cannot fill the disk.
const MAX_LINES: usize = 20_000;

impl Transcript {
    pub fn new(output: Box<dyn Write + Send>) -> Transcript {
        Transcript { output, start: Instant::now(), check: "", lines: 0, is_broken: false }
    }

    pub fn begin(&mut self, check: &'static str) {
        (self.check, self.lines) = (check, 0);
    }

    /// # Errors
    /// If a line could not be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.output.flush()?;
        if self.is_broken {
            return Err(io::Error::other("some lines could not be written"));
        }
        Ok(())
    }

    /// Writes a line sent to the engine (`>`), or from its standard output (`<`) or error (`!`).
    pub fn record(&mut self, at: Instant, mark: char, text: &str) {
        self.lines += 1;
        if self.lines > MAX_LINES || self.is_broken {
            return;
        }
        let text = if self.lines == MAX_LINES { "(the rest is omitted)" } else { text };
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let check = self.check;
        if let Err(error) = writeln!(self.output, "{seconds:9.3} {check:<18} {mark} {text}") {
            log::error!("the transcript cannot be written: {error}");
            self.is_broken = true;
        }
    }
}

/// The threads that read the engine's output write the transcript.
pub(super) struct TranscriptListener(pub Arc<Mutex<Transcript>>);

impl Listener for TranscriptListener {
    fn on_sent(&self, text: &str) {
        self.0.lock().record(Instant::now(), '>', text);
    }

    fn on_line(&self, text: &str, arrived: Instant) -> bool {
        self.0.lock().record(arrived, '<', text);
        true
    }

    fn on_error(&self, text: &str, arrived: Instant) {
        self.0.lock().record(arrived, '!', text);
    }
}
