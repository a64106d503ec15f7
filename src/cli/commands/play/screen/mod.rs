//! A game on the screen of a terminal: the board for the mouse, a line to type in, and a
//! panel beside.
//!
//! `App` knows what is on the screen and what keys and clicks mean; `view` draws it and
//! changes nothing; `real_terminal` alone touches the terminal.

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

/// How often one looks whether the engine has found something; keys are seen at once.
const PAUSE: Duration = Duration::from_millis(50);

/// Plays until the person leaves or `stop` is raised.
pub(crate) fn run(session: Session, theme: Theme, stop: &AtomicBool) -> anyhow::Result<()> {
    let mut app = App::new(session, theme);
    let result = RealTerminal::open()
        .map_err(Into::into)
        .and_then(|mut terminal| show(&mut app, &mut terminal, stop));
    // The terminal is as it was before. Whatever happened, no game is lost.
    if let Some(message) = app.exit_message() {
        writeln!(stdout(), "{message}")?;
    }
    result
}

fn show(app: &mut App, terminal: &mut RealTerminal, stop: &AtomicBool) -> anyhow::Result<()> {
    let events = TerminalEvents::listen();
    app.begin();
    while !app.has_left && !stop.load(Ordering::Relaxed) {
        app.look();
        terminal.draw(app)?;
        let mut wait = PAUSE;
        while !app.has_left
            && let Some(event) = events.next(wait)?
        {
            app.take(event, terminal.size()?);
            // What comes fast is drawn once.
            wait = Duration::ZERO;
        }
    }
    Ok(())
}
