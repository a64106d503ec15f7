//! The engine under test: requests to it, and the answers expected.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use super::connection::{Connection, Silence};
use super::engine_line::{Line, keep};
use super::examiner::Examiner;
use super::exchange::Exchange;
use super::finding::{Finding, Objection, Outcome, quoted};
use super::greeting::{Greeting, Kind};
use super::system::{self, Usage};
use qirkat_rules::variant::Variant;

/// An engine under test. Dropping it kills it and all processes it has started.
pub(super) struct Examinee<'a> {
    pub(super) examiner: &'a Examiner<'a>,
    pub(super) connection: Connection<'a>,
    exchange: Exchange,
    /// Its answer to `uci`.
    pub greeting: Greeting,
}

impl<'a> Examinee<'a> {
    /// Starts the engine and sends nothing yet.
    pub fn start(examiner: &'a Examiner<'a>) -> Outcome<Examinee<'a>> {
        let connection = Connection::start(examiner).map_err(|error| {
            Objection::NoStart(format!("{}: {error}", examiner.program.command.display()))
        })?;
        Ok(Examinee {
            examiner,
            connection,
            exchange: Exchange::default(),
            greeting: Greeting::default(),
        })
    }

    /// Says `uci` and reads the answer up to `uciok`.
    pub fn greet(&mut self) -> Outcome {
        self.send("uci")?;
        let (lines, _) = self.expect("uciok", self.examiner.patience.start())?;
        for line in &lines {
            self.greeting.add_line(&line.text);
        }
        Ok(())
    }

    /// Makes it play this game, if it plays others too.
    pub fn choose_variant(&mut self) -> Outcome {
        let ours = Variant::Chesquerque.name();
        if let Some(option) = self.greeting.option("UCI_Variant")
            && let Kind::Combo { default, choices } = &option.kind
            && default != ours
            && choices.iter().any(|choice| choice == ours)
        {
            self.send(&format!("setoption name UCI_Variant value {ours}"))?;
            self.ready(self.examiner.patience.set_up())?;
        }
        Ok(())
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Outcome {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are: one line or more, all at once.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Outcome {
        self.send_expecting(bytes, || "the engine to go on".to_owned())
    }

    /// Sends bytes; if the engine has ended, that is an objection to what was expected.
    fn send_expecting(&mut self, bytes: &[u8], expected: impl Fn() -> String) -> Outcome {
        let text = String::from_utf8_lossy(bytes);
        self.exchange.add(text.trim_end_matches('\n').split('\n').map(quoted));
        match self.connection.send_bytes(bytes) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                Err(self.fault("the engine to read its input", "input left unread for seconds"))
            }
            Err(_) => {
                let fate = self.connection.fate();
                Err(self.fault(expected(), fate))
            }
        }
    }

    /// Ends its input.
    pub fn hang_up(&mut self) {
        self.exchange.add(["the end of input".to_owned()]);
        self.connection.hang_up();
    }

    /// Asks `isready` and returns what came before `readyok`.
    pub fn ready(&mut self, limit: Duration) -> Outcome<Vec<Line>> {
        // Whether it dies before or after this is sent is a race: both are told alike.
        self.send_expecting(b"isready\n", || within("readyok", limit))?;
        self.expect_readyok(limit)
    }

    /// Waits for `readyok` and returns what came before.
    pub fn expect_readyok(&mut self, limit: Duration) -> Outcome<Vec<Line>> {
        Ok(self.expect("readyok", limit)?.0)
    }

    /// Waits for a line that begins with this word, and returns the lines before it and the
    /// line.
    pub(super) fn expect(&mut self, word: &str, limit: Duration) -> Outcome<(Vec<Line>, Line)> {
        let until = self.connection.last_sent + limit;
        let mut before = Vec::new();
        loop {
            let line = self.expect_line(until, || within(word, limit))?;
            if line.begins_with(word) {
                self.settle();
                return Ok((before, line));
            }
            keep(&mut before, line);
        }
    }

    /// Sends a line that needs no answer, and checks that the engine goes on and does not
    /// answer with a move.
    pub fn survive(&mut self, line: &[u8]) -> Outcome {
        self.send_bytes(line)?;
        let lines = self.ready(self.examiner.patience.prompt())?;
        self.expect_none(&lines, "for it")
    }

    /// The engine did as expected: the next finding quotes only what is sent
    /// from here on.
    pub(super) fn settle(&mut self) {
        self.exchange.settle();
    }

    /// Lets the next finding quote what was sent so far, though the engine did
    /// as expected.
    pub fn keep_exchange(&mut self) {
        self.exchange.go_on();
    }

    /// Listens for this long and returns all lines. The engine must keep running.
    pub fn listen(&mut self, time: Duration) -> Outcome<Vec<Line>> {
        let until = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.connection.next_line(until) {
                Ok(line) => keep(&mut lines, line),
                Err(Silence::Late) => return Ok(lines),
                Err(Silence::Interrupted) => return Err(Objection::Interrupted),
                Err(Silence::Ended(fate)) => return Err(self.fault("the engine to go on", fate)),
            }
        }
    }

    /// Listens for this long, during which no answer to `go` may come.
    pub fn expect_no_answer(&mut self, time: Duration, why: &str) -> Outcome {
        let lines = self.listen(time)?;
        self.expect_none(&lines, why)
    }

    /// Checks that no line is an answer to `go`.
    pub fn expect_none(&self, lines: &[Line], why: &str) -> Outcome {
        match lines.iter().find(|line| line.begins_with("bestmove")) {
            None => Ok(()),
            Some(line) => Err(self.fault(format!("no `bestmove` {why}"), quoted(&line.text))),
        }
    }

    /// Memory and time of its processes; none where the system does not provide them.
    pub fn usage(&self) -> Option<Usage> {
        system::usage(self.connection.process_id())
    }

    /// An objection to what it did, after what it was sent last.
    pub fn fault(&self, expected: impl Into<String>, got: impl Into<String>) -> Objection {
        Objection::Fault(self.finding(expected, got))
    }

    /// The same as a finding.
    pub fn finding(&self, expected: impl Into<String>, got: impl Into<String>) -> Finding {
        Finding { sent: self.exchange.text(), expected: expected.into(), got: got.into() }
    }

    /// The next line; an objection if none comes in time.
    fn expect_line(&mut self, until: Instant, expected: impl Fn() -> String) -> Outcome<Line> {
        match self.connection.next_line(until) {
            Ok(line) => Ok(line),
            Err(Silence::Late) => {
                let got = self.connection.last_line.as_ref().map_or("nothing".to_owned(), |last| {
                    format!("only other lines, the last of them {}", quoted(last))
                });
                Err(self.fault(expected(), got))
            }
            Err(Silence::Ended(fate)) => Err(self.fault(expected(), fate)),
            Err(Silence::Interrupted) => Err(Objection::Interrupted),
        }
    }
}

/// What is waited for, and for how long.
fn within(word: &str, limit: Duration) -> String {
    format!("`{word}` within {limit:?}")
}
