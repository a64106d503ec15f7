//! A player that is a UCI engine. It waits for answers, and collects other output.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use log::Level;
use parking_lot::{Mutex, MutexGuard};

use qirkat_game::text::{one_line, push};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::AnyMove;
use qirkat_system::program::Program;

use crate::announced_option::{Greeting, Setting, fit};
use crate::engine_process::{
    EngineExit, EngineProcess, Line, Listener, ReadError, SendError, position_command,
    set_option_command,
};
use crate::info_line::InfoLine;
use crate::machine::CoreWaits;
use crate::match_log::MatchLog;
use crate::player::{ChosenMove, EngineFault, Player, SearchInfo, Thought, Turn};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSetup {
    pub program: Program,
    /// Options in the order they are set; a button has no value.
    pub options: Vec<Setting>,
    pub restart: bool,
    pub ponder: bool,
}

const PONDER: &str = "Ponder";

impl EngineSetup {
    pub(super) fn wanted_options(&self) -> impl Iterator<Item = Setting> {
        let ponder = self.ponder.then(|| (PONDER.to_owned(), Some("true".to_owned())));
        ponder.into_iter().chain(self.options.iter().cloned())
    }
}

/// Timeout for `uciok`, `readyok`, and for a move without a clock.
const READY_TIMEOUT: Duration = Duration::from_secs(10);
const MOVE_TIMEOUT: Duration = Duration::from_secs(120);
/// How much longer the arbiter waits after the deadline, to distinguish a late answer from none.
const WAIT_BEYOND: Duration = Duration::from_millis(50);
const SHOWN: usize = 16;

/// The process is started when first needed and again after a fault.
pub struct UciPlayer {
    setup: EngineSetup,
    context: EngineContext,
    process: Option<UciEngine>,
    /// The expected reply it is pondering on.
    pondered: Option<AnyMove>,
    late_fault: Option<EngineFault>,
}

impl UciPlayer {
    /// A player that stops waiting when the stop flag of its context is set.
    pub fn new(setup: EngineSetup, context: EngineContext) -> UciPlayer {
        UciPlayer { setup, context, process: None, pondered: None, late_fault: None }
    }

    fn start(&self) -> Result<UciEngine, EngineFault> {
        let mut process = UciEngine::start(&self.setup.program, &self.context)?;
        process.lines().collect_setup(true);
        process.send("uci")?;
        process.wait_for_token("uciok", "uci")?;
        let lines = process.lines().take_setup();
        let announced = Greeting::parse(lines.iter().map(String::as_str)).announced();
        process.lines().collect_setup(false);
        for (name, value) in self.setup.wanted_options() {
            // A value that does not fit was reported before the match.
            let (name, value) = fit(&announced, &name, value.as_deref()).unwrap_or((name, value));
            process.send(&set_option_command(&name, value.as_deref()))?;
        }
        Ok(process)
    }

    fn ready_for_game(&self, mut process: UciEngine) -> Result<UciEngine, EngineFault> {
        process.discard_output();
        process.send("ucinewgame")?;
        process.send("isready")?;
        process.wait_for_token("readyok", "isready")?;
        Ok(process)
    }

    /// Sends `go`, or `ponderhit` if it is pondering on this move.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), EngineFault> {
        let hit = self.pondered.is_some() && self.pondered.as_ref() == turn.game.moves().last();
        if !hit {
            self.stop_pondering()?;
        }
        self.pondered = None;
        let process = running(&mut self.process)?;
        // Time that it waited for a core before this move does not count.
        process.waited();
        if hit {
            return process.send("ponderhit");
        }
        process.discard_output();
        process.send(&position(turn))?;
        process.send(&go_command(turn, "go"))
    }

    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        let Some(process) = self.process.as_mut().filter(|_| self.pondered.take().is_some()) else {
            return Ok(());
        };
        process.send("stop")?;
        process.wait_for_token("bestmove", "stop")
    }

    fn quit_engine(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}

fn running(process: &mut Option<UciEngine>) -> Result<&mut UciEngine, EngineFault> {
    process.as_mut().ok_or_else(|| EngineFault::Crashed(EngineExit::default()))
}

