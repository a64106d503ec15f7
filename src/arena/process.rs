//! An engine as a running program: its answers, each when it is waited for,
//! and the latest it told of its search.

use std::io::Read;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::player::Fault;
use super::search_info::{InfoLine, SearchInfo};
use crate::program::{Outputs, Program, RunningProgram, each_line};

/// Whether an engine can be started at all.
///
/// # Errors
/// When it cannot.
pub fn check(program: &Program) -> Result<(), Fault> {
    EngineProcess::start(program).map(EngineProcess::quit)
}

/// The words that answers begin with. Each has a queue of its own, so that
/// none of them gets lost in a flood of the others.
const ANSWERS: [&str; 3] = ["uciok", "readyok", "bestmove"];
/// Answers of a kind that may wait to be read. What comes beyond is thrown
/// away, so that an engine that floods its output blocks nobody.
const WAITING_LINES: usize = 16;
/// How long lines of an engine that has ended may still be on their way.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Time between two looks at the stop flag while waiting.
const LOOK: Duration = Duration::from_millis(20);

/// A line that answers something, with the moment it arrived.
pub(super) struct Answer {
    pub text: String,
    pub arrived: Instant,
}

/// A running engine. Dropping it kills it with all it has started.
pub(super) struct EngineProcess {
    program: RunningProgram,
    answers: [Receiver<Answer>; ANSWERS.len()],
    info: Arc<Mutex<SearchInfo>>,
}

impl EngineProcess {
    /// Starts an engine.
    pub fn start(program: &Program) -> Result<EngineProcess, Fault> {
        let no_start = |error: std::io::Error| {
            Fault::NoStart(format!("{}: {error}", program.command.display()))
        };
        let (running, Outputs { stdout, stderr }) =
            RunningProgram::start(program).map_err(no_start)?;
        let queues = ANSWERS.map(|_| mpsc::sync_channel(WAITING_LINES));
        let senders = queues.each_ref().map(|(sender, _)| sender.clone());
        let answers = queues.map(|(_, answers)| answers);
        let info = Arc::new(Mutex::new(SearchInfo::default()));
        let listener = Listener { senders, info: Arc::clone(&info) };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        if let Some(stdout) = stdout {
            thread("engine output").spawn(move || listener.listen(stdout)).map_err(no_start)?;
        }
        if let Some(stderr) = stderr {
            thread("engine errors")
                .spawn(move || each_line(stderr, |_, _| ControlFlow::Continue(())))
                .map_err(no_start)?;
        }
        Ok(EngineProcess { program: running, answers, info })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.program.send(line).map_err(|_| Fault::Crashed)
    }

    /// Forgets what was said so far.
    pub fn forget(&mut self) {
        for answers in &self.answers {
            // No more than were there: a flood brings others at once.
            let waiting = answers.try_iter().take(WAITING_LINES).count();
            log::trace!("{waiting} answers came unasked");
        }
        self.info.lock().unwrap_or_else(PoisonError::into_inner).forget();
    }

    /// What was last said of the position.
    pub fn last_info(&self) -> SearchInfo {
        self.info.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The next answer that begins with this word; `late` is the fault of an
    /// engine that does not give it until `latest`.
    pub fn wait_for(
        &mut self,
        word: &str,
        latest: Instant,
        late: Fault,
        stop: &AtomicBool,
    ) -> Result<Answer, Fault> {
        let Some(queue) = ANSWERS.iter().position(|&answer| answer == word) else {
            return Err(late);
        };
        let mut latest = latest;
        let mut late = late;
        let mut has_ended = false;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Fault::BrokenOff);
            }
            let left = latest.saturating_duration_since(Instant::now());
            match self.answers[queue].recv_timeout(left.min(LOOK)) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crashed),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(late),
                // Something the engine started may still hold its output open.
                Err(RecvTimeoutError::Timeout) if !has_ended && self.program.status().is_some() => {
                    has_ended = true;
                    let last_words = Instant::now() + LAST_WORDS;
                    if last_words < latest {
                        (latest, late) = (last_words, Fault::Crashed);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub fn quit(self) {
        self.program.quit();
    }
}

/// Where the lines of an engine go.
struct Listener {
    senders: [SyncSender<Answer>; ANSWERS.len()],
    info: Arc<Mutex<SearchInfo>>,
}

impl Listener {
    fn listen(&self, output: impl Read) {
        each_line(output, |text, arrived| self.take(text, arrived));
    }

    fn take(&self, text: &str, arrived: Instant) -> ControlFlow<()> {
        if let Some(rest) = text.strip_prefix("info ") {
            let line = InfoLine::read(rest);
            self.info.lock().unwrap_or_else(PoisonError::into_inner).note(&line);
        } else if let Some(sender) = queue_of(text).and_then(|queue| self.senders.get(queue)) {
            let answer = Answer { text: text.to_owned(), arrived };
            if let Err(TrySendError::Disconnected(_)) = sender.try_send(answer) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

fn queue_of(text: &str) -> Option<usize> {
    let word = text.split_ascii_whitespace().next()?;
    ANSWERS.iter().position(|&answer| answer == word)
}
