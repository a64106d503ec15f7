//! The real binary as a child process, used through its pipes.

use std::env;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::Answer;
use qirkat_testing::games::Game;
use qirkat_testing::pipes::{HUNG, Line, Pipes};

/// The number of tests in the shared room; -1 when one has it alone.
static SHARING: Mutex<i32> = Mutex::new(0);
static LEFT: Condvar = Condvar::new();

/// The right to start engines. Tests that measure less than a second, or use all cores, take the
/// room alone; all others share it. Waiting for and holding the room alone leaves half the machine
/// idle. Each test takes the room once only.
pub struct Room {
    change: i32,
}

impl Room {
    pub fn shared() -> Room {
        Room::entered(1, |sharing| *sharing < 0)
    }

    pub fn alone() -> Room {
        Room::entered(-1, |sharing| *sharing != 0)
    }

    fn entered(change: i32, is_closed: fn(&mut i32) -> bool) -> Room {
        let sharing = SHARING.lock().unwrap_or_else(PoisonError::into_inner);
        *LEFT.wait_while(sharing, is_closed).unwrap_or_else(PoisonError::into_inner) += change;
        Room { change }
    }

    pub fn engine(&self) -> Engine {
        self.engine_from(self.command())
    }

    /// An engine started in another way, such as by a shell.
    pub fn engine_from(&self, command: Command) -> Engine {
        Engine {
            pipes: Pipes::start(command, fault),
            asked_at: Instant::now(),
            since_go: Vec::new(),
            owed: Some(0),
            has_left: false,
            wdl: false,
            _room: None,
        }
    }

    /// The binary without arguments, to be started by the test.
    pub fn command(&self) -> Command {
        let mut command = Command::new(binary());
        command.env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
        command
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        *SHARING.lock().unwrap_or_else(PoisonError::into_inner) -= self.change;
        LEFT.notify_all();
    }
}

pub fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_qirkat")
}

fn fault(line: &str) -> Option<&'static str> {
    (!line.is_ascii()).then_some("the engine speaks plain ASCII")
}

/// A running engine, which must exit cleanly when dropped. A line that is not plain ASCII is a
/// failure.
pub struct Engine {
    pipes: Pipes,
    asked_at: Instant,
    since_go: Vec<Line>,
    /// The total of expected `bestmove` lines; unknown after raw bytes.
    owed: Option<usize>,
    has_left: bool,
    /// Whether scores must have `wdl`.
    pub wdl: bool,
    /// Dropped after the engine.
    _room: Option<Room>,
}

impl Deref for Engine {
    type Target = Pipes;

    fn deref(&self) -> &Pipes {
        &self.pipes
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Pipes {
        &mut self.pipes
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if !self.has_left && !thread::panicking() {
            self.say("quit");
            self.wait_for_clean_exit();
        }
    }
}

impl Engine {
    /// The only engine of a test in the shared room.
    pub fn shared() -> Engine {
        Engine::within(Room::shared())
    }

    /// The only engine of a test that has the room alone.
    pub fn alone() -> Engine {
        Engine::within(Room::alone())
    }

    fn within(room: Room) -> Engine {
        let mut engine = room.engine();
        engine._room = Some(room);
        engine
    }

    #[cfg(unix)]
    pub fn pid(&self) -> u32 {
        self.pipes.child.id()
    }

    /// Sends one or more lines in one write.
    pub fn say(&mut self, text: &str) -> Instant {
        let gos = text.lines().filter(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some("go") && words.all(|word| word != "perft")
        });
        if let Some(owed) = &mut self.owed {
            *owed += gos.count();
        }
        self.write(format!("{text}\n").as_bytes())
    }

    /// Sends raw bytes, after which the number of `bestmove` lines is unknown.
    pub fn inject(&mut self, bytes: &[u8]) {
        self.owed = None;
        self.write(bytes);
    }

    fn write(&mut self, bytes: &[u8]) -> Instant {
        let now = Instant::now();
        self.pipes.send(bytes);
        now
    }

