//! Runs the steps of the script: sends lines and checks the answers.

use std::mem;
use std::process::ExitStatus;
use std::str::FromStr;
use std::thread::sleep;
use std::time::Duration;

use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::Move;

use super::context::{
    CheckContext, CheckError, CheckResult, ExamineError, Finding, Verdict, quoted,
};
use super::script::{Check, Step, TestPosition, positions};
use super::tested_engine::{Answer, SETUP_TIMEOUT, TestedEngine};

use crate::announced_option::OptionKind;
use crate::engine_process::{Line, set_option_command};

/// Time for immediate answers: `isready`, `stop`.
const PROMPT_TIMEOUT: Duration = Duration::from_secs(2);
const SEARCH_TIMEOUT: Duration = Duration::from_secs(5);
/// Allowed beyond the clock, for delays of the machine.
const MARGIN: Duration = Duration::from_millis(250);

pub(super) struct CheckRun<'a> {
    context: &'a CheckContext<'a>,
    pub engine: TestedEngine<'a>,
    /// Lines collected by `ready` and `listen`, not yet checked.
    pub lines: Vec<Line>,
    pub answer: Answer,
    /// Whether the last answer had to be forced by `stop`.
    pub was_stopped: bool,
    status: Option<ExitStatus>,
    warning: Option<Finding>,
}

/// The variables set by the enclosing loops.
#[derive(Clone, Copy)]
struct Bindings<'s> {
    setup: &'s TestPosition,
    /// Replaces `$`.
    value: Option<&'s str>,
    round: u32,
}

