//! A program with a thread at each of its pipes, so that neither side ever has
//! to wait for the other, and with a record of the talk.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Characters of a line, and lines of the talk, that are shown at most.
const SHOWN_WIDTH: usize = 300;
const SHOWN_LINES: usize = 60;

/// What was said up to the end of a line, which is included.
pub struct RawLine {
    pub at: Instant,
    pub text: String,
}

/// A running program, killed when dropped.
pub struct Pipes {
    pub child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<RawLine>,
    errors: Option<JoinHandle<Vec<u8>>>,
    talk: Vec<String>,
}

impl Pipes {
    pub fn start(mut command: Command) -> Pipes {
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
                if lines.send(RawLine { at, text }).is_err() {
                    return;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = complaints.read_to_end(&mut bytes);
            bytes
        });
        Pipes { child, input: Some(input), output, errors: Some(errors), talk: Vec::new() }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        let shown = &bytes[..bytes.len().min(SHOWN_WIDTH)];
        self.talk.push(format!("> {}", shown.escape_ascii()));
        let input = self.input.as_ref().expect("the pipe was not closed yet");
        input.send(bytes.to_vec()).expect("the writing thread lives as long as the engine is used");
    }

    /// Closes the program's input.
    pub fn hang_up(&mut self) {
        self.talk.push("> (end of input)".to_owned());
        self.input = None;
    }

    /// The next line, if one comes in time.
    pub fn next_line(&mut self, patience: Duration) -> Result<RawLine, RecvTimeoutError> {
        let line = self.output.recv_timeout(patience)?;
        let shown = line.text.trim_end_matches(['\r', '\n']).chars().take(SHOWN_WIDTH);
        self.talk.push(format!("< {}", shown.collect::<String>()));
        Ok(line)
    }

    /// Fails the test, showing the end of the talk.
    pub fn fail(&self, why: &str) -> ! {
        let from = self.talk.len().saturating_sub(SHOWN_LINES);
        panic!("{why}\n{}", self.talk[from..].join("\n"));
    }

    /// Fails if the program, which has ended, has written to stderr.
    pub fn expect_no_complaints(&mut self) {
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
