//! How an engine ends, and what it leaves behind.

use std::process::ExitStatus;
use std::thread;
use std::time::Instant;

use super::connection::{LAST_WORDS, LOOK, Silence};
use super::engine_line::{Line, keep};
use super::examinee::Examinee;
use super::finding::{Objection, Outcome};

/// How an engine has ended.
pub(super) struct Ending {
    pub status: ExitStatus,
    /// What it wrote since it was waited for.
    pub lines: Vec<Line>,
    /// Its processes that have not ended.
    pub left: Vec<String>,
}

impl Examinee<'_> {
    /// Waits for its end.
    pub fn ending(&mut self) -> Outcome<Ending> {
        let limit = self.examiner.patience.end();
        let until = self.connection.last_sent + limit;
        let mut lines = Vec::new();
        loop {
            match self.connection.next_line(until) {
                Ok(line) => keep(&mut lines, line),
                Err(Silence::Interrupted) => return Err(Objection::Interrupted),
                Err(Silence::Ended(_)) => break,
                Err(Silence::Late) => {
                    return Err(self.fault(format!("its end within {limit:?}"), "it running on"));
                }
            }
        }
        // Its output may end a moment before it does.
        while self.connection.status().is_none() && Instant::now() < until {
            thread::sleep(LOOK);
        }
        match self.connection.status() {
            Some(status) => Ok(Ending { status, lines, left: self.left_running() }),
            None => Err(self.fault(
                format!("its end within {limit:?}"),
                "its output closed, but the process running on",
            )),
        }
    }

    /// Its processes that are still there after its end. They may take a
    /// moment to go.
    fn left_running(&self) -> Vec<String> {
        let until = Instant::now() + LAST_WORDS;
        loop {
            let left = self.usage().map_or(Vec::new(), |usage| usage.names);
            if left.is_empty() || Instant::now() >= until {
                return left;
            }
            thread::sleep(LOOK);
        }
    }
}
