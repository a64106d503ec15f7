//! Compliance tests of the UCI protocol for any engine that plays Chesquerque. What each of the
//! [`CHECKS`] sends and expects is in `checks.txt`, in a small language: `script` parses it,
//! `steps` runs it, and `judge` checks what it cannot express. An [`Examiner`] runs the checks one
//! after another and returns a [`Report`] on each. A fault is reported as a [`Finding`]: what
//! was sent, expected and received.

mod context;
mod judge;
mod script;
mod steps;
mod tested_engine;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use qirkat_system::program::Program;

use self::context::{CheckContext, CheckError, Transcript};
use self::steps::CheckRun;

pub use self::context::{ExamineError, Finding, Verdict};
pub use self::script::{CHECKS, Check};

pub struct Examiner<'a> {
    context: CheckContext<'a>,
    /// Checks that failed or could not run.
    failed: BTreeSet<&'static str>,
    name: Option<String>,
}

impl<'a> Examiner<'a> {
    /// An examiner that stops early when `stop` is set, and writes the communication to `output`,
    /// at most 20 000 lines a check. `patience`, above 0 and up to [`MAX_PATIENCE`], multiplies all
    /// time limits that no chess clock sets.
    pub fn new(
        program: &'a Program,
        patience: f64,
        stop: Arc<AtomicBool>,
        output: Box<dyn Write + Send>,
    ) -> Examiner<'a> {
        let transcript = Arc::new(Mutex::new(Transcript::new(output)));
        Examiner {
            context: CheckContext { program, patience, stop, transcript },
            failed: BTreeSet::new(),
            name: None,
        }
    }

    /// The name from `id name`; `None` before the first check.
    pub fn engine_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Runs a check with a newly started engine, so that one fault does not affect another check.
    ///
    /// # Errors
    /// If the engine cannot be started, or `stop` was set.
    pub fn examine(&mut self, check: &'static Check) -> Result<Report, ExamineError> {
        let start = Instant::now();
        self.context.transcript.lock().begin(check.name);
        let verdict = match check.needs.iter().find(|name| self.failed.contains(*name)) {
            Some(name) => {
                self.failed.insert(check.name);
                Verdict::Skipped(format!("needs `{name}`"))
            }
            None => {
                let (result, name) = {
                    let mut run = CheckRun::start(&self.context)?;
                    (run.run_check(check), run.engine.greeting.names.first().cloned())
                };
                self.name = name.or(self.name.take());
                match result {
                    Ok(verdict) | Err(CheckError::Verdict(verdict)) => verdict,
                    Err(CheckError::ExamineError(error)) => return Err(error),
                }
            }
        };
        if matches!(verdict, Verdict::Failed(_)) {
            self.failed.insert(check.name);
        }
        Ok(Report { check, verdict, time: start.elapsed() })
    }

    /// # Errors
    /// If the transcript is incomplete.
    pub fn finish(self) -> io::Result<()> {
        self.context.transcript.lock().finish()
    }
}

#[derive(Clone, Debug)]
pub struct Report {
    pub check: &'static Check,
    pub verdict: Verdict,
    pub time: Duration,
}

/// The largest patience, for slow machines: with it a small search may take over an hour.
pub const MAX_PATIENCE: f64 = 1000.0;
