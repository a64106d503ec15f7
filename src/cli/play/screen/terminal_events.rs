//! The events of the terminal: keys, clicks, a new size, or its end.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};

use qirkat_engine::protocol::wait_until_closed;

/// Events of the terminal, read by a thread of their own: where the terminal goes away,
/// crossterm reads the end of its input over and over and does not return.
pub(super) struct TerminalEvents(Receiver<io::Result<Event>>);

impl TerminalEvents {
    /// Listens from now on, until the program ends.
    pub fn listen() -> TerminalEvents {
        let (sender, receiver) = mpsc::channel();
        let ending = sender.clone();
        thread::spawn(move || {
            if wait_until_closed() {
                let gone = io::Error::new(io::ErrorKind::BrokenPipe, "the terminal is gone");
                // Nobody may be listening any more.
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

    /// The next event, if one comes in time.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn next(&self, wait: Duration) -> io::Result<Option<Event>> {
        match self.0.recv_timeout(wait) {
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