impl Player for UciPlayer {
    fn start_game(&mut self) -> Result<Option<EngineFault>, EngineFault> {
        let process = match self.process.take() {
            None => self.ready_for_game(self.start()?),
            Some(process) => match self.ready_for_game(process) {
                // It exited after its last game, which is not a fault in this one.
                Err(fault @ EngineFault::Crashed(_)) => {
                    self.late_fault = Some(fault);
                    self.ready_for_game(self.start()?)
                }
                other => other,
            },
        };
        self.process = Some(process?);
        Ok(self.late_fault.take())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<ChosenMove, EngineFault> {
        let clock = turn.own_clock();
        let (limit, late) = match clock.allowed().zip(clock.latest_answer()) {
            Some((allowed, latest)) => {
                (latest + WAIT_BEYOND, EngineFault::OutOfTime { allowed, used: None })
            }
            None => (MOVE_TIMEOUT, EngineFault::Stalled(MOVE_TIMEOUT)),
        };
        self.ask(turn)?;
        // The clock starts when `go` or `ponderhit` is written.
        let started = Instant::now();
        let process = running(&mut self.process)?;
        let answer = process.wait_for("bestmove", started + limit, late)?;
        let (info, lines) = process.lines().take_search();
        let variant = turn.game.position().variant();
        let mut words = answer.text.split_ascii_whitespace().skip(1);
        let text = words.next().unwrap_or("");
        let mv = AnyMove::parse(variant, text)
            .ok_or_else(|| EngineFault::IllegalMove { text: one_line(text, SHOWN), why: None })?;
        Ok(ChosenMove {
            mv,
            thought: Thought { info, time: answer.arrived.saturating_duration_since(started) },
            started,
            expected: words
                .find(|&word| word != "ponder")
                .and_then(|text| AnyMove::parse(variant, text)),
            lines,
        })
    }

    fn waited(&mut self) -> Option<Duration> {
        self.process.as_mut()?.waited()
    }

    fn ponder(&mut self, turn: &Turn<'_>, expected: AnyMove) -> Result<(), EngineFault> {
        if !self.setup.ponder || !turn.game.position().is_legal(expected) {
            return Ok(());
        }
        let mut game = turn.game.clone();
        game.play(expected);
        if game.outcome().is_some() {
            return Ok(());
        }
        let later = Turn { game: &game, ..*turn };
        let process = running(&mut self.process)?;
        process.discard_output();
        process.send(&position(&later))?;
        process.send(&go_command(&later, "go ponder"))?;
        self.pondered = Some(expected);
        Ok(())
    }

    fn end_game(&mut self, fault: Option<&EngineFault>) {
        if fault.is_some() {
            self.pondered = None;
            // It may still be searching or hang: a new process is safest.
            self.process = None;
        } else if let Err(fault) = self.stop_pondering() {
            self.late_fault = Some(fault).filter(|fault| *fault != EngineFault::Aborted);
            self.process = None;
        } else if self.setup.restart {
            self.quit_engine();
        }
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        self.quit_engine();
    }
}

fn position(turn: &Turn<'_>) -> String {
    let start = turn.game.start();
    let is_usual = *start == start.variant().start();
    let text = if is_usual { "startpos".to_owned() } else { format!("fen {start}") };
    position_command(&text, turn.game.moves())
}

fn go_command(turn: &Turn<'_>, beginning: &str) -> String {
    let mut command = beginning.to_owned();
    for (color, letter) in [(Color::White, 'w'), (Color::Black, 'b')] {
        if let Some(clock) = turn.clocks[color.index()].reading() {
            let (left, increment) = (clock.remaining.as_millis(), clock.increment.as_millis());
            push(&mut command, format_args!(" {letter}time {left} {letter}inc {increment}"));
        }
    }
    let clock = turn.own_clock();
    let control = clock.control();
    for (word, limit) in [
        ("movestogo", clock.reading().and_then(|clock| clock.moves_to_go).map(u128::from)),
        ("movetime", control.move_time.map(|time| time.as_millis())),
        ("nodes", control.nodes.map(u128::from)),
        ("depth", control.depth.map(u128::from)),
    ] {
        if let Some(limit) = limit {
            push(&mut command, format_args!(" {word} {limit}"));
        }
    }
    command
}

const ANSWERS: [&str; 3] = ["uciok", "readyok", "bestmove"];
/// Lines with moves kept per search: the first ones and the last ones.
const FIRST_LINES: usize = 64;
const LAST_LINES: usize = 64;
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
    /// Lines outside a search, during setup.
    setup: Option<Vec<String>>,
}

