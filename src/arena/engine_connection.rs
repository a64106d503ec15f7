//! A running engine of a match, in either protocol: sends it lines, waits for its answers, and
//! collects its other output.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use log::Level;
use parking_lot::{Mutex, MutexGuard};
use serde::Deserialize;

use qirkat_system::program::Program;

use crate::engine_fault::EngineFault;
use crate::engine_process::{EngineProcess, Line, Listener, ReadError, SendError};
use crate::info_line::{InfoLine, SearchInfo};
use crate::machine::CoreWaits;
use crate::match_log::MatchLog;
use crate::xboard_lines;

/// Timeout for the answer to a greeting, and for being ready.
pub(crate) const READY_TIMEOUT: Duration = Duration::from_secs(10);

/// The protocol that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol, version 2.
    Xboard,
}

/// A line of an engine's output, by what becomes of it.
enum Output<'a> {
    /// A line that the arbiter waits for, such as `bestmove`.
    Answer,
    /// A report on a search, in the words of UCI without `info`.
    Search(Cow<'a, str>),
    Other,
}

impl Protocol {
    fn classify(self, text: &str) -> Output<'_> {
        match self {
            Protocol::Uci => {
                const ANSWERS: [&str; 3] = ["uciok", "readyok", "bestmove"];
                match text.strip_prefix("info ") {
                    Some(rest) if !rest.trim_start().starts_with("string") => {
                        Output::Search(rest.into())
                    }
                    _ if ANSWERS.iter().any(|answer| first_word(text) == *answer) => Output::Answer,
                    _ => Output::Other,
                }
            }
            Protocol::Xboard if xboard_lines::is_answer(text) => Output::Answer,
            Protocol::Xboard => xboard_lines::info_line(text)
                .map_or(Output::Other, |info| Output::Search(info.into())),
        }
    }

    /// What an engine tells its user with this line.
    pub(crate) fn message(self, line: &str) -> Option<&str> {
        match self {
            Protocol::Uci => Some(line.strip_prefix("info ")?.trim_start().strip_prefix("string")?),
            Protocol::Xboard => match first_word(line) {
                "Error" | "Illegal" => Some(line),
                word @ ("telluser" | "tellusererror" | "tellall") => line.strip_prefix(word),
                _ => None,
            },
        }
    }
}

fn first_word(text: &str) -> &str {
    text.split_ascii_whitespace().next().unwrap_or_default()
}

/// Lines with moves kept per search: the first ones and the last ones.
const FIRST_LINES: usize = 64;
const LAST_LINES: usize = 64;
/// Bytes of such a line. A longer one is not kept.
const LONGEST_LINE: usize = 4000;
/// Lines kept during setup, and bytes of each.
const MAX_SETUP_LINES: usize = 2000;
const LONGEST_SETUP_LINE: usize = 8 << 10;

/// The engine's useful output besides its answers, in bounded memory.
#[derive(Debug, Default)]
pub(crate) struct EngineLines {
    info: SearchInfo,
    first: Vec<String>,
    last: VecDeque<String>,
    /// The reports before the last move. Later ones may be from pondering.
    before_move: Option<(SearchInfo, Vec<String>)>,
    /// Lines outside a search, during setup.
    setup: Option<Vec<String>>,
}

impl EngineLines {
    fn add_setup_line(&mut self, text: &str) {
        if let Some(setup) = self.setup.as_mut().filter(|setup| setup.len() < MAX_SETUP_LINES) {
            setup.push(text[..text.floor_char_boundary(LONGEST_SETUP_LINE)].to_owned());
        }
    }

