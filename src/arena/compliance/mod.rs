//! Compliance tests of the UCI protocol for any engine that plays these games. [`CHECKS`] lists all
//! checks, each a function that restarts the engine and talks to it. An [`Examiner`] runs them one
//! after another and returns a [`Report`] on each. A fault is reported as a [`Finding`]: what was
//! sent, what was expected, and what came.

mod checks;
mod engine_under_test;
mod examiner;
mod positions;
mod search_checks;
mod state_checks;

pub use checks::{CHECKS, Check, NoReport, Report};
pub use examiner::{Examiner, Finding, MAX_PATIENCE, Transcript, Verdict};
