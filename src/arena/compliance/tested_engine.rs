//! The engine under test: sends lines, waits for answers, and keeps the lines that a finding quotes.

use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use qirkat_rules::variant::Variant;

use super::context::{
    CheckContext, CheckError, CheckResult, ExamineError, Finding, TranscriptListener, Verdict,
    quoted,
};
use crate::announced_option::{OptionKind, UciGreeting};
use crate::engine_process::{
    DRAIN_TIMEOUT, EngineExit, EngineProcess, Line, POLL_INTERVAL, ReadError, SendError,
    set_option_command,
};
use crate::machine::{Usage, usage};

/// Time to start, read files and answer `uci`.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// Time to apply an option or prepare a new game.
pub(super) const SETUP_TIMEOUT: Duration = Duration::from_secs(10);
/// Time to exit after `quit` or end of input.
const END_TIMEOUT: Duration = Duration::from_secs(3);
const MAX_LINES: usize = 10_000;
/// Latest lines of standard error that a finding quotes.
const QUOTED_ERRORS: usize = 3;
/// Latest sent lines that a finding quotes.
const QUOTED_LINES: usize = 4;

/// Dropping it kills the engine and all processes it started.
pub(super) struct TestedEngine<'a> {
    context: &'a CheckContext<'a>,
    process: EngineProcess<TranscriptListener>,
    pub last_sent: Instant,
    last_line: Option<String>,
    pub exchange: Exchange,
    pub greeting: UciGreeting,
}

