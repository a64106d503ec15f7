//! A line that an engine has written.

use std::time::Instant;

/// Lines that are kept of what comes before an answer.
const KEPT_LINES: usize = 10_000;

/// A line, with the moment it arrived.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub text: String,
    pub arrived: Instant,
}

impl Line {
    /// Whether this is the first word.
    pub fn begins_with(&self, word: &str) -> bool {
        self.text.split_ascii_whitespace().next() == Some(word)
    }
}

/// Keeps a line unless there are too many already.
pub(super) fn keep(lines: &mut Vec<Line>, line: Line) {
    if lines.len() < KEPT_LINES {
        lines.push(line);
    }
}
