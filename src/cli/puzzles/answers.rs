//! What the person types, until the end of input or Ctrl-C.

use std::io::{self, BufReader, IsTerminal, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use qirkat_protocol::Input;

/// Lines that are read ahead.
const LINES_AHEAD: usize = 16;
/// How often Ctrl-C is looked for while nothing is typed.
const PATIENCE: Duration = Duration::from_millis(50);

/// The lines of standard input. They are read on a thread of their own, since a thread
/// that waits for input does not see Ctrl-C.
pub(super) struct Answers {
    lines: Receiver<Input>,
    stop: Arc<AtomicBool>,
    is_terminal: bool,
}

impl Answers {
    /// Begins to read. `stop` ends it.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn read(stop: Arc<AtomicBool>) -> io::Result<Answers> {
        let (send, lines) = sync_channel(LINES_AHEAD);
        Input::read_in_background(BufReader::new(stdin()), move |input| send.send(input).is_ok())?;
        Ok(Answers { lines, stop, is_terminal: stdin().is_terminal() })
    }

    /// Whether a person types.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// The next line, asked for by a prompt on a terminal; none at the end.
    ///
    /// # Errors
    /// When the prompt cannot be written.
    pub fn next(&self, prompt: &str) -> io::Result<Option<String>> {
        let mut out = stdout().lock();
        if self.is_terminal {
            write!(out, "{prompt}")?;
        }
        out.flush()?;
        while !self.stop.load(Ordering::Relaxed) {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(Input::Line(line)) => return Ok(Some(line)),
                // Nothing that anybody could mean.
                Ok(Input::TooLong) => return Ok(Some("...".to_owned())),
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        if self.is_terminal {
            writeln!(out)?;
        }
        Ok(None)
    }
}
