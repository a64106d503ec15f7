//! Input and output of a session. Lines of input arrive as events.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use parking_lot::Mutex;
use thiserror::Error;

use qirkat_search::ResourceError;
use qirkat_system::output_file::open_exclusive;

/// The log target for lines, as documented in the guide.
const LOG_TARGET: &str = "qirkat::protocol";

/// The UCI option that names a file to which all lines are added.
pub(super) const LOG_OPTION: &str = "Debug Log File";

/// How the lines of the log begin.
const READ_PREFIX: &str = ">> ";
const WRITTEN_PREFIX: &str = "<< ";

/// Why a session could not start, or ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    #[error(transparent)]
    Resources(#[from] ResourceError),
    #[error("cannot start the input thread: {0}")]
    InputThread(io::Error),
    /// Writing failed, for another reason than a closed output.
    #[error("nothing can be written: {0}")]
    OutputLost(io::Error),
}

pub(super) enum Event {
    Input(Input),
    /// The background task with this number has ended.
    Ended(u64),
    OutputLost,
}

pub(super) struct Connection {
    pub output: OutputLines,
    events: Receiver<Event>,
    sender: Sender<Event>,
    first: Option<Event>,
}

impl Connection {
    /// Starts reading the input, on its own thread.
    pub fn open(
        input: impl BufRead + Send + 'static,
        output: Output,
    ) -> Result<Connection, SessionError> {
        let (sender, events) = mpsc::channel();
        let output = OutputLines::open(output, sender.clone());
        let inputs = sender.clone();
        Input::read_in_background(input, move |input| inputs.send(Event::Input(input)).is_ok())
            .map_err(SessionError::InputThread)?;
        Ok(Connection { output, events, sender, first: None })
    }

    /// The sender by which background tasks report their end.
    pub fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// Peeks at the first event that is not an empty line.
    pub fn first_event(&mut self) -> &Event {
        let mut event = self.next_event();
        while matches!(&event, Event::Input(Input::Line(line)) if line.trim().is_empty()) {
            event = self.next_event();
        }
        self.first.insert(event)
    }

    /// Waits for the next event. A lost output precedes all others.
    pub fn next_event(&mut self) -> Event {
        if let Some(event) = self.first.take() {
            return event;
        }
        if self.output.is_lost() {
            return Event::OutputLost;
        }
        // The connection itself always holds a sender.
        self.logged(self.events.recv().unwrap_or(Event::OutputLost))
    }

    pub fn next_event_within(&mut self, timeout: Duration) -> Option<Event> {
        if self.output.is_lost() {
            return Some(Event::OutputLost);
        }
        self.events.recv_timeout(timeout).ok().map(|event| self.logged(event))
    }

    /// The event, after its line is in the log.
    fn logged(&self, event: Event) -> Event {
        if let Event::Input(Input::Line(line)) = &event
            && let Some(notice) = self.output.log_lines(READ_PREFIX, line)
        {
            self.output.line(&notice);
        }
        event
    }
}

/// The longest line accepted: a game of more than a million plies.
const LONGEST_LINE: usize = 16 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line without its line break. Bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line too long to be read, which was skipped.
    TooLong,
    End,
}

impl Input {
    /// The next input. A read error counts as the end.
    pub fn next(source: &mut impl BufRead) -> Input {
        let input = read_line(source).unwrap_or_else(|error| {
            log::error!("input cannot be read: {error}");
            Input::End
        });
        match &input {
            Input::Line(line) => {
                log::trace!(target: LOG_TARGET, "{READ_PREFIX}{}", line.escape_debug())
            }
            Input::TooLong => log::warn!(">> a line of more than {LONGEST_LINE} bytes"),
            Input::End => log::debug!(">> the end of input"),
        }
        input
    }

    /// Passes all input to `send` on its own thread, until the input ends or `send` returns false
    /// because the receiver is gone.
    pub fn read_in_background(
        mut source: impl BufRead + Send + 'static,
        mut send: impl FnMut(Input) -> bool + Send + 'static,
    ) -> io::Result<()> {
        let read = move || {
            loop {
                let input = Input::next(&mut source);
                let ended = input == Input::End;
                if !send(input) || ended {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
    }
}

fn read_line(input: &mut impl BufRead) -> io::Result<Input> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Input::End);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > LONGEST_LINE {
        input.skip_until(b'\n')?;
        return Ok(Input::TooLong);
    }
    Ok(Input::Line(String::from_utf8_lossy(&bytes).into_owned()))
}

pub struct Output {
    writer: Box<dyn Write + Send>,
    /// Whether [`wait_until_closed`] applies to this output.
    is_stdout: bool,
}

impl Output {
    /// Output to a writer. A closed writer is only detected at the next write.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Box::new(writer), is_stdout: false }
    }

    /// Output to standard output. The session ends when it is closed, even if the engine is idle
    /// and another process keeps the input open after the GUI has died.
    pub fn stdout() -> Output {
        Output { writer: Box::new(io::stdout()), is_stdout: true }
    }
}

