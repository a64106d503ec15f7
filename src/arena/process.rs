//! An engine as a running program: its answers, each when it is waited for,
//! what it reports meanwhile, and what it says before it ends.

use std::collections::VecDeque;
use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use log::Level;

use super::affinity::bound_to;
use super::engine_fault::{EngineFault, LastWords};
use super::engine_lines::EngineLines;
use super::match_log::{MatchLog, in_one_line};
use super::waiting::Waits;
use qirkat_system::program::{Outputs, Program, RunningProgram, each_line};

/// The words that answers begin with. Each has a queue of its own, so that
/// none of them gets lost in a flood of the others.
const ANSWERS: [&str; 3] = ["uciok", "readyok", "bestmove"];
/// Answers of a kind that may wait to be read. What comes beyond is thrown
/// away, so that an engine that floods its output blocks nobody.
const WAITING_LINES: usize = 16;
/// How long lines of an engine that has ended may still be on their way.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Lines of standard error that are kept, and letters of each.
const KEPT_ERRORS: usize = 8;
const KEPT_LETTERS: usize = 300;
/// Time between two looks at the stop flag while waiting.
const LOOK: Duration = Duration::from_millis(20);
/// Time between two looks at whether the last lines have come.
const LAST_LOOK: Duration = Duration::from_millis(2);

/// A line that answers something, with the moment it arrived.
pub(super) struct Answer {
    pub text: String,
    pub arrived: Instant,
}

/// Where an engine runs, and who it is in the log.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// The engine's name.
    pub name: String,
    /// Where its talk is logged.
    pub log: MatchLog,
    /// The cores that it may run on; all if there are none.
    pub cores: Vec<usize>,
    /// Raised when the match is to be broken off.
    pub stop: Arc<AtomicBool>,
}

/// An engine's name and number, and the log.
#[derive(Clone)]
struct Diary {
    name: String,
    id: u32,
    log: MatchLog,
}

impl Diary {
    fn note(&self, level: Level, what: &str, text: fmt::Arguments<'_>) {
        self.log.line(level, format_args!("{what} {}[{}]: {text}", self.name, self.id));
    }
}

/// A running engine. Dropping it kills it with all it has started.
pub(super) struct EngineProcess {
    program: RunningProgram,
    answers: [Receiver<Answer>; ANSWERS.len()],
    lines: Arc<Mutex<EngineLines>>,
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Ends with standard error.
    error_reader: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
    diary: Diary,
    waits: Waits,
}

impl EngineProcess {
    /// Starts an engine.
    pub fn start(program: &Program, around: &Surroundings) -> Result<EngineProcess, EngineFault> {
        let no_start = |error: std::io::Error| {
            EngineFault::NoStart(format!("{}: {error}", program.command.display()))
        };
        let started = bound_to(&around.cores, || RunningProgram::start(program));
        let (running, Outputs { stdout, stderr }) =
            started.and_then(|started| started).map_err(no_start)?;
        let diary = Diary { name: around.name.clone(), id: running.id(), log: around.log.clone() };
        let command = program.command.display();
        diary.note(Level::Info, "start of", format_args!("{command} {:?}", program.arguments));
        let queues = ANSWERS.map(|_| mpsc::sync_channel(WAITING_LINES));
        let senders = queues.each_ref().map(|(sender, _)| sender.clone());
        let answers = queues.map(|(_, answers)| answers);
        let lines = Arc::new(Mutex::new(EngineLines::default()));
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let listener = Listener { senders, lines: Arc::clone(&lines), diary: diary.clone() };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        if let Some(stdout) = stdout {
            thread("engine output").spawn(move || listener.listen(stdout)).map_err(no_start)?;
        }
        let error_reader = match stderr {
            None => None,
            Some(stderr) => {
                let (kept, diary) = (Arc::clone(&errors), diary.clone());
                let read = move || keep_errors(stderr, &kept, &diary);
                Some(thread("engine errors").spawn(read).map_err(no_start)?)
            }
        };
        let stop = Arc::clone(&around.stop);
        let waits = Waits::default();
        Ok(EngineProcess {
            program: running,
            answers,
            lines,
            errors,
            error_reader,
            stop,
            diary,
            waits,
        })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        self.diary.note(Level::Debug, "to", format_args!("{line}"));
        self.program.send(line).map_err(|error| match error.kind() {
            std::io::ErrorKind::TimedOut => EngineFault::Deaf,
            _ => self.has_crashed(),
        })
    }