    pub fn expect(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> Line {
        self.until(what, wanted).pop().expect("at least the wanted line")
    }

    pub fn expect_bestmove(&mut self) -> Line {
        self.expect("bestmove", |line| line.starts_with("bestmove "))
    }

    pub fn sync(&mut self) -> Vec<String> {
        self.say("isready");
        let mut lines = self.until("readyok", |line| line == "readyok");
        lines.pop();
        lines.into_iter().map(|line| line.text).collect()
    }

    pub fn silently(&mut self, text: &str) {
        self.say(text);
        let said = self.sync();
        if !said.is_empty() {
            self.fail(&format!("{text:?} is taken silently, not with {said:?}"));
        }
    }

    /// Sends something with one `info string` as its answer; returns its text.
    pub fn notice(&mut self, text: &str) -> String {
        self.say(text);
        let said = self.sync();
        match &said[..] {
            [only] if only.starts_with("info string ") => only["info string ".len()..].to_owned(),
            _ => self.fail(&format!("{text:?} is answered by one info string, not by {said:?}")),
        }
    }

    pub fn fen(&mut self) -> String {
        self.say("d");
        let said = self.sync();
        let fens: Vec<&str> = said.iter().filter_map(|line| line.strip_prefix("Fen: ")).collect();
        match fens[..] {
            [fen] => fen.to_owned(),
            _ => self.fail("d prints one line that starts with Fen:"),
        }
    }

    pub fn moves(&mut self) -> Vec<String> {
        self.say("moves");
        let said = self.sync();
        let lists: Vec<&str> =
            said.iter().filter_map(|line| line.strip_prefix("Legal moves (")).collect();
        let list = match lists[..] {
            [list] => list.split_once("):"),
            _ => None,
        };
        let Some((count, moves)) = list else {
            self.fail("moves prints one line that starts with Legal moves (N):");
        };
        let mut moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        if count.parse() != Ok(moves.len()) {
            self.fail("moves counts what it lists");
        }
        moves.sort();
        moves
    }

    pub fn begin(&mut self, game: &Game, go: &str) {
        self.begin_raw(&format!("{}\n{go}", game.command()));
    }

    pub fn begin_raw(&mut self, text: &str) {
        self.since_go.clear();
        self.asked_at = self.say(text);
    }

    /// Checks that a search does not answer yet.
    pub fn still_searching(&mut self, span: Duration) {
        let mut lines = self.listen(span);
        if let Some(early) = lines.iter().find(|line| line.text.starts_with("bestmove")) {
            self.fail(&format!("too early: {}", early.text));
        }
        self.since_go.append(&mut lines);
    }

    /// Waits for `bestmove` and checks the whole answer.
    pub fn finish(&mut self, game: &Game) -> Answer {
        let mut lines = self.until("bestmove", |line| line.starts_with("bestmove"));
        let took = lines.last().map(|line| line.at.duration_since(self.asked_at));
        self.since_go.append(&mut lines);
        let texts = self.since_go.iter().map(|line| line.text.as_str());
        let answer = Answer::parse(texts, took.expect("the bestmove line"));
        self.since_go.clear();
        let checked = answer.and_then(|answer| answer.check(game, self.wdl).map(|()| answer));
        checked.unwrap_or_else(|error| self.fail(&error))
    }

    pub fn search(&mut self, game: &Game, go: &str) -> Answer {
        self.begin(game, go);
        self.finish(game)
    }

    pub fn stop(&mut self, game: &Game) -> (Answer, Duration) {
        self.end_with("stop", game)
    }

    /// Ends a search with this line; returns the time until `bestmove`.
    pub fn end_with(&mut self, line: &str, game: &Game) -> (Answer, Duration) {
        let asked_at = self.asked_at;
        let said = self.say(line);
        let answer = self.finish(game);
        let after = (asked_at + answer.took).saturating_duration_since(said);
        (answer, after)
    }

    /// From now on it may be dropped without a clean exit.
    pub fn abandon(&mut self) {
        self.has_left = true;
    }

    /// Waits for the engine to exit: with status 0, an empty stderr, and one `bestmove` for every
    /// `go`. Returns its last output and the time it took.
    pub fn wait_for_clean_exit(&mut self) -> (Vec<String>, Duration) {
        self.has_left = true;
        let from = Instant::now();
        let rest = self.pipes.rest();
        let status = self.gone();
        let took = from.elapsed();
        if status.code() != Some(0) {
            self.fail(&format!("left with {status}"));
        }
        let paid = self.pipes.count("bestmove");
        if self.owed.is_some_and(|owed| owed != paid) {
            self.fail(&format!("{:?} searches, {paid} bestmove lines", self.owed));
        }
        (rest, took)
    }

    /// Waits for the process to end with any status, but an empty stderr.
    pub fn gone(&mut self) -> ExitStatus {
        self.has_left = true;
        let Some(status) = wait(&mut self.pipes.child, HUNG) else {
            self.fail("the process does not end");
        };
        self.pipes.expect_empty_stderr();
        status
    }
}

/// Waits for a process to end, with a timeout.
pub fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + patience;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().expect("the process can be asked") {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(1));
    }
    None
}
