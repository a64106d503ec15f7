//! Runs the checks of one engine one after another: verdicts, findings, timeouts and the
//! transcript.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use derive_more::Debug;
use parking_lot::Mutex;

use qirkat_game::text::one_line;
use qirkat_system::program::Program;

use crate::engine_process::Listener;

pub struct Examiner<'a> {
    pub(super) program: &'a Program,
    patience: f64,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) transcript: SharedTranscript,
    /// Checks that failed or could not run.
    pub(super) failed: RefCell<BTreeSet<&'static str>>,
    pub(super) name: RefCell<Option<String>>,
}

impl<'a> Examiner<'a> {
    /// An examiner that stops early when `stop` is set.
    pub fn new(
        program: &'a Program,
        patience: f64,
        stop: Arc<AtomicBool>,
        transcript: Option<Transcript>,
    ) -> Examiner<'a> {
        Examiner {
            program,
            patience,
            stop,
            transcript: Arc::new(Mutex::new(transcript)),
            failed: RefCell::default(),
            name: RefCell::default(),
        }
    }

    /// The name from `id name`; `None` before the first check.
    pub fn engine_name(&self) -> Option<String> {
        self.name.borrow().clone()
    }

    pub fn into_transcript(self) -> Option<Transcript> {
        self.transcript.lock().take()
    }

    pub(super) fn within(&self, usual: Duration) -> Duration {
        usual.mul_f64(self.patience)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// May be empty.
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

#[derive(Debug)]
pub(super) enum CheckError {
    Fault(Finding),
    Warning(Finding),
    Skip(String),
    Interrupted,
    NoStart(String),
}

pub(super) type Outcome<T = ()> = Result<T, CheckError>;

/// In characters.
const LONGEST: usize = 120;

/// A text quoted for a finding, shortened and free of control characters.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", one_line(text, LONGEST))
}

/// How long to check that no output comes.
pub(super) const WATCH: Duration = Duration::from_millis(250);

/// The largest patience: a factor, for slow machines, on all time limits that no chess clock sets.
/// With it a small search may take over an hour.
pub const MAX_PATIENCE: f64 = 1000.0;

/// To start, read files and answer `uci`.
pub(super) const START: Duration = Duration::from_secs(10);
/// To apply an option or prepare a new game.
pub(super) const SET_UP: Duration = Duration::from_secs(10);
/// For immediate answers: `isready`, `stop`.
pub(super) const PROMPT: Duration = Duration::from_secs(2);
pub(super) const SEARCH: Duration = Duration::from_secs(5);
/// To exit after `quit` or end of input.
pub(super) const END: Duration = Duration::from_secs(3);
/// Allowed beyond the clock, for delays of the machine.
pub(super) const MARGIN: Duration = Duration::from_millis(250);

/// Writes every line with the time since the start and the name of the check.
pub struct Transcript {
    output: Box<dyn Write + Send>,
    start: Instant,
    check: &'static str,
    lines: usize,
    is_broken: bool,
}

/// Lines written per check, so that an engine that floods its output cannot fill the disk.
const MOST_LINES: usize = 20_000;

impl Transcript {
    pub fn new(output: Box<dyn Write + Send>) -> Transcript {
        Transcript { output, start: Instant::now(), check: "", lines: 0, is_broken: false }
    }

    pub(super) fn begin(&mut self, check: &'static str) {
        (self.check, self.lines) = (check, 0);
    }

    /// Writes a line sent (`>`), a line from the engine (`<`), or from its standard error (`!`).
    pub(super) fn note(&mut self, at: Instant, mark: char, text: &str) {
        self.lines += 1;
        if self.lines > MOST_LINES || self.is_broken {
            return;
        }
        let text = if self.lines == MOST_LINES { "(what follows is left out)" } else { text };
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let check = self.check;
        if let Err(error) = writeln!(self.output, "{seconds:9.3} {check:<18} {mark} {text}") {
            log::error!("the transcript cannot be written: {error}");
            self.is_broken = true;
        }
    }

    pub fn finish(mut self) -> std::io::Result<()> {
        self.output.flush()?;
        if self.is_broken { Err(std::io::Error::other("not all could be written")) } else { Ok(()) }
    }
}

/// The optional transcript, shared with the threads that read the engine's output.
type SharedTranscript = Arc<Mutex<Option<Transcript>>>;

pub(super) struct TranscriptListener(pub SharedTranscript);

impl TranscriptListener {
    pub fn note(&self, at: Instant, mark: char, text: &str) {
        if let Some(transcript) = self.0.lock().as_mut() {
            transcript.note(at, mark, text);
        }
    }
}

impl Listener for TranscriptListener {
    fn on_sent(&self, text: &str) {
        self.note(Instant::now(), '>', text);
    }

    fn on_line(&self, text: &str, arrived: Instant) -> bool {
        self.note(arrived, '<', text);
        true
    }

    fn on_error(&self, text: &str, arrived: Instant) {
        self.note(arrived, '!', text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_fits_on_a_line() {
        assert_eq!(quoted("a\tb\nc"), "`a\\tb\\nc`");
        let long = quoted(&"x".repeat(1000));
        assert!(long.len() < 200 && long.ends_with("x...`"), "{long}");
    }
}
