//! Compliance tests of the UCI protocol, for any engine that plays this game.
//!
//! [`CHECKS`] is the table of all checks, each a function that starts the
//! engine anew and talks with it. An [`Examiner`] runs them one after another and returns
//! a [`Report`] on each. A fault is reported as a [`Finding`]: what was sent, what was
//! expected, and what came.

mod answer;
mod check_report;
mod checks;
mod connection;
mod ending;
mod engine_events;
mod engine_line;
mod examinee;
mod examiner;
mod exchange;
mod finding;
mod fresh_engine;
mod greeting;
mod info;
mod patience;
mod search_request;
mod setup;
mod system;
mod transcript;

pub use check_report::{NoReport, Report};
pub use checks::{CHECKS, Check};
pub use examiner::Examiner;
pub use finding::{Finding, Verdict};
pub use patience::Patience;
pub use transcript::Transcript;
