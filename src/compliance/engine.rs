//! The engine under examination: lines to it, lines from it, and no wait
//! without an end.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::process::ExitStatus;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::examiner::Examiner;
use super::finding::{Finding, Objection, Outcome, quoted};
use super::greeting::{Greeting, Kind};
use super::setup::Setup;
use super::system::{self, Usage};
use super::transcript::Speaker;
use crate::chesquerque::Move;
use crate::program::{Outputs, RunningProgram, each_line};
use crate::variant::Variant;

/// Lines of an engine that may wait to be read. An engine that floods its
/// output is made to wait.
const WAITING_LINES: usize = 4096;
/// Letters of a line that are kept: a line of play of more than a thousand
/// moves.
const LONGEST_LINE: usize = 8 << 10;
/// Lines that are kept of what comes before an answer.
const KEPT_LINES: usize = 10_000;
/// Time between two looks at what else may have happened.
const LOOK: Duration = Duration::from_millis(10);
/// How long lines of an engine that has ended may still be on their way.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// Lines that a finding tells of what was sent, the latest.
const TOLD_LINES: usize = 4;
/// Lines of standard error that a finding tells of, the latest.
const TOLD_ERRORS: usize = 3;

/// What comes from an engine.
enum Event {
    Line(Line),
    /// A line on standard error.
    Error(Line),
    /// Its standard output has ended.
    Closed,
}

/// A line, with the moment it arrived.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub text: String,
    pub arrived: Instant,
}

impl Line {
    /// Whether this is the first word.
    pub fn begins_with(&self, word: &str) -> bool {
        self.text.split_ascii_whitespace().next() == Some(word)
    }
}

/// Why no line came.
enum Silence {
    Late,
    /// What became of the engine.
    Ended(String),
    Interrupted,
}

/// The answer to a `go`.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// The whole line.
    pub line: String,
    /// The move as text.
    pub best: String,
    /// From the last line sent to the answer.
    pub took: Duration,
}

impl Answer {
    /// The answer in this line, of which nothing else is known.
    pub fn of(line: Line) -> Answer {
        Answer {
            infos: Vec::new(),
            best: line.text.split_ascii_whitespace().nth(1).unwrap_or("").to_owned(),
            line: line.text,
            took: Duration::ZERO,
        }
    }
}

/// How an engine has ended.
pub(super) struct Ending {
    pub status: ExitStatus,
    /// What it wrote since it was waited for.
    pub lines: Vec<Line>,
    /// Its processes that have not ended.
    pub left: Vec<String>,
}

/// An engine under examination. Dropping it kills it with all it has started.
pub(super) struct Examinee<'a> {
    examiner: &'a Examiner<'a>,
    program: RunningProgram,
    events: Receiver<Event>,
    /// A line that arrived after it was waited for.
    held: Option<Line>,
    is_closed: bool,
    /// What it last wrote to standard error.
    errors: VecDeque<String>,
    /// What it was sent since it last did as expected.
    talk: VecDeque<String>,
    is_settled: bool,
    last_sent: Instant,
    /// The latest line since then.
    last_heard: Option<String>,
    /// What it answered to `uci`.
    pub greeting: Greeting,
}

