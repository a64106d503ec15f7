//! A UCI engine as the arbiter of a match sees it: its answers, each when it is waited for,
//! and the rest of its output folded into the latest report.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use log::Level;
use parking_lot::{Mutex, MutexGuard};

use qirkat_system::program::Program;

use super::engine_fault::EngineFault;
use super::search_report::SearchInfo;
use crate::machine::CoreWaits;
use crate::match_log::MatchLog;
use crate::uci_client::{EngineProcess, InfoLine, Line, Listener, ReadError, SendError};

/// The words that answers begin with.
const ANSWERS: [&str; 3] = ["uciok", "readyok", "bestmove"];
/// Lines with moves that are kept of a search: the first ones and the last ones.
const KEPT_FIRST: usize = 64;
const KEPT_LAST: usize = 64;
const LONGEST_KEPT: usize = 4000;
/// Lines that are kept while an engine is set up, and bytes of each.
const KEPT_OF_SETUP: usize = 2000;
const LONGEST_OF_SETUP: usize = 8 << 10;

/// Lines of an engine besides its answers, as far as they are of use, in memory of bounded
/// size.
#[derive(Debug, Default)]
pub(super) struct EngineLines {
    /// The latest it reported of its search.
    info: SearchInfo,
    first: Vec<String>,
    last: VecDeque<String>,
    /// Lines that are not about a search, while an engine is set up.
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
                    setup.push(text[..text.floor_char_boundary(LONGEST_OF_SETUP)].to_owned());
                }
            }
        }
    }

    fn add_search_line(&mut self, text: &str) {
        let line = InfoLine::parse(text);
        self.info.note(&line);
        if line.pv.is_none() || text.len() > LONGEST_KEPT {
            return;
        }
        if self.first.len() < KEPT_FIRST {
            self.first.push(text.to_owned());
            return;
        }
        if self.last.len() == KEPT_LAST {
            self.last.pop_front();
        }
        self.last.push_back(text.to_owned());
    }

    /// Its latest report on the search, and the lines with moves, in their
    /// order.
    pub fn take_search(&mut self) -> (SearchInfo, Vec<String>) {
        let mut lines = std::mem::take(&mut self.first);
        lines.extend(std::mem::take(&mut self.last));
        (std::mem::take(&mut self.info), lines)
    }

    pub fn forget_search(&mut self) {
        self.info = SearchInfo::default();
        self.first.clear();
        self.last.clear();
    }

    /// Begins to keep lines that are not about a search, or ends that.
    pub fn keep_setup(&mut self, is_kept: bool) {
        self.setup = is_kept.then(Vec::new);
    }

    /// The lines of the setup since they were last taken.
    pub fn take_setup(&mut self) -> Vec<String> {
        self.setup.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

/// Where an engine runs, and who it is in the log.
#[derive(Clone, Default)]
pub struct EngineContext {
    pub name: String,
    /// Where its talk is logged.
    pub log: MatchLog,
    /// The cores that it may run on; all if there are none.
    pub cores: Vec<usize>,
    /// Raised when the match is to be broken off.
    pub stop: Arc<AtomicBool>,
}

/// Logs the talk with an engine, and folds what the engine says besides its answers.
struct EngineLog {
    name: String,
    id: u32,
    log: MatchLog,
    lines: Mutex<EngineLines>,
}

impl EngineLog {
    fn note(&self, level: Level, event: &str, text: fmt::Arguments<'_>) {
        self.log.line(level, format_args!("{event} {}[{}]: {text}", self.name, self.id));
    }
}

impl Listener for EngineLog {
    fn on_sent(&self, text: &str) {
        self.note(Level::Debug, "to", format_args!("{text}"));
    }

    fn on_line(&self, text: &str, _: Instant) -> bool {
        let is_search = text.starts_with("info ") && !text.starts_with("info string");
        let level = if is_search { Level::Trace } else { Level::Debug };
        self.note(level, "from", format_args!("{text}"));
        let first = text.split_ascii_whitespace().next().unwrap_or_default();
        let is_answer = ANSWERS.contains(&first);
        if !is_answer {
            self.lines.lock().add(text);
        }
        is_answer
    }

    fn on_error(&self, text: &str, _: Instant) {
        self.note(Level::Warn, "standard error of", format_args!("{text}"));
    }

    fn on_end(&self) {
        self.note(Level::Info, "end of output of", format_args!("it is closed"));
    }
}

/// A running engine. Dropping it kills it with all it has started.
pub(super) struct UciEngine {
    process: EngineProcess<EngineLog>,
    waits: CoreWaits,
}

impl UciEngine {
    pub fn start(program: &Program, context: &EngineContext) -> Result<UciEngine, EngineFault> {
        let command = program.command.display();
        let log = |id| {
            let (name, log) = (context.name.clone(), context.log.clone());
            let log = EngineLog { name, id, log, lines: Mutex::default() };
            log.note(Level::Info, "start of", format_args!("{command} {:?}", program.arguments));
            log
        };
        let process = EngineProcess::start(program, &context.cores, &context.stop, log)
            .map_err(|error| EngineFault::NoStart(format!("{command}: {error}")))?;
        Ok(UciEngine { process, waits: CoreWaits::default() })
    }

    pub fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        self.process.send(line).map_err(|error| match error {
            SendError::Unread => EngineFault::Deaf,
            SendError::Ended(exit) => EngineFault::Crashed(exit),
        })
    }

    /// Forgets all answers and the report on the search.
    pub fn forget(&mut self) {
        let unasked = self.process.skip_lines();
        if unasked > 0 {
            let answers = format_args!("{unasked} answers");
            self.process.listener.note(Level::Debug, "unasked by", answers);
        }
        self.lines().forget_search();
    }

    /// How long it has waited for cores since this was last asked, if the system tells.
    pub fn waited(&mut self) -> Option<Duration> {
        self.waits.longest(self.process.id())
    }

    /// Its lines besides answers.
    pub fn lines(&self) -> MutexGuard<'_, EngineLines> {
        self.process.listener.lines.lock()
    }

    /// The next answer that begins with this word; `late` is the fault of an engine that does
    /// not give it until `latest`.
    pub fn wait_for(
        &mut self,
        word: &str,
        latest: Instant,
        late: EngineFault,
    ) -> Result<Line, EngineFault> {
        loop {
            match self.process.next_line(latest) {
                Ok(line) if line.begins_with(word) => return Ok(line),
                Ok(_) => {}
                Err(ReadError::Late) => return Err(late),
                Err(ReadError::Ended(exit)) => return Err(EngineFault::Crashed(exit)),
                Err(ReadError::Interrupted) => return Err(EngineFault::Aborted),
            }
        }
    }

    /// Waits for the answer to a question about the engine's state.
    pub fn await_word(
        &mut self,
        word: &str,
        question: &'static str,
        patience: Duration,
    ) -> Result<(), EngineFault> {
        let late = EngineFault::NotReady { question, patience };
        self.wait_for(word, Instant::now() + patience, late).map(|_| ())
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub fn quit(self) {
        self.process.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_kept_in_bounds() {
        let mut lines = EngineLines::default();
        lines.add("info string before");
        lines.keep_setup(true);
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
