//! The engine under test: requests to it, and the answers expected.

use std::collections::VecDeque;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::Move;
use qirkat_rules::variant::Variant;

use super::answer::Answer;
use super::examiner::Examiner;
use super::finding::{CheckError, Finding, Outcome, quoted};
use super::patience::{END, PROMPT, SEARCH, SET_UP, START};
use super::setup::Setup;
use super::system::{self, Usage};
use super::transcript::{Speaker, TranscriptListener};
use crate::uci_client::{
    DRAIN_TIMEOUT, EngineExit, EngineProcess, Greeting, Line, OptionKind, POLL_INTERVAL, ReadError,
    SendError, set_option_command,
};

/// Lines that are kept of what comes before an answer.
const KEPT_LINES: usize = 10_000;
/// Lines of standard error that a finding quotes, the latest.
const QUOTED_ERRORS: usize = 3;
/// Lines sent that a finding quotes, the latest.
const QUOTED_LINES: usize = 4;

/// An engine under test. Dropping it kills it and all processes it has started.
pub(super) struct EngineUnderTest<'a> {
    pub(super) examiner: &'a Examiner<'a>,
    process: EngineProcess<TranscriptListener>,
    /// When it was last sent something.
    last_sent: Instant,
    /// The latest line since then.
    last_line: Option<String>,
    exchange: Exchange,
    /// Its answer to `uci`.
    pub greeting: Greeting,
}

impl Examiner<'_> {
    /// The engine, started anew and ready to play this game.
    pub(super) fn engine(&self) -> Outcome<EngineUnderTest<'_>> {
        let mut engine = self.greeted()?;
        engine.choose_variant()?;
        engine.ready(self.within(SET_UP))?;
        Ok(engine)
    }

    /// The engine, started anew, which has answered `uci`.
    pub(super) fn greeted(&self) -> Outcome<EngineUnderTest<'_>> {
        let mut engine = EngineUnderTest::start(self)?;
        engine.greet()?;
        *self.name.borrow_mut() = engine.greeting.names.first().cloned();
        Ok(engine)
    }
}

