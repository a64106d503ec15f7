//! The engine under test: sends requests and positions, and checks the answers.

use std::collections::VecDeque;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use qirkat_game::text::read_number;
use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::Move;
use qirkat_rules::variant::Variant;

use super::positions::Setup;
use crate::announced_option::{Greeting, OptionKind};
use crate::compliance::examiner::{
    CheckError, END, Examiner, Finding, Outcome, PROMPT, SEARCH, SET_UP, START, TranscriptListener,
    quoted,
};
use crate::engine_process::{
    DRAIN_TIMEOUT, EngineExit, EngineProcess, Line, POLL_INTERVAL, ReadError, SendError,
    set_option_command,
};
use crate::info_line::InfoLine;
use crate::machine::{Usage, usage};

/// Lines kept while waiting for an answer.
const KEPT_LINES: usize = 10_000;
/// Latest lines of standard error that a finding quotes.
const QUOTED_ERRORS: usize = 3;
/// Latest sent lines that a finding quotes.
const QUOTED_LINES: usize = 4;

/// Dropping it kills the engine and all processes it started.
pub(super) struct EngineUnderTest<'a> {
    pub(super) examiner: &'a Examiner<'a>,
    process: EngineProcess<TranscriptListener>,
    last_sent: Instant,
    last_line: Option<String>,
    exchange: Exchange,
    pub greeting: Greeting,
}

impl<'a> EngineUnderTest<'a> {
    /// Starts the engine without sending anything.
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

    /// A timeout for what usually takes at most `usual`.
    pub fn within(&self, usual: Duration) -> Duration {
        self.examiner.within(usual)
    }

    /// Sends `uci` and reads the answer up to `uciok`.
    pub fn greet(&mut self) -> Outcome {
        self.send("uci")?;
        let (lines, _) = self.expect("uciok", self.within(START))?;
        self.greeting = Greeting::parse(lines.iter().map(|line| line.text.as_str()));
        *self.examiner.name.borrow_mut() = self.greeting.names.first().cloned();
        Ok(())
    }

    /// Selects the variant if the engine plays several.
    pub fn choose_variant(&mut self) -> Outcome {
        let ours = Variant::Chesquerque.name();
        if let Some(option) = self.greeting.option("UCI_Variant")
            && let OptionKind::Combo(choices) = &option.kind
            && option.default.as_deref() != Some(ours)
            && choices.iter().any(|choice| choice == ours)
        {
            self.send(&set_option_command("UCI_Variant", Some(ours)))?;
            self.ready(SET_UP)?;
        }
        Ok(())
    }