impl EngineLines {
    pub fn add(&mut self, text: &str) {
        match text.strip_prefix("info ") {
            Some(rest) if !rest.trim_start().starts_with("string") => self.add_search_line(rest),
            _ => {
                if let Some(setup) =
                    self.setup.as_mut().filter(|setup| setup.len() < MAX_SETUP_LINES)
                {
                    setup.push(text[..text.floor_char_boundary(LONGEST_SETUP_LINE)].to_owned());
                }
            }
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

    /// The latest report on the search, and the lines with moves in order.
    pub fn take_search(&mut self) -> (SearchInfo, Vec<String>) {
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
        let is_search = text.starts_with("info ") && !text.starts_with("info string");
        let level = if is_search { Level::Trace } else { Level::Debug };
        self.log(level, "from", format_args!("{text}"));
        let first = text.split_ascii_whitespace().next().unwrap_or_default();
        let is_answer = ANSWERS.contains(&first);
        if !is_answer {
            self.lines.lock().add(text);
        }
        is_answer
    }

    fn on_error(&self, text: &str, _: Instant) {
        self.log(Level::Warn, "standard error of", format_args!("{text}"));
    }

    fn on_end(&self) {
        self.log(Level::Info, "end of output of", format_args!("it is closed"));
    }
}

/// Dropping it kills the engine and all processes it started.
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
            log.log(Level::Info, "start of", format_args!("{command} {:?}", program.arguments));
            log
        };
        let process = EngineProcess::start(program, &context.cores, &context.stop, log)
            .map_err(|error| EngineFault::NoStart(format!("{command}: {error}")))?;
        Ok(UciEngine { process, waits: CoreWaits::default() })
    }

    pub fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        self.process.send(line).map_err(|error| match error {
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
        self.lines().take_search();
    }

    /// How long it waited for cores since the last call, if the system reports it.
    pub fn waited(&mut self) -> Option<Duration> {
        self.waits.longest(self.process.program.id())
    }

    pub fn lines(&self) -> MutexGuard<'_, EngineLines> {
        self.process.listener.lines.lock()
    }

    /// The next answer that begins with this word; the fault `late` if none arrives by `latest`.
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
                Err(ReadError::TimedOut) => return Err(late),
                Err(ReadError::Ended(exit)) => return Err(EngineFault::Crashed(exit)),
                Err(ReadError::Interrupted) => return Err(EngineFault::Aborted),
            }
        }
    }

    pub fn wait_for_token(
        &mut self,
        word: &str,
        question: &'static str,
    ) -> Result<(), EngineFault> {
        let late = EngineFault::NotReady { question, timeout: READY_TIMEOUT };
        self.wait_for(word, Instant::now() + READY_TIMEOUT, late).map(|_| ())
    }

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
        lines.collect_setup(true);
        for number in 0..5000 {
            lines.add(&format!("info depth {number} pv e2e4"));
            lines.add(&format!("info string {number}"));
        }
        lines.add(&format!("info depth 9 pv {}", "e2e4 ".repeat(LONGEST_LINE)));
        let (info, kept) = lines.take_search();
        assert!(info.pv.starts_with("e2e4 e2e4"));
        assert_eq!(kept.len(), FIRST_LINES + LAST_LINES);
        assert_eq!(kept.first().map(String::as_str), Some("depth 0 pv e2e4"));
        assert_eq!(kept.last().map(String::as_str), Some("depth 4999 pv e2e4"));
        let setup = lines.take_setup();
        assert_eq!(setup.len(), MAX_SETUP_LINES);
        assert_eq!(setup[0], "info string 0");
        assert!(lines.take_search().1.is_empty() && lines.take_setup().is_empty());
    }
}
