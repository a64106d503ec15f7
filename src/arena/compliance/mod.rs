//! Compliance tests of the UCI protocol for any engine that plays these games. What each of the
//! [`CHECKS`] sends and expects stands in `checks.txt`, in a small language: `script` reads it,
//! `steps` runs it, and `verdicts` judges what it cannot express. An [`Examiner`] makes the checks one
//! after another and returns a [`Report`] on each. A fault is reported as a [`Finding`]: what
//! was sent, what was expected, and what came.

mod script;
mod steps;
mod tested_engine;
mod verdicts;

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use qirkat_game::text::one_line;
use qirkat_system::program::Program;

use self::steps::CheckRun;
use crate::engine_process::Listener;

pub use self::script::{CHECKS, Check};

pub struct Examiner<'a> {
    program: &'a Program,
    patience: f64,
    stop: Arc<AtomicBool>,
    transcript: Arc<Mutex<Transcript>>,
    /// Checks that failed or could not run.
    failed: BTreeSet<&'static str>,
    name: Option<String>,
}

impl<'a> Examiner<'a> {
    /// An examiner that stops early when `stop` is set, and writes all communication to `output`.
    pub fn new(
        program: &'a Program,
        patience: f64,
        stop: Arc<AtomicBool>,
        output: Box<dyn Write + Send>,
    ) -> Examiner<'a> {
        let transcript =
            Transcript { output, start: Instant::now(), check: "", lines: 0, is_broken: false };
        Examiner {
            program,
            patience,
            stop,
            transcript: Arc::new(Mutex::new(transcript)),
            failed: BTreeSet::new(),
            name: None,
        }
    }

    /// The name from `id name`; `None` before the first check.
    pub fn engine_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Makes a check with a newly started engine, so that one fault does not affect another check.
    ///
    /// # Errors
    /// If the engine cannot be started, or the examiner was told to stop.
    pub fn examine(&mut self, check: &'static Check) -> Result<Report, NoReport> {
        let start = Instant::now();
        {
            let mut transcript = self.transcript.lock();
            (transcript.check, transcript.lines) = (check.name, 0);
        }
        let verdict = match check.needs.iter().find(|name| self.failed.contains(*name)) {
            Some(name) => {
                self.failed.insert(check.name);
                Verdict::Skipped(format!("needs `{name}`"))
            }
            None => {
                let (result, name) = {
                    let mut run = CheckRun::start(self)?;
                    (run.make(check), run.engine.greeting.names.first().cloned())
                };
                self.name = name.or(self.name.take());
                match result {
                    Ok(verdict) | Err(CheckError::Verdict(verdict)) => verdict,
                    Err(CheckError::NoReport(error)) => return Err(error),
                }
            }
        };
        if matches!(verdict, Verdict::Failed(_)) {
            self.failed.insert(check.name);
        }
        Ok(Report { check, verdict, time: start.elapsed() })
    }

    /// # Errors
    /// If the transcript could not be written as a whole.
    pub fn finish(self) -> io::Result<()> {
        let mut transcript = self.transcript.lock();
        transcript.output.flush()?;
        if transcript.is_broken {
            return Err(io::Error::other("not all could be written"));
        }
        Ok(())
    }
}

#[derive(Clone, Debug)]
pub struct Report {
    pub check: &'static Check,
    pub verdict: Verdict,
    pub time: Duration,
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
pub enum NoReport {
    #[error("{0}")]
    NoStart(String),
    #[error("interrupted")]
    Interrupted,
}

/// Why a check ends before its last step.
#[derive(Debug, derive_more::From)]
enum CheckError {
    Verdict(Verdict),
    NoReport(NoReport),
}

type Outcome<T = ()> = Result<T, CheckError>;

/// The largest patience: a factor, for slow machines, on all time limits that no chess clock sets.
/// With it a small search may take over an hour.
pub const MAX_PATIENCE: f64 = 1000.0;

/// A text quoted for a finding, shortened and free of control characters.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 120;
    format!("`{}`", one_line(text, LONGEST))
}

/// Writes every line with the time since the start and the name of the check.
struct Transcript {
    output: Box<dyn Write + Send>,
    start: Instant,
    check: &'static str,
    lines: usize,
    is_broken: bool,
}

/// Lines written per check, so that an engine that floods its output cannot fill the disk.
const MAX_LINES: usize = 20_000;

impl Transcript {
    /// Writes a line sent (`>`), a line from the engine (`<`), or from its standard error (`!`).
    pub fn note(&mut self, at: Instant, mark: char, text: &str) {
        self.lines += 1;
        if self.lines > MAX_LINES || self.is_broken {
            return;
        }
        let text = if self.lines == MAX_LINES { "(what follows is left out)" } else { text };
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let check = self.check;
        if let Err(error) = writeln!(self.output, "{seconds:9.3} {check:<18} {mark} {text}") {
            log::error!("the transcript cannot be written: {error}");
            self.is_broken = true;
        }
    }
}

/// The threads that read the engine's output write the transcript.
struct TranscriptListener(pub Arc<Mutex<Transcript>>);

impl Listener for TranscriptListener {
    fn on_sent(&self, text: &str) {
        self.0.lock().note(Instant::now(), '>', text);
    }

    fn on_line(&self, text: &str, arrived: Instant) -> bool {
        self.0.lock().note(arrived, '<', text);
        true
    }

    fn on_error(&self, text: &str, arrived: Instant) {
        self.0.lock().note(arrived, '!', text);
    }
}