    pub fn send(&mut self, line: &str) -> Outcome {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends one or more lines at once, unchanged.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Outcome {
        self.send_expecting(bytes, || "the engine to go on".to_owned())
    }

    /// Sends bytes; an engine that has exited is a fault if an answer was expected.
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

    pub fn hang_up(&mut self) {
        self.exchange.add(["the end of input".to_owned()]);
        self.process.listener.note(Instant::now(), '>', "(end of input)");
        self.process.hang_up();
        self.last_sent = Instant::now();
    }

    pub fn ready(&mut self, usual: Duration) -> Outcome<Vec<Line>> {
        let limit = self.within(usual);
        // Whether the engine dies before or after this is a race; both are reported alike.
        self.send_expecting(b"isready\n", || format!("`readyok` within {limit:?}"))?;
        self.expect_readyok(usual)
    }

    pub fn ready_without_answer(&mut self, why: &str) -> Outcome {
        let lines = self.ready(PROMPT)?;
        self.expect_none(&lines, why)
    }

    pub fn expect_readyok(&mut self, usual: Duration) -> Outcome<Vec<Line>> {
        Ok(self.expect("readyok", self.within(usual))?.0)
    }

    /// Waits for a line that begins with this word; returns the lines before it and that line.
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

    /// Sends lines that need no answer. After each, the engine must still run and must not answer
    /// with a move.
    pub fn survive(&mut self, lines: impl IntoIterator<Item: AsRef<[u8]>>) -> Outcome {
        lines.into_iter().try_for_each(|line| {
            self.send_bytes(&[line.as_ref(), b"\n"].concat())?;
            self.ready_without_answer("for it")
        })
    }

    /// Makes the next finding quote what was sent so far, although the engine behaved as expected.
    pub fn quote_exchange(&mut self) {
        self.exchange.is_settled = false;
    }

    /// Collects all lines for this long. The engine must keep running.
    pub fn listen(&mut self, time: Duration) -> Outcome<Vec<Line>> {
        let until = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(until, "the engine to go on")? {
            keep(&mut lines, line);
        }
        Ok(lines)
    }

    /// Watches this long that no answer to `go` comes.
    pub fn expect_no_answer(&mut self, time: Duration, why: &str) -> Outcome {
        let lines = self.listen(time)?;
        self.expect_none(&lines, why)
    }

    pub fn expect_none(&self, lines: &[Line], why: &str) -> Outcome {
        match lines.iter().find(|line| line.begins_with("bestmove")) {
            None => Ok(()),
            Some(line) => Err(self.fault(format!("no `bestmove` {why}"), quoted(&line.text))),
        }
    }

    pub fn usage(&self) -> Option<Usage> {
        usage(self.process.id())
    }

    /// The error for wrong behaviour after the latest lines sent.
    pub fn fault(&self, expected: impl Into<String>, got: impl Into<String>) -> CheckError {
        CheckError::Fault(self.finding(expected, got))
    }

    pub fn finding(&self, expected: impl Into<String>, got: impl Into<String>) -> Finding {
        Finding { sent: self.exchange.text(), expected: expected.into(), got: got.into() }
    }

    /// Sets up a position and starts a search. Late answers to earlier searches are skipped.
    pub fn go(&mut self, setup: &Setup, go: &str) -> Outcome {
        self.ready(SET_UP)?;
        self.send(&setup.command())?;
        self.send(go)
    }

    pub fn answer(&mut self, usual: Duration) -> Outcome<Answer> {
        self.answer_within(self.within(usual))
    }

    pub fn answer_within(&mut self, limit: Duration) -> Outcome<Answer> {
        let (before, line) = self.expect("bestmove", limit)?;
        let took = line.arrived.saturating_duration_since(self.last_sent);
        let infos = before.into_iter().filter(|line| line.begins_with("info"));
        Ok(Answer { infos: infos.map(|line| line.text).collect(), took, ..Answer::of(line) })
    }

    pub fn legal_answer(&mut self, setup: &Setup, usual: Duration) -> Outcome<Answer> {
        let answer = self.answer(usual)?;
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
        Ok((self.answer(PROMPT)?, false))
    }

    /// A short search, limited in two ways for engines that support only one. The answer is legal.
    pub fn think(&mut self, setup: &Setup) -> Outcome<Answer> {
        self.go(setup, "go depth 2 movetime 50")?;
        self.legal_answer(setup, SEARCH)
    }

    pub fn think_in(&mut self, setups: impl IntoIterator<Item = Setup>) -> Outcome {
        setups.into_iter().try_for_each(|setup| self.think(&setup).map(drop))
    }

    /// The move of an answer, which must be legal and correctly written.
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

    /// The next line; `None` on timeout. It is a fault if the engine exits meanwhile.
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
        let limit = self.within(END);
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
        // Its output may close a moment before the process exits.
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

    /// Its processes that outlive it. They may take a moment to exit.
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

fn keep(lines: &mut Vec<Line>, line: Line) {
    if lines.len() < KEPT_LINES {
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

pub(super) struct Ending {
    pub status: ExitStatus,
    pub lines: Vec<Line>,
    pub left: Vec<String>,
}

/// The sent lines that the next finding may quote.
#[derive(Default)]
struct Exchange {
    /// One more than is quoted, to show that lines were left out.
    lines: VecDeque<String>,
    /// Whether the engine behaved as expected, so that the next line sent begins a new exchange.
    is_settled: bool,
}

impl Exchange {
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

    /// With `…` in front if some were left out.
    fn text(&self) -> String {
        let left_out = self.lines.len().saturating_sub(QUOTED_LINES);
        let quoted: Vec<&str> = self.lines.iter().skip(left_out).map(String::as_str).collect();
        let dots = if left_out > 0 { "… " } else { "" };
        format!("{dots}{}", quoted.join(" "))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub infos: Vec<String>,
    pub line: String,
    pub best: String,
    /// Time from the last line sent to the answer.
    pub took: Duration,
}

impl Answer {
    /// An answer from its `bestmove` line alone.
    pub fn of(line: Line) -> Answer {
        Answer {
            infos: Vec::new(),
            best: line.text.split_ascii_whitespace().nth(1).unwrap_or("").to_owned(),
            line: line.text,
            took: Duration::ZERO,
        }
    }

    /// The well-formed `info` lines, as text and parsed.
    pub fn valid_infos(&self) -> impl Iterator<Item = (&str, Info<'_>)> {
        self.infos.iter().filter_map(|line| Some((line.as_str(), Info::parse(line).ok()?)))
    }
}

pub(super) struct Info<'a> {
    pub line: InfoLine<'a>,
    pub pv: Vec<Move>,
}

impl Info<'_> {
    /// Parses an `info` line, or reports what is wrong with it.
    pub fn parse(text: &str) -> Result<Info<'_>, String> {
        let mut line = InfoLine::parse(text.strip_prefix("info").unwrap_or(text));
        if let Some(error) = line.error.take() {
            return Err(error);
        }
        let mut pv = Vec::new();
        for &(word, texts) in &line.moves {
            let mut texts = texts.split_ascii_whitespace().peekable();
            // A `currline` may begin with the number of the CPU.
            texts.next_if(|text| word == "currline" && read_number(text).is_some());
            let moves = texts.map(|text| {
                let error = || format!("`{text}` behind `{word}`, which is not a move");
                Move::parse(text).ok_or_else(error)
            });
            let moves = moves.collect::<Result<Vec<Move>, String>>()?;
            if word == "pv" {
                pv = moves;
            }
        }
        Ok(Info { line, pv })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_or_refused() {
        for (line, wrong) in [
            (
                "depth 1 seldepth 2 multipv 1 score cp -5 nodes 7 nps 8 hashfull 0 time 9 pv a2a3",
                "",
            ),
            ("depth 1 score mate -3 upperbound wdl 0 0 1000 tbhits 0", ""),
            ("depth 1 score lowerbound cp 3", ""),
            ("pv a8a9a i2i4 depth 3", ""),
            ("currmove e2e4 currmovenumber 1", ""),
            ("refutation d2d4 e8e6", ""),
            ("currline 1 d2d4 e8e6", ""),
            ("string depth x", ""),
            ("", ""),
            ("depth x", "`x` behind `depth`, which is not a whole number from 0 up"),
            ("depth", "`nothing` behind `depth`"),
            ("depth 1.5", "`1.5` behind `depth`"),
            ("nodes -1", "`-1` behind `nodes`"),
            (
                "hashfull 1001",
                "`1001` behind `hashfull`, which is not a whole number from 0 to 1000",
            ),
            ("multipv 0", "`0` behind `multipv`"),
            ("score 15", "`15` behind `score`, not `cp` or `mate`"),
            ("score", "`nothing` behind `score`"),
            ("score cp +0.31", "`+0.31` behind `cp`, which is not a whole number"),
            ("score mate soon", "`soon` behind `mate`"),
            ("score cp 1 wdl 500 500 500", "wdl [500, 500, 500], which is not 1000 together"),
            ("depth 3 lowerbound", "a bound without a score"),
            ("pv e2e4 xx", "`xx` behind `pv`, which is not a move"),
            ("pv e2-e4", "`e2-e4` behind `pv`"),
            ("currmove Nf3", "`Nf3` behind `currmove`"),
        ] {
            match Info::parse(&format!("info {line}")) {
                Ok(_) => assert_eq!(wrong, "", "{line}"),
                Err(error) => {
                    assert!(!wrong.is_empty() && error.starts_with(wrong), "{line}: {error}");
                }
            }
        }
        let info =
            Info::parse("info depth 3 speed 7 score cp 1").expect("an unknown word is no fault");
        assert_eq!((info.line.unknown, info.line.depth), (Some("speed"), Some(3)));
    }
}
