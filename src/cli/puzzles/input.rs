//! The lines that the person types, until the end of input or Ctrl-C, and what each asks for.

use std::io::{self, BufReader, IsTerminal, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use qirkat_engine::protocol::Input;

/// A command, as a line asks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// An empty line.
    Nothing,
    /// A bit of help with the puzzle.
    Hint,
    Solution,
    /// The next puzzle.
    Skip,
    /// The board once more.
    Board,
    Help,
    Quit,
    /// Anything else is meant to be a move.
    Move(String),
}

impl Command {
    pub fn read(line: &str) -> Command {
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => Command::Nothing,
            "hint" | "h" => Command::Hint,
            "solution" | "s" => Command::Solution,
            "skip" | "next" => Command::Skip,
            "board" | "d" => Command::Board,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            _ => Command::Move(line.to_owned()),
        }
    }
}

/// The list of commands, in a line.
pub(super) const HELP: &str =
    "Type a move such as Nc3 or b1c3, or hint, solution, skip, board, quit.";

const LINES_AHEAD: usize = 16;
/// How often Ctrl-C is looked for while nothing is typed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The lines of standard input. They are read on a thread of their own, since a thread
/// that waits for input does not see Ctrl-C.
pub(super) struct Answers {
    lines: Receiver<Input>,
    stop: Arc<AtomicBool>,
    /// Whether a person types.
    pub is_terminal: bool,
}

impl Answers {
    /// Begins to read. `stop` ends it.
    pub fn read(stop: Arc<AtomicBool>) -> io::Result<Answers> {
        let (send, lines) = sync_channel(LINES_AHEAD);
        Input::read_in_background(BufReader::new(stdin()), move |input| send.send(input).is_ok())?;
        Ok(Answers { lines, stop, is_terminal: stdin().is_terminal() })
    }

    /// The next line, asked for by a prompt on a terminal; none at the end.
    pub fn next(&self, prompt: &str) -> io::Result<Option<String>> {
        let mut out = stdout().lock();
        if self.is_terminal {
            write!(out, "{prompt}")?;
        }
        out.flush()?;
        while !self.stop.load(Ordering::Relaxed) {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(Input::Line(line)) => return Ok(Some(line)),
                // Nothing that anybody could mean.
                Ok(Input::TooLong) => return Ok(Some("...".to_owned())),
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        if self.is_terminal {
            writeln!(out)?;
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, command) in [
            ("  ", Command::Nothing),
            (" HINT\r", Command::Hint),
            ("?", Command::Help),
            ("q", Command::Quit),
            (" Qd4 ", Command::Move("Qd4".to_owned())),
        ] {
            assert_eq!(Command::read(line), command, "{line:?}");
        }
    }
}
