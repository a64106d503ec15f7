//! The threads that read what an engine writes.

use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Instant;

use super::engine_line::Line;
use qirkat_system::program::{Outputs, each_line};

/// Lines of an engine that may wait to be read. An engine that floods its
/// output is made to wait.
pub(super) const WAITING_LINES: usize = 4096;
/// Letters of a line that are kept: a line of play of more than a thousand
/// moves.
const LONGEST_LINE: usize = 8 << 10;

/// What comes from an engine.
pub(super) enum Event {
    Line(Line),
    /// A line on standard error.
    Error(Line),
    /// Its standard output has ended.
    Closed,
}

/// Reads both outputs, each on a thread of its own, until they end.
pub(super) fn listen(outputs: Outputs) -> io::Result<Receiver<Event>> {
    let Outputs { stdout, stderr } = outputs;
    let (sender, events) = mpsc::sync_channel(WAITING_LINES);
    if let Some(stderr) = stderr {
        let sender = sender.clone();
        let read = move || {
            each_line(stderr, |text, arrived| pass_on(&sender, Event::Error, text, arrived));
        };
        named("engine errors").spawn(read)?;
    }
    if let Some(stdout) = stdout {
        let read = move || {
            each_line(stdout, |text, arrived| pass_on(&sender, Event::Line, text, arrived));
            if sender.send(Event::Closed).is_err() {
                log::trace!("an engine ended after its examination");
            }
        };
        named("engine output").spawn(read)?;
    }
    Ok(events)
}

fn named(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned())
}

fn pass_on(
    sender: &SyncSender<Event>,
    event: impl Fn(Line) -> Event,
    text: &str,
    arrived: Instant,
) -> ControlFlow<()> {
    let text = text[..text.floor_char_boundary(LONGEST_LINE)].to_owned();
    match sender.send(event(Line { text, arrived })) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}
