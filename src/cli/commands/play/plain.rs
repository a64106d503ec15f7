//! A game as lines of text, for pipes, simple terminals and screen readers.

use std::io::{BufReader, IsTerminal, Write, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::Context;

use super::background::News;
use super::board_drawing::BoardDrawing;
use super::command::Command;
use super::session::Session;
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
        let news = self.session.begin();
        self.draw()?;
        self.tell_all(news)?;
        while !stop.load(Ordering::Relaxed) {
            let news = self.session.look();
            if !news.is_empty() {
                self.has_asked = false;
                self.tell_all(news)?;
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
        let news = if line.trim().is_empty() {
            vec![News::Board]
        } else {
            match Command::read(line) {
                Ok(command) => self.session.obey(command),
                Err(reason) => vec![News::refused(&reason)],
            }
        };
        let stays = !news.contains(&News::Leave);
        self.tell_all(news)?;
        Ok(stays)
    }

    fn tell_all(&self, news: Vec<News>) -> anyhow::Result<()> {
        for news in news {
            match news {
                News::Said(text) | News::Refused(text) | News::Ended(text) => {
                    tell(&in_lines(&text))?;
                }
                News::Moved { text, by_engine: true } => tell(&format!("Qirkat: {text}"))?,
                News::Moved { text, by_engine: false } => tell(&text)?,
                News::Page { title, text } => tell(&format!("{title}\n{}", text.trim_end()))?,
                News::Board => self.draw()?,
                News::Leave => {}
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
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    terminal::wrapped("", &words, terminal::width(), 0)
}

fn tell(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