/// The output, shared by threads. Each text is written and flushed as a unit. Once a write fails the
/// output is lost: nothing more is written, and the session ends.
#[derive(Clone)]
pub(super) struct OutputLines {
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    /// The file of the option `Debug Log File`.
    log: Arc<Mutex<Option<File>>>,
    lost: Arc<Mutex<Option<io::Error>>>,
    events: Sender<Event>,
}

impl OutputLines {
    /// Watches standard output; its loss is reported once, as an event.
    fn open(output: Output, events: Sender<Event>) -> OutputLines {
        let writer = Arc::new(Mutex::new(output.writer));
        let lines = OutputLines { writer, log: Arc::default(), lost: Arc::default(), events };
        if output.is_stdout {
            let watched = lines.clone();
            let watch = move || {
                if wait_until_closed() {
                    watched.lose(ErrorKind::BrokenPipe.into());
                }
            };
            let thread = std::thread::Builder::new().name("output watch".to_owned());
            if let Err(error) = thread.spawn(watch) {
                log::warn!("the output is not watched: {error}");
            }
        }
        lines
    }

    /// Logs all further input and output to this file: new, empty or an earlier log. An empty path
    /// ends logging.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        // The current log ends even if this fails.
        self.log.lock().take();
        if path.is_empty() {
            return Ok(());
        }
        if Path::new(path).metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let options = &mut OpenOptions::new();
        let file = open_exclusive(path.as_ref(), options.create(true).read(true).append(true))?;
        let mut start = Vec::new();
        (&file).take(READ_PREFIX.len() as u64).read_to_end(&mut start)?;
        if !["", READ_PREFIX, WRITTEN_PREFIX].iter().any(|known| known.as_bytes() == start) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a log of Qirkat"));
        }
        *self.log.lock() = Some(file);
        Ok(())
    }

    /// Logs lines with this prefix. If that fails, logging ends; returns an `info string` that says
    /// so.
    fn log_lines(&self, prefix: &str, text: &str) -> Option<String> {
        let mut log = self.log.lock();
        let file = log.as_mut()?;
        let lines: String = text.lines().map(|line| format!("{prefix}{line}\n")).collect();
        let error = file.write_all(lines.as_bytes()).err()?;
        *log = None;
        Some(format!("info string error: option {LOG_OPTION}: {error}; nothing more is logged"))
    }

    /// Writes one or more whole lines, unless the output is lost.
    pub fn line(&self, text: &str) {
        self.last_line(text, || {});
    }

    /// The same for the last lines of a task. `announce_end` is called before, with the output
    /// locked, so that the task has ended for whoever reads these lines.
    pub fn last_line(&self, text: &str, announce_end: impl FnOnce()) {
        let mut writer = self.writer.lock();
        announce_end();
        if self.is_lost() {
            return;
        }
        for line in text.lines() {
            log::trace!(target: LOG_TARGET, "{WRITTEN_PREFIX}{line}");
        }
        let notice = self.log_lines(WRITTEN_PREFIX, text).map_or(String::new(), |it| it + "\n");
        let mut write = || {
            writer.write_all(format!("{text}\n{notice}").as_bytes())?;
            writer.flush()
        };
        if let Err(error) = write() {
            self.lose(error);
        }
    }

    fn lose(&self, error: io::Error) {
        let mut lost = self.lost.lock();
        if lost.is_none() {
            log::info!("the output is closed: {error}");
            *lost = Some(error);
            drop(lost);
            if self.events.send(Event::OutputLost).is_err() {
                log::debug!("the session ended before the output was closed");
            }
        }
    }

    pub fn is_lost(&self) -> bool {
        self.lost.lock().is_some()
    }

    /// The error by which the output was lost. A closed output is no error.
    pub fn result(&self) -> Result<(), SessionError> {
        match self.lost.lock().take() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(SessionError::OutputLost(error))
            }
            _ => Ok(()),
        }
    }
}

/// Blocks until the reader has closed standard output; `false` if the system cannot report that.
#[cfg(unix)]
pub fn wait_until_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let output = rustix::stdio::stdout();
    // A broken pipe and a hang-up are reported without being requested.
    let mut watched = [PollFd::new(&output, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Ok(_) => return watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP),
            Err(Errno::INTR) => {}
            Err(error) => {
                log::debug!("the output cannot be watched: {error}");
                return false;
            }
        }
    }
}

/// Elsewhere a closed output is only detected at the next write.
#[cfg(not(unix))]
pub fn wait_until_closed() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_line_ends_are_accepted() {
        let mut input: &[u8] = b"uci\r\n\n\xFF\x00go\nquit";
        let line = |text: &str| Input::Line(text.to_owned());
        for expected in [line("uci\r"), line(""), line("\u{FFFD}\0go"), line("quit"), Input::End] {
            assert_eq!(Input::next(&mut input), expected);
        }
    }

    #[test]
    fn overlong_lines_are_skipped() {
        let mut bytes = vec![b'x'; LONGEST_LINE + 1];
        bytes.extend_from_slice(b"\nuci\n");
        let mut input = bytes.as_slice();
        for expected in [Input::TooLong, Input::Line("uci".to_owned()), Input::End] {
            assert_eq!(Input::next(&mut input), expected);
        }
    }
}
