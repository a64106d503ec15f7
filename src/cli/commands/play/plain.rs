//! A game as lines of text, for pipes, simple terminals and screen readers.

use std::io::{IsTerminal, Write, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::board_drawing::BoardDrawing;
use super::session::{Notice, Session};
use crate::shared::files::input_lines;
use crate::shared::terminal;
use qirkat_engine::protocol::Input;

const PAUSE: Duration = Duration::from_millis(20);

/// Plays until the user quits, input ends or `stop` is set.
pub(crate) fn run(session: Session, stop: &AtomicBool) -> anyhow::Result<()> {
    let lines = input_lines()?;
    let prompts = stdin().is_terminal() && stdout().is_terminal();
    let mut game = LineSession { session, prompts, is_prompted: false };
    let result = game.run(&lines, stop);
    // End the prompt's line: input ended, or Ctrl-C was pressed.
    if prompts && game.is_prompted {
        print("")?;
    }
    // Never lose the game, even after an error.
    if let Some(message) = game.session.save_unsaved() {
        print(&in_lines(&message))?;
    }
    result
}

struct LineSession {
    session: Session,
    prompts: bool,
    is_prompted: bool,
}

impl LineSession {
    fn run(&mut self, lines: &Receiver<Input>, stop: &AtomicBool) -> anyhow::Result<()> {
        let notices = self.session.start();
        self.draw()?;
        self.print_notices(notices)?;
        while !stop.load(Ordering::Relaxed) {
            let notices = self.session.poll();
            self.is_prompted &= notices.is_empty();
            self.print_notices(notices)?;
            if self.session.is_busy() {
                std::thread::sleep(PAUSE);
                continue;
            }
            if !std::mem::replace(&mut self.is_prompted, true) {
                self.prompt()?;
            }
            let line = match lines.recv_timeout(PAUSE) {
                Ok(Input::Line(line)) => Some(line),
                Ok(Input::TooLong) => None,
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => continue,
            };
            self.is_prompted = false;
            let Some(line) = line else {
                print("That line is too long.")?;
                continue;
            };
            let notices = self.session.execute(&line);
            let leaves = notices.contains(&Notice::Leave);
            self.print_notices(notices)?;
            if leaves {
                return Ok(());
            }
        }
        Ok(())
    }

    fn print_notices(&self, notices: Vec<Notice>) -> anyhow::Result<()> {
        for notice in notices {
            match notice {
                Notice::Message(text) | Notice::Refused(text) | Notice::Ended(text) => {
                    print(&in_lines(&text))?;
                }
                Notice::Moved { text, by_engine: true } => print(&format!("Qirkat: {text}"))?,
                Notice::Moved { text, by_engine: false } => print(&text)?,
                Notice::Page { title, text } => print(&format!("{title}\n{}", text.trim_end()))?,
                Notice::Board => self.draw()?,
                Notice::Leave => {}
            }
        }
        Ok(())
    }

    fn draw(&self) -> anyhow::Result<()> {
        let position = self.session.game.position();
        let drawing = BoardDrawing {
            variant: position.variant(),
            scale: BoardDrawing::MIN_SCALE,
            flipped: self.session.flipped,
            unicode: false,
        };
        print(drawing.text(position).trim_end())
    }

    /// Prompts on a terminal, with the side to move as long as the game goes on.
    fn prompt(&self) -> anyhow::Result<()> {
        if self.prompts {
            let prompt = match self.session.game.ending() {
                Some(_) => "> ".to_owned(),
                None => format!("{:?}> ", self.session.game.side_to_move()),
            };
            let mut out = stdout().lock();
            write!(out, "{prompt}")?;
            out.flush()?;
        }
        Ok(())
    }
}

fn in_lines(text: &str) -> String {
    if !stdout().is_terminal() {
        return text.to_owned();
    }
    terminal::wrapped_text(text, terminal::width(), 0)
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
