//! What an engine was sent since it last did as expected: a finding quotes it.

use std::collections::VecDeque;

/// Lines that a finding quotes, the latest.
const QUOTED_LINES: usize = 4;

/// The lines sent that the next finding may quote.
#[derive(Default)]
pub(super) struct Exchange {
    /// One more than are quoted, so that it shows when there were more.
    lines: VecDeque<String>,
    is_settled: bool,
}

impl Exchange {
    /// Adds what is sent next.
    pub fn add(&mut self, lines: impl IntoIterator<Item = String>) {
        if std::mem::take(&mut self.is_settled) {
            self.lines.clear();
        }
        for line in lines {
            if self.lines.len() > QUOTED_LINES {
                self.lines.pop_front();
            }
            self.lines.push_back(line);
        }
    }

    /// The engine did as expected: what is sent next begins anew.
    pub fn settle(&mut self) {
        self.is_settled = true;
    }

    /// Goes on with what was sent so far, though the engine did as expected.
    pub fn go_on(&mut self) {
        self.is_settled = false;
    }

    /// The latest lines, with `…` in front when there were more.
    pub fn text(&self) -> String {
        let left_out = self.lines.len().saturating_sub(QUOTED_LINES);
        let quoted: Vec<&str> = self.lines.iter().skip(left_out).map(String::as_str).collect();
        let dots = if left_out > 0 { "… " } else { "" };
        format!("{dots}{}", quoted.join(" "))
    }
}
