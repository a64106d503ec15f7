//! A child process with a thread for each pipe, so that neither side ever blocks, and a record of
//! the conversation.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The maximum length of a line, and number of lines, in a failure message.
const SHOWN_WIDTH: usize = 300;
const SHOWN_LINES: usize = 60;

/// Only a program that hangs takes this long, on any machine, whatever else it does.
pub const HUNG: Duration = Duration::from_secs(240);

/// A line without its newline.
pub struct Line {
    pub at: Instant,
    pub text: String,
}

/// A running program, killed when dropped. Every wait has a timeout, and a failure shows the last
/// lines of the conversation.
pub struct Pipes {
    pub child: Child,
    /// The error in a line, newline included, if any.
    fault: fn(&str) -> Option<&'static str>,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Line>,
    errors: Option<JoinHandle<Vec<u8>>>,
    talk: Vec<String>,
}

impl Pipes {
    pub fn start(mut command: Command, fault: fn(&str) -> Option<&'static str>) -> Pipes {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut to_child = child.stdin.take().expect("stdin is piped");
        let from_child = child.stdout.take().expect("stdout is piped");
        let mut complaints = child.stderr.take().expect("stderr is piped");
        let (input, writes) = mpsc::channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in writes {
                if to_child.write_all(&bytes).and_then(|()| to_child.flush()).is_err() {
                    return;
                }
            }
        });
        let (lines, output) = mpsc::channel();
        thread::spawn(move || {
            let mut from_child = BufReader::new(from_child);
            loop {
                let mut bytes = Vec::new();
                match from_child.read_until(b'\n', &mut bytes) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                let at = Instant::now();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if lines.send(Line { at, text }).is_err() {
                    return;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = complaints.read_to_end(&mut bytes);
            bytes
        });
        Pipes { child, fault, input: Some(input), output, errors: Some(errors), talk: Vec::new() }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        let shown = &bytes[..bytes.len().min(SHOWN_WIDTH)];
        self.talk.push(format!("> {}", shown.escape_ascii()));
        let input = self.input.as_ref().expect("the pipe was not closed yet");
        input.send(bytes.to_vec()).expect("the writing thread lives as long as the engine is used");
    }

    pub fn hang_up(&mut self) {
        self.talk.push("> (end of input)".to_owned());
        self.input = None;
    }

    /// The next line, a timeout, or the end of the output.
    fn next_line(&mut self, end: Instant) -> Result<Line, RecvTimeoutError> {
        let mut line = self.output.recv_timeout(end.saturating_duration_since(Instant::now()))?;
        let raw = std::mem::take(&mut line.text);
        line.text = raw.trim_end_matches(['\r', '\n']).to_owned();
        self.talk.push(format!("< {}", line.text.chars().take(SHOWN_WIDTH).collect::<String>()));
        if let Some(fault) = (self.fault)(&raw) {
            self.fail(fault);
        }
        Ok(line)
    }

    /// All lines up to the first that matches, inclusive.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<Line> {
        let end = Instant::now() + HUNG;
        let mut lines = Vec::new();
        loop {
            match self.next_line(end) {
                Ok(line) => {
                    let found = wanted(&line.text);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.fail(&format!("waited {HUNG:?} for {what}")),
                Err(_) => self.fail(&format!("the output ended before {what}")),
            }
        }
    }

    /// All output within a time.
    pub fn listen(&mut self, span: Duration) -> Vec<Line> {
        let end = Instant::now() + span;
        let mut lines = Vec::new();
        loop {
            match self.next_line(end) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => return lines,
                Err(_) => self.fail("the output ended"),
            }
        }
    }

    /// The remaining output until the program closes it.
    pub fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        loop {
            match self.next_line(Instant::now() + HUNG) {
                Ok(line) => rest.push(line.text),
                Err(RecvTimeoutError::Timeout) => self.fail("the process does not end"),
                Err(_) => return rest,
            }
        }
    }

    /// The number of lines so far with this prefix.
    pub fn count(&self, start: &str) -> usize {
        let said = self.talk.iter().filter_map(|line| line.strip_prefix("< "));
        said.filter(|line| line.starts_with(start)).count()
    }

    pub fn fail(&self, why: &str) -> ! {
        let from = self.talk.len().saturating_sub(SHOWN_LINES);
        panic!("{why}\n{}", self.talk[from..].join("\n"));
    }

    /// Fails if the program, which has ended, has written to stderr.
    pub fn expect_empty_stderr(&mut self) {
        let errors = self.errors.take().expect("an engine ends once");
        let errors = errors.join().expect("the reader of stderr");
        if !errors.is_empty() {
            self.fail(&format!("stderr is silent, not: {}", String::from_utf8_lossy(&errors)));
        }
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
