//! Makes the checks one after another.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::checks::Check;
use super::engine::Examinee;
use super::finding::{Objection, Outcome, Verdict};
use super::patience::Patience;
use super::transcript::{Speaker, Transcript};
use crate::program::Program;

/// Who examines one engine.
pub struct Examiner<'a> {
    pub(super) program: &'a Program,
    pub(super) patience: Patience,
    /// Raised when the examination is to be broken off.
    stop: &'a AtomicBool,
    transcript: RefCell<Option<Transcript>>,
    /// Names of checks that have failed, or that could not be made.
    failed: RefCell<BTreeSet<&'static str>>,
    /// What the engine calls itself.
    name: RefCell<Option<String>>,
}

/// How one check came out.
#[derive(Clone, Debug)]
pub struct Report {
    /// The check.
    pub check: &'static Check,
    /// How it came out.
    pub verdict: Verdict,
    /// How long it took.
    pub time: Duration,
}

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoReport {
    /// The engine cannot be started.
    #[error("{0}")]
    NoStart(String),
    /// Somebody wants no more of it.
    #[error("interrupted")]
    Interrupted,
}

impl<'a> Examiner<'a> {
    /// An examiner who gives up when `stop` is raised.
    pub fn new(
        program: &'a Program,
        patience: Patience,
        stop: &'a AtomicBool,
        transcript: Option<Transcript>,
    ) -> Examiner<'a> {
        Examiner {
            program,
            patience,
            stop,
            transcript: RefCell::new(transcript),
            failed: RefCell::default(),
            name: RefCell::default(),
        }
    }

    /// Makes a check.
    ///
    /// # Errors
    /// When the engine cannot be started, or the examination is broken off.
    pub fn examine(&self, check: &'static Check) -> Result<Report, NoReport> {
        let start = Instant::now();
        if let Some(transcript) = self.transcript.borrow_mut().as_mut() {
            transcript.begin(check.name);
        }
        let needed = check.after.iter().find(|name| self.failed.borrow().contains(*name));
        let result = match needed {
            Some(name) => Err(Objection::Skip(format!("needs `{name}`"))),
            None => (check.make)(self),
        };
        let verdict = match result {
            Ok(()) => Verdict::Passed,
            Err(Objection::Warning(finding)) => Verdict::Warned(finding),
            Err(Objection::Fault(finding)) => Verdict::Failed(finding),
            Err(Objection::Skip(reason)) => Verdict::Skipped(reason),
            Err(Objection::Interrupted) => return Err(NoReport::Interrupted),
            Err(Objection::NoStart(reason)) => return Err(NoReport::NoStart(reason)),
        };
        if needed.is_some() || matches!(verdict, Verdict::Failed(_)) {
            self.failed.borrow_mut().insert(check.name);
        }
        Ok(Report { check, verdict, time: start.elapsed() })
    }

    /// What the engine calls itself, once it was asked.
    pub fn engine_name(&self) -> Option<String> {
        self.name.borrow().clone()
    }

    /// The transcript, when no check will follow.
    pub fn into_transcript(self) -> Option<Transcript> {
        self.transcript.into_inner()
    }

    /// The engine, started anew and ready to play this game.
    pub(super) fn engine(&self) -> Outcome<Examinee<'_>> {
        let mut engine = self.greeted()?;
        engine.choose_variant()?;
        engine.ready(self.patience.set_up())?;
        Ok(engine)
    }

    /// The engine, started anew, which has answered `uci`.
    pub(super) fn greeted(&self) -> Outcome<Examinee<'_>> {
        let mut engine = Examinee::start(self)?;
        engine.greet()?;
        *self.name.borrow_mut() = engine.greeting.names.first().cloned();
        Ok(engine)
    }

    pub(super) fn note(&self, at: Instant, speaker: Speaker, text: &str) {
        if let Some(transcript) = self.transcript.borrow_mut().as_mut() {
            transcript.note(at, speaker, text);
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