impl<'a> EngineUnderTest<'a> {
    /// Starts the engine and sends nothing yet.
    pub fn start(examiner: &'a Examiner<'a>) -> Outcome<EngineUnderTest<'a>> {
        let listener = |_| TranscriptListener(Arc::clone(&examiner.transcript));
        let process = EngineProcess::start(examiner.program, &[], &examiner.stop, listener);
        let process = process.map_err(|error| {
            CheckError::NoStart(format!("{}: {error}", examiner.program.command.display()))
        })?;
        Ok(EngineUnderTest {
            examiner,
            process,
            last_sent: Instant::now(),
            last_line: None,
            exchange: Exchange::default(),
            greeting: Greeting::default(),
        })
    }

    /// Says `uci` and reads the answer up to `uciok`.
    pub fn greet(&mut self) -> Outcome {
        self.send("uci")?;
        let (lines, _) = self.expect("uciok", self.examiner.within(START))?;
        self.greeting = Greeting::parse(lines.iter().map(|line| line.text.as_str()));
        Ok(())
    }

    /// Makes it play this game, if it plays others too.
    pub fn choose_variant(&mut self) -> Outcome {
        let ours = Variant::Chesquerque.name();
        if let Some(option) = self.greeting.option("UCI_Variant")
            && let OptionKind::Combo(choices) = &option.kind
            && option.default.as_deref() != Some(ours)
            && choices.iter().any(|choice| choice == ours)
        {
            self.send(&set_option_command("UCI_Variant", Some(ours)))?;
            self.ready(self.examiner.within(SET_UP))?;
        }
        Ok(())
    }

    pub fn send(&mut self, line: &str) -> Outcome {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are: one line or more, all at once.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Outcome {
        self.send_expecting(bytes, || "the engine to go on".to_owned())
    }

    /// Sends bytes; if the engine has ended, that is a fault where something else was expected.
    fn send_expecting(&mut self, bytes: &[u8], expected: impl Fn() -> String) -> Outcome {
        let text = String::from_utf8_lossy(bytes);
        self.exchange.add(text.trim_end_matches('\n').split('\n').map(quoted));
        let sent = self.process.send_bytes(bytes);
        (self.last_sent, self.last_line) = (Instant::now(), None);
        sent.map_err(|error| match error {
            SendError::Unread => {
                self.fault("the engine to read its input", "input left unread for seconds")
            }
            SendError::Ended(exit) => self.fault(expected(), exit_text(&exit)),
        })
    }

    /// Ends its input.
    pub fn hang_up(&mut self) {
        self.exchange.add(["the end of input".to_owned()]);
        self.process.listener.note(Instant::now(), Speaker::Examiner, "(end of input)");
        self.process.hang_up();
        self.last_sent = Instant::now();
    }

    /// Asks `isready` and returns what came before `readyok`.
    pub fn ready(&mut self, limit: Duration) -> Outcome<Vec<Line>> {
        // Whether it dies before or after this is sent is a race: both are told alike.
        self.send_expecting(b"isready\n", || format!("`readyok` within {limit:?}"))?;
        self.expect_readyok(limit)
    }

    /// Waits for `readyok` and returns what came before.
    pub fn expect_readyok(&mut self, limit: Duration) -> Outcome<Vec<Line>> {
        Ok(self.expect("readyok", limit)?.0)
    }

    /// Waits for a line that begins with this word, and returns the lines before it and the
    /// line.
    pub(super) fn expect(&mut self, word: &str, limit: Duration) -> Outcome<(Vec<Line>, Line)> {
        let until = self.last_sent + limit;
        let expected = format!("`{word}` within {limit:?}");
        let mut before = Vec::new();
        loop {
            match self.next_line(until, &expected)? {
                Some(line) if line.begins_with(word) => {
                    self.exchange.is_settled = true;
                    return Ok((before, line));
                }
                Some(line) => keep(&mut before, line),
                None => {
                    let got = self.last_line.as_ref().map_or("nothing".to_owned(), |last| {
                        format!("only other lines, the last of them {}", quoted(last))
                    });
                    return Err(self.fault(expected, got));
                }
            }
        }
    }

    /// Sends a line that needs no answer, and checks that the engine goes on and does not
    /// answer with a move.
    pub fn survive(&mut self, line: &[u8]) -> Outcome {
        self.send_bytes(line)?;
        let lines = self.ready(self.examiner.within(PROMPT))?;
        self.expect_none(&lines, "for it")
    }

    /// Lets the next finding quote what was sent so far, though the engine did
    /// as expected.
    pub fn keep_exchange(&mut self) {
        self.exchange.is_settled = false;
    }

    /// Listens for this long and returns all lines. The engine must keep running.
    pub fn listen(&mut self, time: Duration) -> Outcome<Vec<Line>> {
        let until = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(until, "the engine to go on")? {
            keep(&mut lines, line);
        }
        Ok(lines)
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
        system::usage(self.process.id())
    }

    /// The error for its behaviour after the lines it was sent last.
    pub fn fault(&self, expected: impl Into<String>, got: impl Into<String>) -> CheckError {
        CheckError::Fault(self.finding(expected, got))
    }

    pub fn finding(&self, expected: impl Into<String>, got: impl Into<String>) -> Finding {
        Finding { sent: self.exchange.text(), expected: expected.into(), got: got.into() }
    }

    /// Sets up a position and starts a search. Late answers to earlier searches are
    /// skipped.
    pub fn go(&mut self, setup: &Setup, go: &str) -> Outcome {
        self.ready(self.examiner.within(SET_UP))?;
        self.send(&setup.command())?;
        self.send(go)
    }

    /// Waits for `bestmove`.
    pub fn answer(&mut self, limit: Duration) -> Outcome<Answer> {
        let (before, line) = self.expect("bestmove", limit)?;
        let took = line.arrived.saturating_duration_since(self.last_sent);
        let infos = before.into_iter().filter(|line| line.begins_with("info"));
        Ok(Answer { infos: infos.map(|line| line.text).collect(), took, ..Answer::of(line) })
    }

    /// Waits for `bestmove` with a legal move.
    pub fn legal_answer(&mut self, setup: &Setup, limit: Duration) -> Outcome<Answer> {
        let answer = self.answer(limit)?;
        self.expect_legal(setup, &answer)?;
        Ok(answer)
    }

    /// Waits this long for `bestmove`, then sends `stop`; also returns whether the move came
    /// without it.
    pub fn answer_or_stop(&mut self, time: Duration) -> Outcome<(Answer, bool)> {
        let until = self.last_sent + time;
        while let Some(line) = self.next_line(until, "`bestmove`")? {
            if line.begins_with("bestmove") {
                self.exchange.is_settled = true;
                return Ok((Answer::of(line), true));
            }
        }
        self.send("stop")?;
        Ok((self.answer(self.examiner.within(PROMPT))?, false))
    }

    /// A search of any small size, which is bounded twice, for engines that
    /// keep only one of the limits. The answer is legal.
    pub fn think(&mut self, setup: &Setup) -> Outcome<Answer> {
        self.go(setup, "go depth 2 movetime 50")?;
        self.legal_answer(setup, self.examiner.within(SEARCH))
    }

    /// The move of an answer, which must be legal and written as it should be.
    pub fn expect_legal(&self, setup: &Setup, answer: &Answer) -> Outcome<Move> {
        let read = Move::parse(&answer.best);
        let good = read.filter(|mv| mv.to_string() == answer.best);
        good.filter(|&mv| setup.position().is_legal(mv)).ok_or_else(|| {
            let expected = format!("a legal move for {:?}", setup.position().side_to_move());
            let reason = read.and_then(|mv| setup.position().why_illegal(mv));
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            self.fault(expected, format!("{}{reason}", quoted(&answer.line)))
        })
    }

    /// The next line; none if it does not come in time. It is a fault to end while this is
    /// expected.
    fn next_line(&mut self, until: Instant, expected: &str) -> Outcome<Option<Line>> {
        match self.process.next_line(until) {
            Ok(line) => {
                self.last_line = Some(line.text.clone());
                Ok(Some(line))
            }
            Err(ReadError::Late) => Ok(None),
            Err(ReadError::Ended(exit)) => Err(self.fault(expected, exit_text(&exit))),
            Err(ReadError::Interrupted) => Err(CheckError::Interrupted),
        }
    }

    pub fn ending(&mut self) -> Outcome<Ending> {
        let limit = self.examiner.within(END);
        let until = self.last_sent + limit;
        let mut lines = Vec::new();
        loop {
            match self.process.next_line(until) {
                Ok(line) => keep(&mut lines, line),
                Err(ReadError::Interrupted) => return Err(CheckError::Interrupted),
                Err(ReadError::Ended(_)) => break,
                Err(ReadError::Late) => {
                    return Err(self.fault(format!("its end within {limit:?}"), "it running on"));
                }
            }
        }
        // Its output may end a moment before it does.
        while self.process.status().is_none() && Instant::now() < until {
            thread::sleep(POLL_INTERVAL);
        }
        match self.process.status() {
            Some(status) => Ok(Ending { status, lines, left: self.left_running() }),
            None => Err(self.fault(
                format!("its end within {limit:?}"),
                "its output closed, but the process running on",
            )),
        }
    }

    /// Its processes that are still there after its end. They may take a
    /// moment to go.
    fn left_running(&self) -> Vec<String> {
        let until = Instant::now() + DRAIN_TIMEOUT;
        loop {
            let left = self.usage().map_or(Vec::new(), |usage| usage.names);
            if left.is_empty() || Instant::now() >= until {
                return left;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Keeps a line unless there are too many already.
fn keep(lines: &mut Vec<Line>, line: Line) {
    if lines.len() < KEPT_LINES {
        lines.push(line);
    }
}

/// How an engine ended that can no longer be talked to.
fn exit_text(EngineExit { status, errors }: &EngineExit) -> String {
    let mut text = match status {
        Some(status) => format!("the end of the engine ({status})"),
        None => "its input or output closed".to_owned(),
    };
    if !errors.is_empty() {
        let latest = &errors[errors.len().saturating_sub(QUOTED_ERRORS)..];
        text.push_str(&format!(", with {} on standard error", quoted(&latest.join(" / "))));
    }
    text
}

pub(super) struct Ending {
    pub status: ExitStatus,
    /// Its lines since it was waited for.
    pub lines: Vec<Line>,
    /// Its processes that have not ended.
    pub left: Vec<String>,
}

/// The lines sent that the next finding may quote.
#[derive(Default)]
struct Exchange {
    /// One more than are quoted, so that it shows when there were more.
    lines: VecDeque<String>,
    /// Whether the engine did as expected, so that what is sent next begins anew.
    is_settled: bool,
}

impl Exchange {
    /// Adds what is sent next.
    fn add(&mut self, lines: impl IntoIterator<Item = String>) {
        if std::mem::take(&mut self.is_settled) {
            self.lines.clear();
        }
        for line in lines {
            if self.lines.len() > QUOTED_LINES {
                self.lines.pop_front();
            }
            self.lines.push_back(line);
        }
    }

    /// The latest lines, with `…` in front when there were more.
    fn text(&self) -> String {
        let left_out = self.lines.len().saturating_sub(QUOTED_LINES);
        let quoted: Vec<&str> = self.lines.iter().skip(left_out).map(String::as_str).collect();
        let dots = if left_out > 0 { "… " } else { "" };
        format!("{dots}{}", quoted.join(" "))
    }
}