    /// Forgets all answers, and what was reported of the search.
    pub fn forget(&mut self) {
        for answers in &self.answers {
            // No more than were there: a flood brings others at once.
            let waiting = answers.try_iter().take(WAITING_LINES).count();
            if waiting > 0 {
                self.diary.note(Level::Debug, "unasked by", format_args!("{waiting} answers"));
            }
        }
        self.lines().forget_search();
    }

    /// How long it has waited for cores since this was last asked, if the system
    /// tells.
    pub fn waited(&mut self) -> Option<Duration> {
        self.waits.longest(self.program.id())
    }

    /// What it has said besides answers.
    pub fn lines(&self) -> MutexGuard<'_, EngineLines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next answer that begins with this word; `late` is the fault of an
    /// engine that does not give it until `latest`.
    pub fn wait_for(
        &mut self,
        word: &str,
        latest: Instant,
        late: EngineFault,
    ) -> Result<Answer, EngineFault> {
        let Some(queue) = ANSWERS.iter().position(|&answer| answer == word) else {
            return Err(late);
        };
        // Something the engine started may still hold its output open.
        let mut last_words = None;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(EngineFault::Aborted);
            }
            let now = Instant::now();
            let until = last_words.map_or(latest, |end| latest.min(end));
            let left = until.saturating_duration_since(now);
            match self.answers[queue].recv_timeout(left.min(LOOK)) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => return Err(self.has_crashed()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(if last_words.is_some_and(|end| end < latest) {
                        self.has_crashed()
                    } else {
                        late
                    });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if last_words.is_none() && self.program.status().is_some() {
                last_words = Some(now + LAST_WORDS);
            }
        }
    }

    /// The fault of an engine that is not there any more, with what it wrote
    /// before it ended.
    fn has_crashed(&mut self) -> EngineFault {
        let latest = Instant::now() + LAST_WORDS;
        let is_read =
            |reader: &Option<JoinHandle<()>>| reader.as_ref().is_none_or(JoinHandle::is_finished);
        while Instant::now() < latest
            && (self.program.status().is_none() || !is_read(&self.error_reader))
        {
            std::thread::sleep(LAST_LOOK);
        }
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        EngineFault::Crashed(LastWords {
            status: self.program.status().map(|status| status.to_string()),
            errors: errors.iter().cloned().collect(),
        })
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub fn quit(self) {
        self.diary.note(Level::Debug, "to", format_args!("quit"));
        self.program.quit();
    }
}

/// Where the lines of an engine go.
struct Listener {
    senders: [SyncSender<Answer>; ANSWERS.len()],
    lines: Arc<Mutex<EngineLines>>,
    diary: Diary,
}

impl Listener {
    fn listen(&self, output: impl Read) {
        each_line(output, |text, arrived| self.on_line(text, arrived));
        self.diary.note(Level::Info, "end of output of", format_args!("it is closed"));
    }

    fn on_line(&self, text: &str, arrived: Instant) -> ControlFlow<()> {
        let is_search = text.starts_with("info ") && !text.starts_with("info string");
        let level = if is_search { Level::Trace } else { Level::Debug };
        // First, so that the log keeps the order of question and answer.
        self.diary.note(level, "from", format_args!("{text}"));
        if let Some(sender) = queue_of(text).and_then(|queue| self.senders.get(queue)) {
            let answer = Answer { text: text.to_owned(), arrived };
            if let Err(TrySendError::Disconnected(_)) = sender.try_send(answer) {
                return ControlFlow::Break(());
            }
        } else {
            self.lines.lock().unwrap_or_else(PoisonError::into_inner).add(text);
        }
        ControlFlow::Continue(())
    }
}

fn queue_of(text: &str) -> Option<usize> {
    let word = text.split_ascii_whitespace().next()?;
    ANSWERS.iter().position(|&answer| answer == word)
}

/// Reads standard error to its end, so that it never blocks the engine, and
/// keeps the last lines.
fn keep_errors(stderr: impl Read, kept: &Mutex<VecDeque<String>>, diary: &Diary) {
    each_line(stderr, |text, _| {
        diary.note(Level::Warn, "standard error of", format_args!("{text}"));
        if !text.is_empty() {
            let text = in_one_line(text).chars().take(KEPT_LETTERS).collect();
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == KEPT_ERRORS {
                kept.pop_front();
            }
            kept.push_back(text);
        }
        ControlFlow::Continue(())
    });
}
