//! The answer to a `go`.

use std::time::Duration;

use super::engine_line::Line;

/// A `bestmove`, and what came before it.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// The whole line.
    pub line: String,
    /// The move as text.
    pub best: String,
    /// From the last line sent to the answer.
    pub took: Duration,
}

impl Answer {
    /// The answer in this line, of which nothing else is known.
    pub fn of(line: Line) -> Answer {
        Answer {
            infos: Vec::new(),
            best: line.text.split_ascii_whitespace().nth(1).unwrap_or("").to_owned(),
            line: line.text,
            took: Duration::ZERO,
        }
    }
}