impl<'a> CheckRun<'a> {
    pub fn start(context: &'a CheckContext<'a>) -> Result<CheckRun<'a>, ExamineError> {
        Ok(CheckRun {
            context,
            engine: TestedEngine::start(context)?,
            lines: Vec::new(),
            answer: Answer::default(),
            was_stopped: false,
            status: None,
            warning: None,
        })
    }

    pub fn run_check(&mut self, check: &Check) -> CheckResult<Verdict> {
        if check.needs.contains(&"ready") {
            self.engine.greet()?;
            self.engine.choose_variant()?;
            self.engine.ready(SETUP_TIMEOUT)?;
        }
        self.run(check.steps, Bindings { setup: &TestPosition::start(), value: None, round: 0 })?;
        Ok(self.warning.take().map_or(Verdict::Passed, Verdict::Warned))
    }

    fn run(&mut self, steps: &[Step], bindings: Bindings<'_>) -> CheckResult {
        steps.iter().try_for_each(|step| self.step(step, bindings))
    }

    fn step(&mut self, Step { text, block }: &Step, bindings: Bindings<'_>) -> CheckResult {
        let Bindings { setup, value, round } = bindings;
        let text = value.map_or((*text).to_owned(), |value| text.replace('$', value));
        let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let engine = &mut self.engine;
        match word {
            // Repeats the steps below in each position of these lists.
            "in" => {
                for setup in rest.split(' ').flat_map(positions) {
                    self.run(block, Bindings { setup: &setup, ..bindings })?;
                }
            }
            // Repeats them with each value.
            "each" => {
                for value in rest.split(" | ") {
                    self.run(block, Bindings { value: Some(value), ..bindings })?;
                }
            }
            // Repeats them with the first move, with the last, and with the list of every second move.
            "some-moves" => {
                let legal = setup.legal();
                let half: Vec<&str> = legal.iter().step_by(2).map(String::as_str).collect();
                for value in [&legal[0], &legal[legal.len() - 1], &half.join(" ")] {
                    self.run(block, Bindings { value: Some(value), ..bindings })?;
                }
            }
            // Repeats them this often.
            "times" => {
                for round in 0..number(rest) {
                    self.run(block, Bindings { round, ..bindings })?;
                }
            }
            // Runs them once, with a text repeated this often as the value.
            "repeat" => {
                let (count, part) = rest.split_once(' ').unwrap_or(("1", rest));
                let value = part.repeat(number(count));
                self.run(block, Bindings { value: Some(&value), ..bindings })?;
            }

            "greet" => engine.greet()?,
            // Sent unchanged.
            ">" => engine.send_bytes(&bytes_of(&format!("{rest}\\x0a")))?,
            // The position and some lines at once.
            "burst" => {
                let lines = rest.replace(" | ", "\\x0a");
                engine.send_bytes(&bytes_of(&format!("{}\\x0a{lines}\\x0a", setup.command())))?;
            }
            "go" => self.go(setup, &text)?,
            "think" => self.think(setup)?,
            "option" => {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
                self.set_option(name, value)?;
            }
            "set-options" => self.set_all_options(rest == "good")?,
            "hang-up" => engine.close_stdin(),
            "restart" => self.engine = TestedEngine::start(self.context)?,
            // Sends a line that needs no answer. The engine must still run afterwards.
            "survive" => {
                engine.send_bytes(&bytes_of(&format!("{rest}\\x0a")))?;
                self.lines = engine.ready(PROMPT_TIMEOUT)?;
                self.expect_none("bestmove", "for it")?;
            }

            "wait" => sleep(self.time(rest)),
            // Longer from round to round, for races.
            "pause" => sleep(self.time(rest) * round),
            "ready" => {
                let limit = self.time(rest);
                self.lines.extend(self.engine.ready_within(limit)?);
            }
            // Like `ready`, but the lines before `readyok` are not collected.
            "settle" => drop(self.engine.ready_within(self.time(rest))?),
            "readyok" => drop(self.engine.expect("readyok", self.time(rest))?),
            "listen" => {
                let time = self.time(rest);
                self.lines.extend(self.engine.listen(time)?);
            }
            "answer" => self.receive(self.time(rest))?,
            "move" => {
                self.receive(self.time(rest))?;
                self.legal_move(setup)?;
            }
            "move-or-stop" => {
                self.receive_or_stop(self.time(rest))?;
                self.legal_move(setup)?;
            }
            // An answer within so many milliseconds on the engine's clock.
            "in-time" => {
                let limit = Duration::from_millis(number(rest));
                self.receive(limit + self.engine.within(SEARCH_TIMEOUT))?;
                self.legal_move(setup)?;
                let is_in_time = self.answer.took <= limit + self.engine.within(MARGIN);
                let came = format!("it after {} ms", self.answer.took.as_millis());
                self.engine.require(is_in_time, format!("`bestmove` within {rest} ms"), came)?;
            }
            "legal" => drop(self.legal_move(setup)?),
            "none" => {
                let (word, why) = rest.split_once(' ').unwrap_or((rest, ""));
                self.expect_none(word, why)?;
            }
            "answers" => self.expect_answers(rest)?,
            // The next finding quotes what was sent so far, although the engine has answered it.
            "quote" => engine.exchange.starts_anew = false,
            // The engine exits, with at most this many answers to a search.
            "end" => self.status = Some(self.engine.end(rest.parse().ok())?),
            "exit" => {
                if let Some(status) = self.status.filter(|status| status.code() != Some(0)) {
                    return Err(engine.fault("exit status 0", status.to_string()));
                }
            }
            "judge" => {
                let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                self.judge(name, rest, setup)?;
            }
            _ => unreachable!("`{text}` is not a step"),
        }
        Ok(())
    }

    /// Parses a time of the script. Times in seconds are limits, scaled by the patience.
    pub fn time(&self, text: &str) -> Duration {
        if let Some(millis) = text.strip_suffix("ms") {
            Duration::from_millis(number(millis))
        } else if let Some(micros) = text.strip_suffix("us") {
            Duration::from_micros(number(micros))
        } else {
            let seconds = text.strip_suffix('s').unwrap_or(text);
            self.engine.within(Duration::from_secs(number(seconds)))
        }
    }

    pub fn warn(&mut self, expected: impl Into<String>, got: impl Into<String>) -> CheckResult {
        self.warning.get_or_insert(self.engine.finding(expected, got));
        Ok(())
    }

    /// Sets up a position and starts a search. Late answers to earlier searches are skipped.
    fn go(&mut self, setup: &TestPosition, go: &str) -> CheckResult {
        self.engine.ready(SETUP_TIMEOUT)?;
        self.lines.clear();
        self.engine.send(&setup.command())?;
        self.engine.send(go)
    }

    /// A short search, limited in two ways for engines that support only one. Checks the move.
    pub fn think(&mut self, setup: &TestPosition) -> CheckResult {
        self.go(setup, "go depth 2 movetime 50")?;
        self.receive(self.engine.within(SEARCH_TIMEOUT))?;
        self.legal_move(setup).map(drop)
    }

    fn receive(&mut self, limit: Duration) -> CheckResult {
        self.lines.clear();
        let found = self.engine.expect("bestmove", limit)?;
        let took = found.1.arrived.saturating_duration_since(self.engine.last_sent);
        self.answer = Answer { took, ..Answer::of(found) };
        Ok(())
    }

    fn receive_or_stop(&mut self, time: Duration) -> CheckResult {
        match self.engine.find("bestmove", time, "`bestmove`")? {
            Some(found) => {
                self.was_stopped = false;
                self.answer = Answer::of(found);
                Ok(())
            }
            None => {
                self.was_stopped = true;
                self.engine.send("stop")?;
                self.receive(self.engine.within(PROMPT_TIMEOUT))
            }
        }
    }

    /// The move of the last answer; a fault unless it is legal and correctly written.
    pub fn legal_move(&self, setup: &TestPosition) -> CheckResult<Move> {
        let Answer { best, line, .. } = &self.answer;
        let read = Move::parse(best);
        let good = read.filter(|mv| mv.to_string() == *best);
        good.filter(|&mv| setup.position().is_legal(mv)).ok_or_else(|| {
            let expected = format!("a legal move for {:?}", setup.position().side_to_move());
            let reason = read.and_then(|mv| setup.position().why_illegal(mv));
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            self.engine.fault(expected, format!("{}{reason}", quoted(line)))
        })
    }

    fn expect_none(&mut self, word: &str, why: &str) -> CheckResult {
        match mem::take(&mut self.lines).iter().find(|line| line.begins_with(word)) {
            None => Ok(()),
            Some(line) => Err(self.engine.fault(format!("no `{word}` {why}"), quoted(&line.text))),
        }
    }

    /// Checks the number of answers among the lines. `text`: least, greatest, and what is expected.
    fn expect_answers(&mut self, text: &str) -> CheckResult {
        let mut words = text.splitn(3, ' ');
        let mut next = || words.next().unwrap_or_default();
        let (least, most, meaning) = (number(next()), number(next()), next());
        let mut lines = mem::take(&mut self.lines);
        lines.retain(|line| line.begins_with("bestmove"));
        let is_good = (least..=most).contains(&lines.len());
        self.engine.require(is_good, meaning, format!("{} of them", lines.len()))?;
        self.answer = lines.pop().map_or_else(Answer::default, |line| Answer::of((lines, line)));
        Ok(())
    }

    /// Sets an option if the engine announces it, to the nearest value that it allows.
    fn set_option(&mut self, name: &str, value: &str) -> CheckResult {
        let Some(option) = self.engine.greeting.option(name) else {
            return Err(skipped(format!("announces no option `{name}`")));
        };
        let value = match option.kind {
            OptionKind::Spin { min: Some(min), max: Some(max) } => {
                number::<i64>(value).clamp(min, max).to_string()
            }
            _ => value.to_owned(),
        };
        self.engine.send(&set_option_command(name, Some(&value)))
    }
}

pub(super) fn skipped(reason: String) -> CheckError {
    CheckError::Verdict(Verdict::Skipped(reason))
}

pub(super) fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| unreachable!("`{text}` is not a number"))
}

/// A text of the script, where `\xff` stands for a byte.
fn bytes_of(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at(2);
        bytes.extend(u8::from_str_radix(code, 16));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
