//! The state that all checks of one engine share.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::patience::Patience;
use super::transcript::{Speaker, Transcript};
use qirkat_system::program::Program;

/// Runs the checks of one engine.
pub struct Examiner<'a> {
    pub(super) program: &'a Program,
    pub(super) patience: Patience,
    /// Raised to interrupt the run.
    stop: &'a AtomicBool,
    pub(super) transcript: RefCell<Option<Transcript>>,
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

    /// The name by which the engine identified itself; none before the first check.
    pub fn engine_name(&self) -> Option<String> {
        self.name.borrow().clone()
    }

    /// The transcript, after the last check.
    pub fn into_transcript(self) -> Option<Transcript> {
        self.transcript.into_inner()
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