impl<'a> TestedEngine<'a> {
    pub fn start(context: &'a CheckContext<'a>) -> Result<TestedEngine<'a>, ExamineError> {
        let listener = |_| TranscriptListener(Arc::clone(&context.transcript));
        let process = EngineProcess::start(context.program, &[], &context.stop, listener);
        let process = process.map_err(|error| {
            ExamineError::NoStart(format!("{}: {error}", context.program.command.display()))
        })?;
        Ok(TestedEngine {
            context,
            process,
            last_sent: Instant::now(),
            last_line: None,
            exchange: Exchange::default(),
            greeting: UciGreeting::default(),
        })
    }

    /// A timeout for what usually takes at most `usual`.
    pub fn within(&self, usual: Duration) -> Duration {
        usual.mul_f64(self.context.patience)
    }

    pub fn greet(&mut self) -> CheckResult {
        self.send("uci")?;
        let (lines, _) = self.expect("uciok", self.within(START_TIMEOUT))?;
        self.greeting = UciGreeting::parse(lines.iter().map(|line| line.text.as_str()));
        Ok(())
    }

    /// Selects the variant if the engine plays several.
    pub fn choose_variant(&mut self) -> CheckResult {
        let ours = Variant::Chesquerque.name();
        if let Some(option) = self.greeting.option("UCI_Variant")
            && let OptionKind::Combo(choices) = &option.kind
            && option.default.as_deref() != Some(ours)
            && choices.iter().any(|choice| choice == ours)
        {
            self.send(&set_option_command("UCI_Variant", Some(ours)))?;
            self.ready(SETUP_TIMEOUT)?;
        }
        Ok(())
    }

    pub fn send(&mut self, line: &str) -> CheckResult {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends one or more lines at once, unchanged.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> CheckResult {
        self.send_expecting(bytes, || "the engine to keep running".to_owned())
    }

    /// Sends bytes. It is a fault if the engine does not read them or has exited. For an exit the
    /// finding says what was `expected` instead.
    fn send_expecting(&mut self, bytes: &[u8], expected: impl Fn() -> String) -> CheckResult {
        let text = String::from_utf8_lossy(bytes);
        self.exchange.add(text.trim_end_matches('\n').split('\n').map(quoted));
        let sent = self.process.send_bytes(bytes);
        (self.last_sent, self.last_line) = (Instant::now(), None);
        sent.map_err(|error| match error {
            SendError::TimedOut => {
                self.fault("the engine to read its input", "input left unread for seconds")
            }
            SendError::Ended(exit) => self.fault(expected(), exit_text(&exit)),
        })
    }

    pub fn close_stdin(&mut self) {
        self.exchange.add(["the end of input".to_owned()]);
        self.process.listener.0.lock().record(Instant::now(), '>', "(end of input)");
        self.process.program.close_stdin();
        self.last_sent = Instant::now();
    }

    /// Waits for `readyok`; returns the lines before it.
    pub fn ready(&mut self, usual: Duration) -> CheckResult<Vec<Line>> {
        self.ready_within(self.within(usual))
    }

    pub fn ready_within(&mut self, limit: Duration) -> CheckResult<Vec<Line>> {
        // Whether the engine dies before or after this is a race; both are reported alike.
        self.send_expecting(b"isready\n", || format!("`readyok` within {limit:?}"))?;
        Ok(self.expect("readyok", limit)?.0)
    }

    /// Waits for a line that begins with this word; returns the lines before it and that line.
    pub fn expect(&mut self, word: &str, limit: Duration) -> CheckResult<(Vec<Line>, Line)> {
        let expected = format!("`{word}` within {limit:?}");
        self.find(word, limit, &expected)?.ok_or_else(|| {
            let got = self.last_line.as_ref().map_or("nothing".to_owned(), |last| {
                format!("only other lines, the last of them {}", quoted(last))
            });
            self.fault(expected, got)
        })
    }

    /// The same, but returns `None` on timeout.
    pub fn find(
        &mut self,
        word: &str,
        limit: Duration,
        expected: &str,
    ) -> CheckResult<Option<(Vec<Line>, Line)>> {
        let until = self.last_sent + limit;
        let mut before = Vec::new();
        while let Some(line) = self.next_line(until, expected)? {
            if line.begins_with(word) {
                self.exchange.starts_anew = true;
                return Ok(Some((before, line)));
            }
            push_limited(&mut before, line);
        }
        Ok(None)
    }

    /// Collects all lines for this long. The engine must keep running.
    pub fn listen(&mut self, time: Duration) -> CheckResult<Vec<Line>> {
        let until = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(until, "the engine to keep running")? {
            push_limited(&mut lines, line);
        }
        Ok(lines)
    }

    pub fn usage(&self) -> Option<Usage> {
        usage(self.process.program.id())
    }

    /// The error for a fault after the latest lines sent.
    pub fn fault(&self, expected: impl Into<String>, got: impl Into<String>) -> CheckError {
        CheckError::Verdict(Verdict::Failed(self.finding(expected, got)))
    }

    /// A fault unless this holds.
    pub fn require(
        &self,
        holds: bool,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> CheckResult {
        if holds { Ok(()) } else { Err(self.fault(expected, got)) }
    }

    pub fn finding(&self, expected: impl Into<String>, got: impl Into<String>) -> Finding {
        Finding { sent: self.exchange.text(), expected: expected.into(), got: got.into() }
    }

    /// The next line; `None` on timeout. It is a fault if the engine exits meanwhile.
    fn next_line(&mut self, until: Instant, expected: &str) -> CheckResult<Option<Line>> {
        match self.process.next_line(until) {
            Ok(line) => {
                self.last_line = Some(line.text.clone());
                Ok(Some(line))
            }
            Err(ReadError::TimedOut) => Ok(None),
            Err(ReadError::Ended(exit)) => Err(self.fault(expected, exit_text(&exit))),
            Err(ReadError::Interrupted) => Err(ExamineError::Interrupted.into()),
        }
    }

    /// Checks that the engine exits and leaves no process behind, and that it sends at most this
    /// many answers, with their `info` lines, and nothing else; anything if `None`.
    pub fn end(&mut self, answers: Option<usize>) -> CheckResult<ExitStatus> {
        let limit = self.within(END_TIMEOUT);
        let until = self.last_sent + limit;
        let late = |got: &str| self.fault(format!("its end within {limit:?}"), got);
        let (late, closed) =
            (late("it still running"), late("its output closed, but the process still running"));
        let mut lines = Vec::new();
        loop {
            match self.process.next_line(until) {
                Ok(line) => push_limited(&mut lines, line),
                Err(ReadError::Interrupted) => return Err(ExamineError::Interrupted.into()),
                Err(ReadError::Ended(_)) => break,
                Err(ReadError::TimedOut) => return Err(late),
            }
        }
        // Its output may close a moment before the process exits.
        while self.process.program.status().is_none() && Instant::now() < until {
            thread::sleep(POLL_INTERVAL);
        }
        let status = self.process.program.status().ok_or(closed)?;
        // Its processes may take a moment to exit, too.
        let until = Instant::now() + DRAIN_TIMEOUT;
        while let Some(left) = self.usage().map(|usage| usage.names).filter(|left| !left.is_empty())
        {
            if Instant::now() >= until {
                let got = format!("still running: {}", quoted(&left.join(", ")));
                return Err(self.fault("all its processes to end", got));
            }
            thread::sleep(POLL_INTERVAL);
        }
        let Some(answers) = answers else { return Ok(status) };
        let is_answer = |line: &&Line| line.begins_with("bestmove");
        let may_come = |line: &Line| {
            line.text.is_empty() || (answers > 0 && (line.begins_with("info") || is_answer(&line)))
        };
        if let Some(line) = lines.iter().find(|line| !may_come(line)) {
            return Err(self.fault("nothing more", quoted(&line.text)));
        }
        let given = lines.iter().filter(is_answer).count();
        if given > answers {
            return Err(self.fault("one `bestmove` at most", given.to_string()));
        }
        Ok(status)
    }
}

fn push_limited(lines: &mut Vec<Line>, line: Line) {
    if lines.len() < MAX_LINES {
        lines.push(line);
    }
}

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

#[derive(Default)]
pub(super) struct Exchange {
    lines: Vec<String>,
    /// Whether the next line sent begins a new exchange.
    pub starts_anew: bool,
}

impl Exchange {
    fn add(&mut self, lines: impl IntoIterator<Item = String>) {
        if std::mem::take(&mut self.starts_anew) {
            self.lines.clear();
        }
        self.lines.extend(lines);
    }

    fn text(&self) -> String {
        let left_out = self.lines.len().saturating_sub(QUOTED_LINES);
        let dots = if left_out > 0 { "… " } else { "" };
        format!("{dots}{}", self.lines[left_out..].join(" "))
    }
}

#[derive(Default)]
pub(super) struct Answer {
    pub infos: Vec<String>,
    pub line: String,
    pub best: String,
    /// Time from the last line sent to the answer.
    pub took: Duration,
}

impl Answer {
    pub fn of((before, line): (Vec<Line>, Line)) -> Answer {
        let infos = before.into_iter().filter(|line| line.begins_with("info"));
        Answer {
            infos: infos.map(|line| line.text).collect(),
            best: line.text.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned(),
            line: line.text,
            took: Duration::ZERO,
        }
    }
}
