//! What an engine says besides its answers, as far as it is of use, in memory
//! of bounded size.

use std::collections::VecDeque;

use super::match_log::in_one_line;
use super::search_info::{InfoLine, SearchInfo};

/// Lines with moves that are kept of a search: so many of the first and so
/// many of the last.
const KEPT_FIRST: usize = 64;
const KEPT_LAST: usize = 64;
/// Longer ones are not kept.
const LONGEST_KEPT: usize = 4000;
/// Lines that are kept while an engine is set up.
const KEPT_OF_SETUP: usize = 2000;

/// What an engine has said.
#[derive(Debug, Default)]
pub(super) struct EngineLines {
    /// The latest it reported of its search.
    info: SearchInfo,
    first: Vec<String>,
    last: VecDeque<String>,
    /// What is not about a search, while an engine is set up.
    setup: Option<Vec<String>>,
}

impl EngineLines {
    /// Adds a line that is no answer.
    pub fn add(&mut self, text: &str) {
        match text.strip_prefix("info ") {
            Some(rest) if !rest.trim_start().starts_with("string") => self.add_search_line(rest),
            _ => {
                if let Some(setup) = self.setup.as_mut().filter(|setup| setup.len() < KEPT_OF_SETUP)
                {
                    setup.push(in_one_line(text));
                }
            }
        }
    }

    fn add_search_line(&mut self, text: &str) {
        let line = InfoLine::read(text);
        self.info.note(&line);
        if line.pv.is_none() || text.len() > LONGEST_KEPT {
            return;
        }
        if self.first.len() < KEPT_FIRST {
            self.first.push(text.to_owned());
            return;
        }
        // An engine that floods its output gets its own memory back.
        let mut kept = if self.last.len() < KEPT_LAST {
            String::new()
        } else {
            self.last.pop_front().unwrap_or_default()
        };
        kept.clear();
        kept.push_str(text);
        self.last.push_back(kept);
    }

    /// What it last reported of its search, and the lines with moves, in their
    /// order.
    pub fn take_search(&mut self) -> (SearchInfo, Vec<String>) {
        let mut lines = std::mem::take(&mut self.first);
        lines.extend(std::mem::take(&mut self.last));
        (std::mem::take(&mut self.info), lines)
    }

    pub fn forget_search(&mut self) {
        self.info.forget();
        self.first.clear();
        self.last.clear();
    }

    /// Begins to keep what is not about a search.
    pub fn keep_setup(&mut self) {
        self.setup = Some(Vec::new());
    }

    /// Ends that.
    pub fn ignore_setup(&mut self) {
        self.setup = None;
    }

    /// What was kept since it was last asked for.
    pub fn take_setup(&mut self) -> Vec<String> {
        self.setup.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_kept_in_bounds() {
        let mut lines = EngineLines::default();
        lines.add("info string before");
        lines.keep_setup();
        for number in 0..5000 {
            lines.add(&format!("info depth {number} pv e2e4"));
            lines.add(&format!("info string {number}"));
        }
        lines.add(&format!("info depth 9 pv {}", "e2e4 ".repeat(LONGEST_KEPT)));
        let (info, kept) = lines.take_search();
        assert!(info.pv.starts_with("e2e4 e2e4"));
        assert_eq!(kept.len(), KEPT_FIRST + KEPT_LAST);
        assert_eq!(kept.first().map(String::as_str), Some("depth 0 pv e2e4"));
        assert_eq!(kept.last().map(String::as_str), Some("depth 4999 pv e2e4"));
        let setup = lines.take_setup();
        assert_eq!(setup.len(), KEPT_OF_SETUP);
        assert_eq!(setup[0], "info string 0");
        assert!(lines.take_search().1.is_empty() && lines.take_setup().is_empty());
    }
}
