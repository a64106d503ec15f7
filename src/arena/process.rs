//! An engine as a process with pipes: lines out, lines in, and always a way
//! to be rid of it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use command_group::{CommandGroup, GroupChild};

use super::player::{Fault, Judgement};
use crate::engine::read_number;

/// How an engine is started.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The program.
    pub command: PathBuf,
    /// What follows it on its command line.
    pub arguments: Vec<String>,
    /// Where it runs; here when not given.
    pub directory: Option<PathBuf>,
    /// Added to its environment.
    pub environment: BTreeMap<String, String>,
}

impl Program {
    /// Whether the program can be started at all.
    ///
    /// # Errors
    /// When it cannot.
    pub fn check(&self) -> Result<(), Fault> {
        EngineProcess::start(self).map(EngineProcess::quit)
    }
}

/// The longest line of an engine that is looked at. The rest of a longer one
/// is thrown away.
const LONGEST_LINE: usize = 1 << 16;
/// The words that answers begin with. Each has a queue of its own, so that
/// none of them gets lost in a flood of the others.
const ANSWERS: [&str; 3] = ["uciok", "readyok", "bestmove"];
/// Answers of a kind that may wait to be read. What comes beyond is thrown
/// away, so that an engine that floods its output blocks nobody.
const WAITING_LINES: usize = 16;
/// How long an engine that was asked to quit may take.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);
/// How long lines of an engine that has ended may still be on their way.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Time between two looks at the stop flag while waiting.
const LOOK: Duration = Duration::from_millis(20);

/// A line that answers something, with the moment it arrived.
pub(super) struct Answer {
    pub text: String,
    pub arrived: Instant,
}

/// What an engine last said of its position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastInfo {
    pub judgement: Option<Judgement>,
    pub depth: Option<u32>,
}

/// A running engine. Dropping it kills it with all it has started.
pub(super) struct EngineProcess {
    child: GroupChild,
    stdin: Option<ChildStdin>,
    answers: [Receiver<Answer>; ANSWERS.len()],
    info: Arc<Mutex<LastInfo>>,
    ended: bool,
}

impl EngineProcess {
    /// Starts an engine.
    pub fn start(program: &Program) -> Result<EngineProcess, Fault> {
        let no_start = |error: std::io::Error| {
            Fault::NoStart(format!("{}: {error}", program.command.display()))
        };
        let mut command = Command::new(&program.command);
        command
            .args(&program.arguments)
            .envs(&program.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        // A group of its own, so that Ctrl-C reaches the arbiter alone and
        // nothing that the engine starts outlives it.
        let mut child = command.group_spawn().map_err(no_start)?;
        let stdin = child.inner().stdin.take();
        let stdout = child.inner().stdout.take();
        let queues = ANSWERS.map(|_| mpsc::sync_channel(WAITING_LINES));
        let senders = queues.each_ref().map(|(sender, _)| sender.clone());
        let answers = queues.map(|(_, answers)| answers);
        let info = Arc::new(Mutex::new(LastInfo::default()));
        if let Some(stdout) = stdout {
            let info = Arc::clone(&info);
            std::thread::Builder::new()
                .name("engine output".to_owned())
                .spawn(move || listen(BufReader::new(stdout), &senders, &info))
                .map_err(no_start)?;
        }
        Ok(EngineProcess { child, stdin, answers, info, ended: false })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        let stdin = self.stdin.as_mut().ok_or(Fault::Crashed)?;
        let text = format!("{line}\n");
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).map_err(|_| Fault::Crashed)
    }

    /// Forgets what was said so far.
    pub fn forget(&mut self) {
        for answers in &self.answers {
            // No more than were there: a flood brings others at once.
            let waiting = answers.try_iter().take(WAITING_LINES).count();
            log::trace!("{waiting} answers came unasked");
        }
        *self.info.lock().unwrap_or_else(PoisonError::into_inner) = LastInfo::default();
    }

