//! A game on the screen of a terminal: the board for the mouse, a line to type in, and a
//! panel beside.
//!
//! `App` knows what is on the screen and what keys and clicks mean; `view` draws it and
//! changes nothing; `real_terminal` alone touches the terminal.

mod app;
mod board_view;
mod dialog;
mod input_line;
mod key_bar;
mod layout;
mod marks;
mod page;
mod panel_view;
mod real_terminal;
mod theme;
mod view;

#[cfg(test)]
mod tests;

use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::crossterm::event;

use self::app::App;
use self::real_terminal::RealTerminal;
pub(super) use self::theme::Theme;
use super::session::Session;

/// How often one looks whether the engine has found something; keys are seen at once.
const PAUSE: Duration = Duration::from_millis(50);

/// Plays until the person leaves or `stop` is raised.
///
/// # Errors
/// When the terminal cannot be used.
pub(super) fn run(session: Session, theme: Theme, stop: &AtomicBool) -> anyhow::Result<()> {
    let mut app = App::new(session, theme);
    let result = RealTerminal::open()
        .map_err(Into::into)
        .and_then(|mut terminal| show(&mut app, &mut terminal, stop));
    // The terminal is as it was before. Whatever happened, no game is lost.
    if let Some(words) = app.into_parting_words() {
        writeln!(stdout(), "{words}")?;
    }
    result
}

fn show(app: &mut App, terminal: &mut RealTerminal, stop: &AtomicBool) -> anyhow::Result<()> {
    app.begin();
    while !app.has_left() && !stop.load(Ordering::Relaxed) {
        app.look();
        terminal.draw(app)?;
        if event::poll(PAUSE)? {
            app.take(event::read()?, terminal.size()?);
            // What comes fast is drawn once.
            while !app.has_left() && event::poll(Duration::ZERO)? {
                app.take(event::read()?, terminal.size()?);
            }
        }
    }
    Ok(())
}
