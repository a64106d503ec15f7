//! Compliance tests of the UCI protocol for any engine that plays these games. What each of the
//! [`CHECKS`] sends and expects stands in `checks.txt`, in a small language: `script` reads it,
//! `steps` runs it, and `verdicts` has what it cannot say by itself. An [`Examiner`] makes the checks
//! one after another and returns a [`Report`] on each. A fault is reported as a [`Finding`]: what
//! was sent, what was expected, and what came.

mod engine_under_test;
mod examiner;
mod positions;
mod script;
mod steps;
mod verdicts;

pub use examiner::{Examiner, Finding, MAX_PATIENCE, NoReport, Report, Verdict};
pub use script::{CHECKS, Check};
