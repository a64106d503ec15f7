//! Both ends of a conversation: lines come in as events, and lines go out.

use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use super::SessionError;
use super::input_lines::Input;
use super::output_lines::{Output, OutputLines};

pub(super) enum Event {
    Input(Input),
    /// The background work with this number has ended.
    Ended(u64),
    /// Nothing more can be written.
    OutputLost,
}

/// A program that sends lines and reads lines.
pub(super) struct Connection {
    pub output: OutputLines,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// An event that was peeked at.
    first: Option<Event>,
}

impl Connection {
    /// Begins to read the input, on a thread of its own.
    pub fn open(
        input: impl BufRead + Send + 'static,
        output: Output,
    ) -> Result<Connection, SessionError> {
        let (sender, events) = mpsc::channel();
        let losses = sender.clone();
        let output = OutputLines::open(output, move || {
            if losses.send(Event::OutputLost).is_err() {
                log::debug!("the conversation ended before its output");
            }
        });
        let inputs = sender.clone();
        Input::read_in_background(input, move |input| inputs.send(Event::Input(input)).is_ok())
            .map_err(SessionError::InputThread)?;
        Ok(Connection { output, events, sender, first: None })
    }

    /// The sender by which background work announces its end.
    pub fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// Peeks at the first event that is not an empty line.
    pub fn first_event(&mut self) -> &Event {
        let mut event = self.next_event();
        while matches!(&event, Event::Input(Input::Line(line)) if line.trim().is_empty()) {
            event = self.next_event();
        }
        self.first.insert(event)
    }

    /// Waits for the next event. A lost output comes before all others.
    pub fn next_event(&mut self) -> Event {
        if let Some(event) = self.first.take() {
            return event;
        }
        if self.output.is_lost() {
            return Event::OutputLost;
        }
        // There is always a sender: the connection's own.
        self.events.recv().unwrap_or(Event::OutputLost)
    }

    /// The next event, if one comes in time.
    pub fn next_event_within(&mut self, patience: Duration) -> Option<Event> {
        if self.output.is_lost() {
            return Some(Event::OutputLost);
        }
        self.events.recv_timeout(patience).ok()
    }
}
