//! Lines to a program.

use std::io::{self, ErrorKind, Write};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::{LOG_TARGET, SessionError};

/// Where the lines of a conversation go.
pub struct Output {
    writer: Box<dyn Write + Send>,
    /// Blocks until the reader has closed the output. Returns `false` where the system
    /// cannot report that.
    wait_until_closed: Option<fn() -> bool>,
}

impl Output {
    /// To a writer: a buffer, a socket, a window. A closed output is only noticed with the
    /// next line.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Box::new(writer), wait_until_closed: None }
    }

    /// To standard output. A conversation ends once that is closed, as when the GUI has
    /// died but another process keeps the input open: an idle engine writes nothing, so a
    /// failed write would not reveal it.
    pub fn stdout() -> Output {
        Output { writer: Box::new(io::stdout()), wait_until_closed: Some(wait_until_closed) }
    }
}

/// The lines to a program, shared by the threads that write them. Each text is
/// written and flushed as one piece.
///
/// Once a write fails the output is lost: nothing more is written, and the conversation
/// ends.
#[derive(Clone)]
pub(super) struct OutputLines(Arc<Shared>);

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    /// Why nothing can be written any more.
    lost: Mutex<Option<io::Error>>,
    on_loss: Box<dyn Fn() + Send + Sync>,
}

impl OutputLines {
    /// Lines to this output. `on_loss` is called once, by the thread that finds
    /// the output lost.
    pub fn open(output: Output, on_loss: impl Fn() + Send + Sync + 'static) -> OutputLines {
        let lines = OutputLines(Arc::new(Shared {
            writer: Mutex::new(output.writer),
            lost: Mutex::new(None),
            on_loss: Box::new(on_loss),
        }));
        if let Some(wait_until_closed) = output.wait_until_closed {
            lines.watch(wait_until_closed);
        }
        lines
    }

    fn watch(&self, wait_until_closed: fn() -> bool) {
        let lines = self.clone();
        let started =
            std::thread::Builder::new().name("output watch".to_owned()).spawn(move || {
                if wait_until_closed() {
                    lines.lose(ErrorKind::BrokenPipe.into());
                }
            });
        if let Err(error) = started {
            log::warn!("the output is not watched: {error}");
        }
    }

    /// Writes one or more whole lines, unless the output is lost.
    pub fn line(&self, text: &str) {
        self.last_line(text, || {});
    }

    /// The same for the last lines of a task, whose end is announced first: whoever has
    /// read them finds the task ended, and nothing is written between the two.
    pub fn last_line(&self, text: &str, announce_end: impl FnOnce()) {
        let writer = self.0.writer.lock();
        announce_end();
        if self.is_lost() {
            return;
        }
        for line in text.lines() {
            log::trace!(target: LOG_TARGET, "<< {line}");
        }
        if let Err(error) = write(writer, text) {
            self.lose(error);
        }
    }

    fn lose(&self, error: io::Error) {
        let mut lost = self.0.lost.lock();
        if lost.is_none() {
            log::info!("the output is closed: {error}");
            *lost = Some(error);
            drop(lost);
            (self.0.on_loss)();
        }
    }

    /// Whether nothing can be written any more.
    pub fn is_lost(&self) -> bool {
        self.0.lost.lock().is_some()
    }

    /// The state of the output. A closed output is no error: the conversation has ended.
    pub fn result(&self) -> Result<(), SessionError> {
        match self.0.lost.lock().take() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(SessionError::OutputLost(error))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a text and the end of its line as one piece.
fn write(mut writer: MutexGuard<'_, Box<dyn Write + Send>>, text: &str) -> io::Result<()> {
    writer.write_all(text.as_bytes())?;
    writer.write_all(b"\n")?;
    writer.flush()
}

/// Blocks until the reader has closed standard output; `false` if the system cannot report
/// that.
#[cfg(unix)]
pub fn wait_until_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let output = rustix::stdio::stdout();
    // A broken pipe and a line hung up are reported without being asked for.
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

/// Elsewhere a closed output is noticed with the next line written.
#[cfg(not(unix))]
pub fn wait_until_closed() -> bool {
    false
}
