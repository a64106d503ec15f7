//! A game as lines of text, for pipes, simple terminals and screen readers.

use std::io::{BufReader, IsTerminal, Write, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::Context;

use super::board_drawing::BoardDrawing;
use super::session::{Notice, Session};
use crate::shared::terminal;
use qirkat_engine::protocol::Input;

const PAUSE: Duration = Duration::from_millis(20);
const LINES_AHEAD: usize = 16;

/// Plays until the user quits, input ends or `stop` is set.
pub(crate) fn run(session: Session, stop: &AtomicBool) -> anyhow::Result<()> {
    let (sender, lines) = sync_channel(LINES_AHEAD);
    Input::read_in_background(BufReader::new(stdin()), move |input| sender.send(input).is_ok())
        .context("standard input cannot be read")?;
    let prompts = stdin().is_terminal() && stdout().is_terminal();
    let mut talk = Talk { session, prompts, has_asked: false };
    let result = talk.go_on(&lines, stop);
    // End the prompt's line: input ended, or Ctrl-C was pressed.
    if prompts && talk.has_asked {
        tell("")?;
    }
    // Never lose the game, even after an error.
    if let Some(kept) = talk.session.keep() {
        tell(&in_lines(&kept))?;
    }
    result
}

struct Talk {
    session: Session,
    prompts: bool,
    /// Whether a prompt is waiting for an answer.
    has_asked: bool,
}

impl Talk {
    fn go_on(&mut self, lines: &Receiver<Input>, stop: &AtomicBool) -> anyhow::Result<()> {
        let notices = self.session.begin();
        self.draw()?;
        self.tell_all(notices)?;
        while !stop.load(Ordering::Relaxed) {
            let notices = self.session.look();
            if !notices.is_empty() {
                self.has_asked = false;
                self.tell_all(notices)?;
            }
            if self.session.is_busy() {
                std::thread::sleep(PAUSE);
                continue;
            }
            if !self.has_asked {
                self.ask()?;
                self.has_asked = true;
            }
            match lines.recv_timeout(PAUSE) {
                Ok(Input::Line(line)) => {
                    self.has_asked = false;
                    if !self.take(&line)? {
                        return Ok(());
                    }
                }
                Ok(Input::TooLong) => {
                    self.has_asked = false;
                    tell("That line is too long.")?;
                }
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(())
    }

    /// Returns whether to continue.
    fn take(&mut self, line: &str) -> anyhow::Result<bool> {
        let notices = self.session.obey(line);
        let stays = !notices.contains(&Notice::Leave);
        self.tell_all(notices)?;
        Ok(stays)
    }

    fn tell_all(&self, notices: Vec<Notice>) -> anyhow::Result<()> {
        for notice in notices {
            match notice {
                Notice::Said(text) | Notice::Refused(text) | Notice::Ended(text) => {
                    tell(&in_lines(&text))?;
                }
                Notice::Moved { text, by_engine: true } => tell(&format!("Qirkat: {text}"))?,
                Notice::Moved { text, by_engine: false } => tell(&text)?,
                Notice::Page { title, text } => tell(&format!("{title}\n{}", text.trim_end()))?,
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
            scale: BoardDrawing::LEAST_SCALE,
            flipped: self.session.flipped,
            unicode: false,
        };
        tell(drawing.text(position).trim_end())
    }

    /// Prompts the side to move if it is a person.
    fn ask(&self) -> anyhow::Result<()> {
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

fn tell(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
