//! The terminal itself: taken over for the game, and given back whatever happens.

use std::io::{self, Stdout, stdout};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;

use super::app::App;
use super::{screen_panics, view};

/// The terminal while it shows the game.
pub(super) struct RealTerminal {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    _given_back: GivenBack,
}

/// Gives the terminal back when dropped.
struct GivenBack;

impl RealTerminal {
    /// Takes the terminal over. A panic gives it back before it tells what happened.
    ///
    /// # Errors
    /// When it does not let itself be used so; it is as before then.
    pub fn open() -> io::Result<RealTerminal> {
        screen_panics::open(give_back);
        let given_back = GivenBack;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        // Not every terminal knows it, and it is not needed.
        let _ = execute!(stdout(), EnableBracketedPaste);
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(RealTerminal { terminal, _given_back: given_back })
    }

    /// Draws the game.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if app.wants_fresh_screen() {
            self.terminal.clear()?;
        }
        self.terminal.draw(|frame| view::draw(frame, app))?;
        Ok(())
    }

    /// The area that is drawn in.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn size(&self) -> io::Result<Rect> {
        let size = self.terminal.size()?;
        Ok(Rect::new(0, 0, size.width, size.height))
    }
}

impl Drop for GivenBack {
    fn drop(&mut self) {
        give_back();
        screen_panics::close();
    }
}

/// Makes the terminal what it was. There is nobody to be told if that fails.
fn give_back() {
    let _ = execute!(stdout(), DisableBracketedPaste);
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
