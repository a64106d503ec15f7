//! Findings and verdicts of checks.

use std::fmt;

use qirkat_game::text::one_line;

/// A fault of an engine, as its author needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The lines that the engine was sent; empty when it was not sent anything yet.
    pub sent: String,
    pub expected: String,
    /// The behaviour found.
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
    /// Not as most programs expect it, though the protocol leaves it open.
    Warned(Finding),
    /// A violation of the protocol.
    Failed(Finding),
    /// It could not be run, for this reason.
    Skipped(String),
}

/// Why a check ended early.
#[derive(Debug)]
pub(super) enum CheckError {
    Fault(Finding),
    Warning(Finding),
    Skip(String),
    /// The person who started the tests has interrupted them.
    Interrupted,
    /// The engine could not be started at all.
    NoStart(String),
}

/// The result of a check: passed, or the first error.
pub(super) type Outcome<T = ()> = Result<T, CheckError>;

/// Characters of a text in a finding.
const LONGEST: usize = 120;

/// A text for a finding in quotes, cut when it is long, with nothing in it
/// that would disturb a line.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", one_line(text, LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_fits_on_a_line() {
        assert_eq!(quoted("a\tb\nc"), "`a\\tb\\nc`");
        let long = quoted(&"x".repeat(1000));
        assert!(long.len() < 200 && long.ends_with("x...`"), "{long}");
    }
}
