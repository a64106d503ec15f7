//! A game on a full terminal screen: a board for the mouse, an input line, and a side panel. `App`
//! holds the state and handles keys and clicks; `view` draws it without changing it; only
//! `real_terminal` touches the terminal.

mod app;
mod layout;
mod real_terminal;
#[cfg(test)]
mod tests;
mod view;

use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use self::app::App;
pub(super) use self::layout::Theme;
use self::real_terminal::{RealTerminal, TerminalEvents};
use super::session::Session;

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
