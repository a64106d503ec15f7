//! Runs the checks of one engine, one after another.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use derive_more::Debug;
use parking_lot::Mutex;

use qirkat_system::program::Program;

use super::finding::{CheckError, Outcome, Verdict};
use super::patience::Patience;
use super::transcript::{SharedTranscript, Transcript};

/// One aspect of the protocol to test.
#[derive(Debug)]
#[debug("{name}")]
pub struct Check {
    /// A short name, which stays the same from version to version.
    pub name: &'static str,
    /// The behaviour that passes.
    pub title: &'static str,
    /// The checks that must pass before this one means anything.
    pub(super) after: &'static [&'static str],
    pub(super) make: fn(&Examiner<'_>) -> Outcome,
}

/// The verdict of one check.
#[derive(Clone, Debug)]
pub struct Report {
    pub check: &'static Check,
    pub verdict: Verdict,
    /// How long it took.
    pub time: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoReport {
    /// The engine cannot be started.
    #[error("{0}")]
    NoStart(String),
    /// The person who started the tests has interrupted them.
    #[error("interrupted")]
    Interrupted,
}

/// Runs the checks of one engine.
pub struct Examiner<'a> {
    pub(super) program: &'a Program,
    patience: Patience,
    /// Raised to interrupt the run.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) transcript: SharedTranscript,
    /// Names of checks that have failed, or that could not be run.
    pub(super) failed: RefCell<BTreeSet<&'static str>>,
    /// The name by which the engine identified itself.
    pub(super) name: RefCell<Option<String>>,
}

impl<'a> Examiner<'a> {
    /// An examiner of a program, which ends early when `stop` is raised.
    pub fn new(
        program: &'a Program,
        patience: Patience,
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

    /// The name by which the engine identified itself; none before the first check.
    pub fn engine_name(&self) -> Option<String> {
        self.name.borrow().clone()
    }

    /// The transcript, after the last check.
    pub fn into_transcript(self) -> Option<Transcript> {
        self.transcript.lock().take()
    }

    /// How long to wait for what usually takes no longer than this.
    pub(super) fn within(&self, usual: Duration) -> Duration {
        usual.mul_f64(self.patience.0)
    }

    /// Runs a check.
    ///
    /// # Errors
    /// When the engine cannot be started, or the run is interrupted.
    pub fn examine(&self, check: &'static Check) -> Result<Report, NoReport> {
        let start = Instant::now();
        if let Some(transcript) = self.transcript.lock().as_mut() {
            transcript.begin(check.name);
        }
        let needed = check.after.iter().find(|name| self.failed.borrow().contains(*name));
        let result = match needed {
            Some(name) => Err(CheckError::Skip(format!("needs `{name}`"))),
            None => (check.make)(self),
        };
        let verdict = match result {
            Ok(()) => Verdict::Passed,
            Err(CheckError::Warning(finding)) => Verdict::Warned(finding),
            Err(CheckError::Fault(finding)) => Verdict::Failed(finding),
            Err(CheckError::Skip(reason)) => Verdict::Skipped(reason),
            Err(CheckError::Interrupted) => return Err(NoReport::Interrupted),
            Err(CheckError::NoStart(reason)) => return Err(NoReport::NoStart(reason)),
        };
        if needed.is_some() || matches!(verdict, Verdict::Failed(_)) {
            self.failed.borrow_mut().insert(check.name);
        }
        Ok(Report { check, verdict, time: start.elapsed() })
    }
}
