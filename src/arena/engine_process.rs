//! An engine process: its lines in and out, and waiting with timeouts.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use qirkat_game::text::{one_line, push};
use qirkat_system::program::{Program, RunningProgram, each_line};

use crate::machine::bound_to;

/// Lines that may wait to be read. An engine that floods its output blocks beyond that.
const WAITING_LINES: usize = 4096;
/// Bytes of a line kept until it is read: a PV of more than a thousand moves.
const LONGEST_LINE: usize = 8 << 10;
/// The number of latest lines of standard error kept, and characters of each.
const MAX_ERRORS: usize = 8;
const MAX_ERROR_CHARS: usize = 300;
/// How long the last output of an exited engine may take to arrive.
pub(crate) const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(10);

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub text: String,
    pub arrived: Instant,
}

impl Line {
    pub fn begins_with(&self, word: &str) -> bool {
        self.text.split_ascii_whitespace().next() == Some(word)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineExit {
    /// Its exit status, such as `exit status: 1`; `None` if it still runs.
    pub status: Option<String>,
    /// The latest lines of its standard error.
    pub errors: Vec<String>,
}

pub(crate) enum ReadError {
    TimedOut,
    Ended(EngineExit),
    Interrupted,
}

pub(crate) enum SendError {
    TimedOut,
    Ended(EngineExit),
}

/// Is told of each line immediately: on the thread that sends it, or on the reader thread that
/// receives it.
pub(crate) trait Listener: Send + Sync + 'static {
    fn on_sent(&self, text: &str);

    /// A line arrived. Returns whether [`EngineProcess::next_line`] should return it.
    fn on_line(&self, text: &str, arrived: Instant) -> bool;

    fn on_error(&self, text: &str, arrived: Instant);

    fn on_end(&self) {}
}

/// Dropping it kills the engine and all processes it started.
pub(crate) struct EngineProcess<L> {
    pub program: RunningProgram,
    pub listener: Arc<L>,
    lines: Receiver<Line>,
    /// A line that arrived after the timeout of its wait.
    late_line: Option<Line>,
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Ends when standard error closes.
    error_reader: JoinHandle<()>,
    stop: Arc<AtomicBool>,
}

impl<L: Listener> EngineProcess<L> {
    /// Starts an engine on these cores; on all if empty. Every wait ends when `stop` is set.
    /// `listener` makes the listener from the process id.
    pub fn start(
        program: &Program,
        cores: &[usize],
        stop: &Arc<AtomicBool>,
        listener: impl FnOnce(u32) -> L,
    ) -> io::Result<EngineProcess<L>> {
        let (program, stdout, stderr) = bound_to(cores, || RunningProgram::start(program))??;
        let listener = Arc::new(listener(program.id()));
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
        let output_listener = Arc::clone(&listener);
        thread("engine output").spawn(move || {
            each_line(stdout, |text, arrived| {
                if !output_listener.on_line(text, arrived) {
                    return ControlFlow::Continue(());
                }
                let text = text[..text.floor_char_boundary(LONGEST_LINE)].to_owned();
                let sent = sender.send(Line { text, arrived });
                sent.map_or(ControlFlow::Break(()), ControlFlow::Continue)
            });
            output_listener.on_end();
        })?;
        let errors: Arc<Mutex<VecDeque<String>>> = Arc::default();
        let (error_listener, kept) = (Arc::clone(&listener), Arc::clone(&errors));
        let error_reader = thread("engine errors").spawn(move || {
            each_line(stderr, |text, arrived| {
                error_listener.on_error(text, arrived);
                if !text.is_empty() {
                    let mut kept = kept.lock();
                    if kept.len() == MAX_ERRORS {
                        kept.pop_front();
                    }
                    kept.push_back(one_line(text, MAX_ERROR_CHARS));
                }
                ControlFlow::Continue(())
            });
        })?;
        Ok(EngineProcess {
            program,
            listener,
            lines,
            late_line: None,
            errors,
            error_reader,
            stop: Arc::clone(stop),
        })
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), SendError> {
        for line in String::from_utf8_lossy(bytes).trim_end_matches('\n').split('\n') {
            self.listener.on_sent(line);
        }
        self.program.send_bytes(bytes).map_err(|error| match error.kind() {
            ErrorKind::TimedOut => SendError::TimedOut,
            _ => SendError::Ended(self.exit()),
        })
    }

    pub fn next_line(&mut self, until: Instant) -> Result<Line, ReadError> {
        // A child process of the engine may keep its output open.
        let mut drained = None;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(ReadError::Interrupted);
            }
            let left = until.saturating_duration_since(Instant::now());
            let line = match self.late_line.take() {
                Some(line) => Ok(line),
                None => self.lines.recv_timeout(left.min(POLL_INTERVAL)),
            };
            match line {
                Ok(line) if line.arrived <= until => return Ok(line),
                Ok(line) => {
                    self.late_line = Some(line);
                    return Err(ReadError::TimedOut);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ReadError::Ended(self.exit())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.program.status().is_some()
                && Instant::now() >= *drained.get_or_insert_with(|| Instant::now() + DRAIN_TIMEOUT)
            {
                return Err(ReadError::Ended(self.exit()));
            }
            if left.is_zero() {
                return Err(ReadError::TimedOut);
            }
        }
    }

    pub fn skip_lines(&mut self) -> usize {
        // Only those already queued: a flooding engine sends more at once.
        usize::from(self.late_line.take().is_some())
            + self.lines.try_iter().take(WAITING_LINES).count()
    }

    /// How the engine exited. Waits briefly for its status and last output.
    fn exit(&mut self) -> EngineExit {
        let latest = Instant::now() + DRAIN_TIMEOUT;
        while Instant::now() < latest
            && (self.program.status().is_none() || !self.error_reader.is_finished())
        {
            thread::sleep(POLL_INTERVAL);
        }
        let errors = self.errors.lock();
        EngineExit {
            status: self.program.status().map(|status| status.to_string()),
            errors: errors.iter().cloned().collect(),
        }
    }

    pub fn quit(&mut self) {
        self.listener.on_sent("quit");
        self.program.quit();
    }
}

pub(crate) fn set_option_command(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

/// The `position` command; `start` is `startpos`, or `fen` and a FEN.
pub(crate) fn position_command(
    start: &str,
    moves: impl IntoIterator<Item = impl Display>,
) -> String {
    let mut command = format!("position {start}");
    for (index, mv) in moves.into_iter().enumerate() {
        push(&mut command, format_args!("{} {mv}", if index == 0 { " moves" } else { "" }));
    }
    command
}
