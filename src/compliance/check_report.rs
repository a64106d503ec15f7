//! Makes the checks one after another.

use std::time::{Duration, Instant};

use super::checks::Check;
use super::examiner::Examiner;
use super::finding::{Objection, Verdict};

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

impl Examiner<'_> {
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
}