    /// What was last said of the position.
    pub fn last_info(&self) -> LastInfo {
        *self.info.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next answer that begins with this word; `late` is the fault of an
    /// engine that does not give it until `latest`.
    pub fn wait_for(
        &mut self,
        word: &str,
        latest: Instant,
        late: Fault,
        stop: &AtomicBool,
    ) -> Result<Answer, Fault> {
        let Some(queue) = ANSWERS.iter().position(|&answer| answer == word) else {
            return Err(late);
        };
        let mut latest = latest;
        let mut late = late;
        let mut has_ended = false;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Fault::BrokenOff);
            }
            let left = latest.saturating_duration_since(Instant::now());
            match self.answers[queue].recv_timeout(left.min(LOOK)) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crashed),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(late),
                // Something the engine started may still hold its output open.
                Err(RecvTimeoutError::Timeout) if !has_ended && self.has_ended() => {
                    has_ended = true;
                    let last_words = Instant::now() + LAST_WORDS;
                    if last_words < latest {
                        (latest, late) = (last_words, Fault::Crashed);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the engine itself has ended.
    fn has_ended(&mut self) -> bool {
        // Once its status was fetched, asking again is an error.
        self.ended = self.ended || matches!(self.child.try_wait(), Ok(Some(_)));
        self.ended
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub fn quit(mut self) {
        let asked = self.send("quit");
        self.stdin = None;
        let patience = if asked.is_ok() { QUIT_PATIENCE } else { Duration::ZERO };
        let end = Instant::now() + patience;
        while Instant::now() < end {
            if self.has_ended() {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.stdin = None;
        // The engine may be gone while something it started is not.
        if let Err(error) = self.child.kill() {
            log::debug!("killing an engine: {error}");
        }
        if let Err(error) = self.child.wait() {
            log::debug!("waiting for an engine: {error}");
        }
    }
}

fn listen(mut output: impl BufRead, senders: &[SyncSender<Answer>], info: &Mutex<LastInfo>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = output.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes);
        match read {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let arrived = Instant::now();
        if bytes.last() != Some(&b'\n') && bytes.len() >= LONGEST_LINE && !skip_line(&mut output) {
            return;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if let Some(rest) = text.strip_prefix("info ") {
            note(rest, &mut info.lock().unwrap_or_else(PoisonError::into_inner));
        } else if let Some(sender) = queue_of(text).and_then(|queue| senders.get(queue)) {
            let answer = Answer { text: text.to_owned(), arrived };
            match sender.try_send(answer) {
                Ok(()) | Err(TrySendError::Full(_)) => {}
                Err(TrySendError::Disconnected(_)) => return,
            }
        }
    }
}

/// Throws the rest of a line away; false at the end of output.
fn skip_line(output: &mut impl BufRead) -> bool {
    loop {
        let (end, length) = match output.fill_buf() {
            Ok([]) | Err(_) => return false,
            Ok(chunk) => (chunk.iter().position(|&byte| byte == b'\n'), chunk.len()),
        };
        output.consume(end.map_or(length, |end| end + 1));
        if end.is_some() {
            return true;
        }
    }
}

fn queue_of(text: &str) -> Option<usize> {
    let word = text.split_ascii_whitespace().next()?;
    ANSWERS.iter().position(|&answer| answer == word)
}

/// Keeps depth and score of an `info` line of the first variation.
fn note(line: &str, info: &mut LastInfo) {
    let mut words = line.split_ascii_whitespace().peekable();
    let mut depth = None;
    let mut judgement = None;
    while let Some(word) = words.next() {
        let mut number = || words.peek().and_then(|word| read_number(word));
        match word {
            "string" | "pv" => break,
            "multipv" if number().is_some_and(|rank| rank != 1) => return,
            "depth" => depth = number().and_then(|depth| u32::try_from(depth).ok()),
            "cp" => judgement = number().map(|value| Judgement::Centipawns(clamped(value))),
            "mate" => judgement = number().map(|moves| Judgement::Mate(clamped(moves))),
            _ => {}
        }
    }
    if judgement.is_some() {
        *info = LastInfo { judgement, depth };
    }
}

fn clamped(number: i64) -> i32 {
    number.clamp(i64::from(i32::MIN + 1), i64::from(i32::MAX)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variation_is_noted() {
        let mut info = LastInfo::default();
        for (line, judgement, depth) in [
            ("depth 3 score cp 15 pv e2e4", Some(Judgement::Centipawns(15)), Some(3)),
            ("depth 4 multipv 2 score cp 99 pv e2e4", Some(Judgement::Centipawns(15)), Some(3)),
            ("string score cp 7", Some(Judgement::Centipawns(15)), Some(3)),
            ("depth 9 seldepth 12 multipv 1 score mate -3", Some(Judgement::Mate(-3)), Some(9)),
            ("depth x score cp y", Some(Judgement::Mate(-3)), Some(9)),
        ] {
            note(line, &mut info);
            assert_eq!((info.judgement, info.depth), (judgement, depth), "{line}");
        }
    }
}
