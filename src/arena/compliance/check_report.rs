//! Runs a check and reports its verdict.

use std::time::{Duration, Instant};

use super::checks::Check;
use super::examiner::Examiner;
use super::finding::{Objection, Verdict};

/// The verdict of one check.
#[derive(Clone, Debug)]
pub struct Report {
    /// The check.
    pub check: &'static Check,
    /// Its verdict.
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
    /// The person who started the tests has interrupted them.
    #[error("interrupted")]
    Interrupted,
}

impl Examiner<'_> {
    /// Runs a check.
    ///
    /// # Errors
    /// When the engine cannot be started, or the run is interrupted.
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
}
