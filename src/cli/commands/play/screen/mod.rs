//! A game on a full terminal screen: a board for the mouse, an input line, and a side panel. `App`
//! holds the state and handles keys and clicks; `view` draws it without changing it. Only this file
//! touches the terminal: its setup, its restoration whatever happens, and its events.

mod app;
mod layout;
#[cfg(test)]
#[cfg(unix)]
mod panic_tests;
#[cfg(test)]
mod tests;
mod view;

use std::io::{self, Stdout, Write, stdout};
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};
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

use self::app::App;
pub(super) use self::layout::Theme;
use super::session::Session;
use qirkat_engine::protocol::wait_until_closed;

/// Polling interval for the engine's results; keys are handled at once.
const PAUSE: Duration = Duration::from_millis(50);

/// Plays until the user quits or `stop` is set.
pub(crate) fn run(session: Session, theme: Theme, stop: &AtomicBool) -> anyhow::Result<()> {
    let mut app = App::new(session, theme);
    let result = RealTerminal::open()
        .map_err(Into::into)
        .and_then(|mut terminal| show(&mut app, &mut terminal, stop));
    // The terminal is restored. Never lose the game, even after an error.
    if let Some(message) = app.session.save_unsaved() {
        writeln!(stdout(), "{message}")?;
    }
    result
}

fn show(app: &mut App, terminal: &mut RealTerminal, stop: &AtomicBool) -> anyhow::Result<()> {
    let events = TerminalEvents::listen();
    app.start();
    while !app.has_left && !stop.load(Ordering::Relaxed) {
        app.poll();
        terminal.draw(app)?;
        let mut wait = PAUSE;
        while !app.has_left
            && let Some(event) = events.next(wait)?
        {
            app.take(event, terminal.size()?);
            // Events in quick succession are drawn once.
            wait = Duration::ZERO;
        }
    }
    Ok(())
}

struct RealTerminal {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    _restored: RestoreOnDrop,
}

struct RestoreOnDrop;

impl RealTerminal {
    /// Sets up the terminal. A panic of this thread restores it before its message is printed;
    /// those of other threads are reported when the screen is left.
    fn open() -> io::Result<RealTerminal> {
        static HOOK: Once = Once::new();
        *shown() = Some(ShownScreen { by: thread::current().id(), panics: Vec::new() });
        HOOK.call_once(|| {
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                if handle_panic(panic) {
                    report(panic);
                }
            }));
        });
        let restored = RestoreOnDrop;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        // Optional, and not supported by every terminal.
        let _ = execute!(stdout(), EnableBracketedPaste);
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(RealTerminal { terminal, _restored: restored })
    }

    fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if std::mem::take(&mut app.must_redraw) {
            self.terminal.clear()?;
        }
        self.terminal.draw(|frame| view::draw(frame, app))?;
        Ok(())
    }

    fn size(&self) -> io::Result<Rect> {
        let size = self.terminal.size()?;
        Ok(Rect::new(0, 0, size.width, size.height))
    }
}

impl Drop for RestoreOnDrop {
    fn drop(&mut self) {
        restore();
        for text in shown().take().map_or_else(Vec::new, |shown| shown.panics) {
            eprintln!("{text}");
        }
    }
}

/// Restores the terminal. An error here could not be shown anywhere.
fn restore() {
    let _ = execute!(stdout(), DisableBracketedPaste);
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Terminal events, read on a separate thread: when the terminal goes away, crossterm reads end of
/// input forever and does not return.
struct TerminalEvents(Receiver<io::Result<Event>>);

impl TerminalEvents {
    fn listen() -> TerminalEvents {
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

    fn next(&self, wait: Duration) -> io::Result<Option<Event>> {
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
    /// The messages of other threads that have panicked.
    panics: Vec<String>,
}

static SHOWN: Mutex<Option<ShownScreen>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ShownScreen>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Restores the terminal if the screen ends with this panic, and otherwise saves its message.
/// Returns whether to report it now.
fn handle_panic(panic: &PanicHookInfo<'_>) -> bool {
    let mut shown = shown();
    let Some(screen) = shown.as_mut() else { return true };
    if screen.by == thread::current().id() {
        restore();
        return true;
    }
    let name = thread::current().name().unwrap_or("?").to_owned();
    screen.panics.push(format!("thread '{name}' {panic}"));
    false
}
