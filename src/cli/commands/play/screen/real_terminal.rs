//! The terminal itself: its setup, its restoration whatever happens, and its events.

use std::io::{self, Stdout, stdout};
use std::panic::PanicHookInfo;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;

use super::app::App;
use super::view;
use qirkat_engine::protocol::wait_until_closed;

pub(crate) struct RealTerminal {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    _given_back: RestoredTerminal,
}

struct RestoredTerminal;

impl RealTerminal {
    /// Sets up the terminal. A panic restores it before printing its message.
    pub fn open() -> io::Result<RealTerminal> {
        catch_panics(give_back);
        let given_back = RestoredTerminal;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        // Optional, and not supported by every terminal.
        let _ = execute!(stdout(), EnableBracketedPaste);
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(RealTerminal { terminal, _given_back: given_back })
    }

    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if app.take_redraw_flag() {
            self.terminal.clear()?;
        }
        self.terminal.draw(|frame| view::draw(frame, app))?;
        Ok(())
    }

    pub fn size(&self) -> io::Result<Rect> {
        let size = self.terminal.size()?;
        Ok(Rect::new(0, 0, size.width, size.height))
    }
}

impl Drop for RestoredTerminal {
    fn drop(&mut self) {
        give_back();
        tell_panics();
    }
}

/// Restores the terminal. An error here could not be shown anywhere.
fn give_back() {
    let _ = execute!(stdout(), DisableBracketedPaste);
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Terminal events, read on a separate thread: when the terminal goes away, crossterm reads end of
/// input forever and does not return.
pub(crate) struct TerminalEvents(Receiver<io::Result<Event>>);

impl TerminalEvents {
    pub fn listen() -> TerminalEvents {
        let (sender, receiver) = mpsc::channel();
        let ending = sender.clone();
        thread::spawn(move || {
            if wait_until_closed() {
                let gone = io::Error::new(io::ErrorKind::BrokenPipe, "the terminal is gone");
                // The receiver may be gone.
                let _ = ending.send(Err(gone));
            }
        });
        thread::spawn(move || {
            loop {
                let event = event::read();
                let is_last = event.is_err();
                if sender.send(event).is_err() || is_last {
                    return;
                }
            }
        });
        TerminalEvents(receiver)
    }

    pub fn next(&self, wait: Duration) -> io::Result<Option<Event>> {
        match self.0.recv_timeout(wait) {
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

struct ShownScreen {
    /// The drawing thread. If it panics, the screen ends.
    by: ThreadId,
    give_back: fn(),
    pending_write_error: Vec<String>,
}

static SHOWN: Mutex<Option<ShownScreen>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ShownScreen>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Marks the calling thread as showing a screen. If it panics, the terminal is restored before the
/// message is printed; panics of other threads are reported by [`tell_panics`].
fn catch_panics(give_back: fn()) {
    *shown() = Some(ShownScreen {
        by: thread::current().id(),
        give_back,
        pending_write_error: Vec::new(),
    });
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if should_report_now(panic) {
                tell(panic);
            }
        }));
    });
}

/// Reports postponed panics after the terminal was restored.
fn tell_panics() {
    let pending_write_error =
        shown().take().map_or_else(Vec::new, |shown| shown.pending_write_error);
    for text in pending_write_error {
        eprintln!("{text}");
    }
}

/// Whether to report a panic at once. Restores the terminal if the screen ends with it.
fn should_report_now(panic: &PanicHookInfo<'_>) -> bool {
    let mut shown = shown();
    match shown.as_mut() {
        Some(screen) if screen.by != thread::current().id() => {
            let name = thread::current().name().unwrap_or("?").to_owned();
            screen.pending_write_error.push(format!("thread '{name}' {panic}"));
            false
        }
        Some(screen) => {
            (screen.give_back)();
            true
        }
        None => true,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