impl<'a> Examinee<'a> {
    /// Starts the engine and says nothing yet.
    pub fn start(examiner: &'a Examiner<'a>) -> Outcome<Examinee<'a>> {
        let no_start = |error: std::io::Error| {
            Objection::NoStart(format!("{}: {error}", examiner.program.command.display()))
        };
        let (program, Outputs { stdout, stderr }) =
            RunningProgram::start(examiner.program).map_err(no_start)?;
        let (sender, events) = mpsc::sync_channel(WAITING_LINES);
        if let Some(stderr) = stderr {
            let sender = sender.clone();
            let listen = move || {
                each_line(stderr, |text, arrived| pass_on(&sender, Event::Error, text, arrived));
            };
            named("engine errors").spawn(listen).map_err(no_start)?;
        }
        if let Some(stdout) = stdout {
            let listen = move || {
                each_line(stdout, |text, arrived| pass_on(&sender, Event::Line, text, arrived));
                if sender.send(Event::Closed).is_err() {
                    log::trace!("an engine ended unheard");
                }
            };
            named("engine output").spawn(listen).map_err(no_start)?;
        }
        Ok(Examinee {
            examiner,
            program,
            events,
            held: None,
            is_closed: false,
            errors: VecDeque::new(),
            talk: VecDeque::new(),
            is_settled: false,
            last_sent: Instant::now(),
            last_heard: None,
            greeting: Greeting::default(),
        })
    }

    /// Says `uci` and reads the answer up to `uciok`.
    pub fn greet(&mut self) -> Outcome {
        self.send("uci")?;
        let (lines, _) = self.expect("uciok", self.examiner.patience.start())?;
        for line in &lines {
            self.greeting.take(&line.text);
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
        if std::mem::take(&mut self.is_settled) {
            self.talk.clear();
        }
        let now = Instant::now();
        for line in String::from_utf8_lossy(bytes).trim_end_matches('\n').split('\n') {
            if self.talk.len() > TOLD_LINES {
                self.talk.pop_front();
            }
            self.talk.push_back(quoted(line));
            self.examiner.note(now, Speaker::Examiner, line);
        }
        let result = self.program.send_bytes(bytes);
        (self.last_sent, self.last_heard) = (Instant::now(), None);
        match result {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                Err(self.fault("the engine to read its input", "input left unread for seconds"))
            }
            Err(_) => {
                let fate = self.fate();
                Err(self.fault("the engine to go on", fate))
            }
        }
    }

    /// Ends its input.
    pub fn hang_up(&mut self) {
        if std::mem::take(&mut self.is_settled) {
            self.talk.clear();
        }
        self.talk.push_back("the end of input".to_owned());
        self.examiner.note(Instant::now(), Speaker::Examiner, "(end of input)");
        self.program.hang_up();
        self.last_sent = Instant::now();
    }

    /// Asks `isready` and returns what came before `readyok`.
    pub fn ready(&mut self, limit: Duration) -> Outcome<Vec<Line>> {
        self.send("isready")?;
        self.expect_readyok(limit)
    }

    /// Waits for `readyok` and returns what came before.
    pub fn expect_readyok(&mut self, limit: Duration) -> Outcome<Vec<Line>> {
        Ok(self.expect("readyok", limit)?.0)
    }

    /// Waits for a line that begins with this word; the lines before it, and
    /// it.
    fn expect(&mut self, word: &str, limit: Duration) -> Outcome<(Vec<Line>, Line)> {
        let until = self.last_sent + limit;
        let mut before = Vec::new();
        loop {
            let line = self.expect_line(until, || format!("`{word}` within {limit:?}"))?;
            if line.begins_with(word) {
                self.is_settled = true;
                return Ok((before, line));
            }
            keep(&mut before, line);
        }
    }

    /// Sends a line that asks for nothing, and sees that the engine goes on
    /// and does not answer with a move.
    pub fn survive(&mut self, line: &[u8]) -> Outcome {
        self.send_bytes(line)?;
        let lines = self.ready(self.examiner.patience.prompt())?;
        self.expect_none(&lines, "for it")
    }

    /// Sets up a position and asks for a move. Answers to earlier questions
    /// that are still to come are passed over.
    pub fn go(&mut self, setup: &Setup, go: &str) -> Outcome {
        self.ready(self.examiner.patience.set_up())?;
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

    /// Waits so long for `bestmove`, and asks for it by `stop` if it does not
    /// come; whether it came without.
    pub fn answer_or_stop(&mut self, time: Duration) -> Outcome<(Answer, bool)> {
        let until = self.last_sent + time;
        loop {
            match self.next(until) {
                Ok(line) if line.begins_with("bestmove") => {
                    self.is_settled = true;
                    return Ok((Answer::of(line), true));
                }
                Ok(_) => {}
                Err(Silence::Late) => break,
                Err(Silence::Interrupted) => return Err(Objection::Interrupted),
                Err(Silence::Ended(fate)) => return Err(self.fault("`bestmove`", fate)),
            }
        }
        self.send("stop")?;
        Ok((self.answer(self.examiner.patience.prompt())?, false))
    }

    /// Lets the next finding tell what was sent so far, though the engine did
    /// as expected.
    pub fn keep_telling(&mut self) {
        self.is_settled = false;
    }

    /// A search of any small size, which is bounded twice, for engines that
    /// keep only one of the limits. The answer is legal.
    pub fn think(&mut self, setup: &Setup) -> Outcome<Answer> {
        self.go(setup, "go depth 2 movetime 50")?;
        let answer = self.answer(self.examiner.patience.search())?;
        self.expect_legal(setup, &answer)?;
        Ok(answer)
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

    /// Listens for so long and returns all that comes. The engine must live
    /// on.
    pub fn listen(&mut self, time: Duration) -> Outcome<Vec<Line>> {
        let until = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.next(until) {
                Ok(line) => keep(&mut lines, line),
                Err(Silence::Late) => return Ok(lines),
                Err(Silence::Interrupted) => return Err(Objection::Interrupted),
                Err(Silence::Ended(fate)) => return Err(self.fault("the engine to go on", fate)),
            }
        }
    }

    /// Listens for so long, in which no answer to `go` may come.
    pub fn expect_no_answer(&mut self, time: Duration, why: &str) -> Outcome {
        let lines = self.listen(time)?;
        self.expect_none(&lines, why)
    }

    /// No line is an answer to `go`.
    pub fn expect_none(&self, lines: &[Line], why: &str) -> Outcome {
        match lines.iter().find(|line| line.begins_with("bestmove")) {
            None => Ok(()),
            Some(line) => Err(self.fault(format!("no `bestmove` {why}"), quoted(&line.text))),
        }
    }

    /// Waits for its end.
    pub fn ending(&mut self) -> Outcome<Ending> {
        let limit = self.examiner.patience.end();
        let until = self.last_sent + limit;
        let mut lines = Vec::new();
        loop {
            match self.next(until) {
                Ok(line) => keep(&mut lines, line),
                Err(Silence::Interrupted) => return Err(Objection::Interrupted),
                Err(Silence::Ended(_)) => break,
                Err(Silence::Late) => {
                    return Err(self.fault(format!("its end within {limit:?}"), "it running on"));
                }
            }
        }
        // Its output may end a moment before it does.
        while self.program.status().is_none() && Instant::now() < until {
            thread::sleep(LOOK);
        }
        match self.program.status() {
            Some(status) => Ok(Ending { status, lines, left: self.left_running() }),
            None => Err(self.fault(
                format!("its end within {limit:?}"),
                "its output closed, but the process running on",
            )),
        }
    }

    /// What its processes take; none where the system does not tell.
    pub fn usage(&self) -> Option<Usage> {
        system::usage(self.program.id())
    }

    /// An objection to what it did, after what it was sent last.
    pub fn fault(&self, expected: impl Into<String>, got: impl Into<String>) -> Objection {
        Objection::Fault(self.finding(expected, got))
    }

    /// The same as a finding.
    pub fn finding(&self, expected: impl Into<String>, got: impl Into<String>) -> Finding {
        let left_out = self.talk.len().saturating_sub(TOLD_LINES);
        let told: Vec<&str> = self.talk.iter().skip(left_out).map(String::as_str).collect();
        let dots = if left_out > 0 { "… " } else { "" };
        let sent = format!("{dots}{}", told.join(" "));
        Finding { sent, expected: expected.into(), got: got.into() }
    }

    /// The next line; an objection if none comes in time.
    fn expect_line(&mut self, until: Instant, expected: impl Fn() -> String) -> Outcome<Line> {
        match self.next(until) {
            Ok(line) => Ok(line),
            Err(Silence::Late) => {
                let got = self.last_heard.as_ref().map_or("nothing".to_owned(), |last| {
                    format!("only other lines, the last of them {}", quoted(last))
                });
                Err(self.fault(expected(), got))
            }
            Err(Silence::Ended(fate)) => Err(self.fault(expected(), fate)),
            Err(Silence::Interrupted) => Err(Objection::Interrupted),
        }
    }

    fn next(&mut self, until: Instant) -> Result<Line, Silence> {
        let mut last_words = None;
        loop {
            if let Some(line) = self.held.take() {
                if line.arrived <= until {
                    return Ok(line);
                }
                self.held = Some(line);
                return Err(Silence::Late);
            }
            if self.examiner.is_interrupted() {
                return Err(Silence::Interrupted);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(LOOK)) {
                Ok(event) => {
                    let is_late = self.take(event).is_some_and(|arrived| arrived > until);
                    if is_late && self.held.is_none() {
                        return Err(Silence::Late);
                    }
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.fate())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Something that the engine has started may hold its output open.
            if self.is_closed || self.program.status().is_some() {
                let latest = *last_words.get_or_insert_with(|| Instant::now() + LAST_WORDS);
                if self.is_closed || Instant::now() >= latest {
                    return Err(Silence::Ended(self.fate()));
                }
            }
            if left.is_zero() {
                return Err(Silence::Late);
            }
        }
    }

    /// Keeps what has come; the moment it did.
    fn take(&mut self, event: Event) -> Option<Instant> {
        match event {
            Event::Closed => {
                self.is_closed = true;
                None
            }
            Event::Line(line) => {
                self.examiner.note(line.arrived, Speaker::Engine, &line.text);
                self.last_heard = Some(line.text.clone());
                let arrived = line.arrived;
                self.held = Some(line);
                Some(arrived)
            }
            Event::Error(line) => {
                self.examiner.note(line.arrived, Speaker::EngineError, &line.text);
                if self.errors.len() == TOLD_ERRORS {
                    self.errors.pop_front();
                }
                if !line.text.is_empty() {
                    self.errors.push_back(line.text);
                }
                Some(line.arrived)
            }
        }
    }

    /// What became of an engine that can no longer be talked to.
    fn fate(&mut self) -> String {
        let until = Instant::now() + LAST_WORDS;
        let mut is_heard_out = false;
        while Instant::now() < until && (self.program.status().is_none() || !is_heard_out) {
            match self.events.recv_timeout(LOOK) {
                Ok(event) => {
                    self.take(event);
                }
                Err(RecvTimeoutError::Timeout) => {}
                // Both its outputs have ended; its status may take a moment more.
                Err(RecvTimeoutError::Disconnected) => {
                    is_heard_out = true;
                    thread::sleep(LOOK);
                }
            }
        }
        for event in self.events.try_iter().take(WAITING_LINES).collect::<Vec<_>>() {
            self.take(event);
        }
        let mut text = match self.program.status() {
            Some(status) => format!("the end of the engine ({status})"),
            None => "its input or output closed".to_owned(),
        };
        if !self.errors.is_empty() {
            let errors: Vec<&str> = self.errors.iter().map(String::as_str).collect();
            text.push_str(&format!(", with {} on standard error", quoted(&errors.join(" / "))));
        }
        text
    }

    /// Its processes that are still there after its end. They may take a
    /// moment to go.
    fn left_running(&self) -> Vec<String> {
        let until = Instant::now() + LAST_WORDS;
        loop {
            let left = self.usage().map_or(Vec::new(), |usage| usage.names);
            if left.is_empty() || Instant::now() >= until {
                return left;
            }
            thread::sleep(LOOK);
        }
    }
}

/// Keeps a line unless there are too many already.
fn keep(lines: &mut Vec<Line>, line: Line) {
    if lines.len() < KEPT_LINES {
        lines.push(line);
    }
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