    fn add_search_line(&mut self, text: &str) {
        let line = InfoLine::parse(text);
        self.info.update(&line);
        if line.pv.is_none() || text.len() > LONGEST_LINE {
            return;
        }
        if self.first.len() < FIRST_LINES {
            self.first.push(text.to_owned());
            return;
        }
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
        }
        self.last.push_back(text.to_owned());
    }

    /// The latest report on the search before the move, and its lines with moves in order.
    pub fn take_search(&mut self) -> (SearchInfo, Vec<String>) {
        self.before_move.take().unwrap_or_else(|| self.take_unfinished())
    }

    pub fn clear_search(&mut self) {
        self.before_move = None;
        self.take_unfinished();
    }

    fn end_search(&mut self) {
        if self.before_move.is_none() {
            self.before_move = Some(self.take_unfinished());
        }
    }

    fn take_unfinished(&mut self) -> (SearchInfo, Vec<String>) {
        let mut lines = std::mem::take(&mut self.first);
        lines.extend(std::mem::take(&mut self.last));
        (std::mem::take(&mut self.info), lines)
    }

    pub fn collect_setup(&mut self, collects: bool) {
        self.setup = collects.then(Vec::new);
    }

    pub fn take_setup(&mut self) -> Vec<String> {
        self.setup.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

#[derive(Clone, Default)]
pub struct EngineContext {
    pub name: String,
    pub log: MatchLog,
    /// The cores that the engine may use; all if empty.
    pub cores: Vec<usize>,
    pub stop: Arc<AtomicBool>,
}

/// Logs all communication with an engine, and collects its output besides answers.
struct EngineLog {
    name: String,
    id: u32,
    protocol: Protocol,
    log: MatchLog,
    lines: Mutex<EngineLines>,
}

impl EngineLog {
    fn log(&self, level: Level, event: &str, text: fmt::Arguments<'_>) {
        self.log.line(level, format_args!("{event} {}[{}]: {text}", self.name, self.id));
    }
}

impl Listener for EngineLog {
    fn on_sent(&self, text: &str) {
        self.log(Level::Debug, "to", format_args!("{text}"));
    }

    fn on_line(&self, text: &str, _: Instant) -> bool {
        let output = self.protocol.classify(text);
        let level = if matches!(output, Output::Search(_)) { Level::Trace } else { Level::Debug };
        self.log(level, "from", format_args!("{text}"));
        match output {
            Output::Answer => {
                if ["bestmove", "move"].contains(&first_word(text)) {
                    self.lines.lock().end_search();
                }
                return true;
            }
            Output::Search(info) => self.lines.lock().add_search_line(&info),
            Output::Other => self.lines.lock().add_setup_line(text),
        }
        false
    }

    fn on_error(&self, text: &str, _: Instant) {
        self.log(Level::Warn, "standard error of", format_args!("{text}"));
    }

    fn on_end(&self) {
        self.log(Level::Info, "end of output of", format_args!("it is closed"));
    }
}

/// Dropping it kills the engine and all processes it started.
pub(super) struct EngineConnection {
    process: EngineProcess<EngineLog>,
    waits: CoreWaits,
}

impl EngineConnection {
    pub fn start(
        program: &Program,
        protocol: Protocol,
        context: &EngineContext,
    ) -> Result<EngineConnection, EngineFault> {
        let command = program.command.display();
        let log = |id| {
            let (name, log) = (context.name.clone(), context.log.clone());
            let log = EngineLog { name, id, protocol, log, lines: Mutex::default() };
            log.log(Level::Info, "start of", format_args!("{command} {:?}", program.arguments));
            log
        };
        let process = EngineProcess::start(program, &context.cores, &context.stop, log)
            .map_err(|error| EngineFault::NoStart(format!("{command}: {error}")))?;
        Ok(EngineConnection { process, waits: CoreWaits::default() })
    }

    pub fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        self.process.send_bytes(format!("{line}\n").as_bytes()).map_err(|error| match error {
            SendError::TimedOut => EngineFault::InputUnread,
            SendError::Ended(exit) => EngineFault::Crashed(exit),
        })
    }

    pub fn discard_output(&mut self) {
        let unexpected = self.process.skip_lines();
        if unexpected > 0 {
            let answers = format_args!("{unexpected} answers");
            self.process.listener.log(Level::Debug, "unexpected from", answers);
        }
        self.lines().clear_search();
    }

    /// How long it waited for cores since the last call, if the system reports it.
    pub fn waited(&mut self) -> Option<Duration> {
        self.waits.longest(self.process.program.id())
    }

    pub fn lines(&self) -> MutexGuard<'_, EngineLines> {
        self.process.listener.lines.lock()
    }

    /// The next answer; the fault `late` if none arrives by `latest`.
    pub fn next_answer(&mut self, latest: Instant, late: EngineFault) -> Result<Line, EngineFault> {
        self.process.next_line(latest).map_err(|error| match error {
            ReadError::TimedOut => late,
            ReadError::Ended(exit) => EngineFault::Crashed(exit),
            ReadError::Interrupted => EngineFault::Aborted,
        })
    }

    /// The next answer that begins with this word.
    pub fn wait_for(
        &mut self,
        word: &str,
        latest: Instant,
        late: EngineFault,
    ) -> Result<Line, EngineFault> {
        loop {
            let line = self.next_answer(latest, late.clone())?;
            if line.begins_with(word) {
                return Ok(line);
            }
        }
    }

    /// Waits for a line that begins with this word, as long as for being ready.
    pub fn wait_until_ready(
        &mut self,
        word: &str,
        question: &'static str,
    ) -> Result<(), EngineFault> {
        let late = EngineFault::NotReady { question, timeout: READY_TIMEOUT };
        self.wait_for(word, Instant::now() + READY_TIMEOUT, late).map(|_| ())
    }

    pub fn quit(&mut self) {
        self.process.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_kept_in_bounds() {
        let mut lines = EngineLines::default();
        lines.add_setup_line("info string before");
        lines.collect_setup(true);
        for number in 0..5000 {
            lines.add_search_line(&format!("depth {number} pv e2e4"));
            lines.add_setup_line(&format!("info string {number}"));
        }
        lines.add_search_line(&format!("depth 9 pv {}", "e2e4 ".repeat(LONGEST_LINE)));
        let (info, kept) = lines.take_search();
        assert!(info.pv.starts_with("e2e4 e2e4"));
        assert_eq!(kept.len(), FIRST_LINES + LAST_LINES);
        assert_eq!(kept.first().map(String::as_str), Some("depth 0 pv e2e4"));
        assert_eq!(kept.last().map(String::as_str), Some("depth 4999 pv e2e4"));
        let setup = lines.take_setup();
        assert_eq!(setup.len(), MAX_SETUP_LINES);
        assert_eq!(setup[0], "info string 0");
        assert!(lines.take_search().1.is_empty() && lines.take_setup().is_empty());
        // What comes after a move is not about it, and a second move changes nothing.
        for depth in ["depth 1 pv e2e4", "depth 2 pv d2d4"] {
            lines.add_search_line(depth);
            lines.end_search();
        }
        assert_eq!(lines.take_search().1, ["depth 1 pv e2e4"]);
        assert_eq!(lines.take_search().0.depth, None, "no score, no depth");
        assert!(lines.take_search().1.is_empty());
    }
}
