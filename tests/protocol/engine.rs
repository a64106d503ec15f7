//! The real binary as a child process, spoken to through its pipes.

use std::env;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::Answer;
use qirkat_testing::games::Game;
use qirkat_testing::pipes::{HUNG, Line, Pipes};

/// How many share the room; -1 when one has it alone.
static SHARING: Mutex<i32> = Mutex::new(0);
static LEFT: Condvar = Condvar::new();

/// The right to start engines. Tests that hold the engine to less than a second, or fill
/// the machine, take a room alone, so that the suite does not disturb itself. All others
/// share one: while a test waits for a room alone, and in it, half the machine is idle.
/// Every test takes one room only.
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
        Engine::over(self.command())
    }

    /// An engine started in another way, such as by a shell.
    pub fn engine_from(&self, command: Command) -> Engine {
        Engine::over(command)
    }

    /// The binary without arguments, to be started by hand.
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

/// What is wrong with a line.
fn fault(line: &str) -> Option<&'static str> {
    (!line.is_ascii()).then_some("the engine speaks plain ASCII")
}

/// A running engine, which leaves as it should when it is dropped. A line that is not plain
/// ASCII is a failure.
pub struct Engine {
    pipes: Pipes,
    asked_at: Instant,
    since_go: Vec<Line>,
    /// How many `bestmove` lines are owed in all; unknown after raw bytes.
    owed: Option<usize>,
    has_left: bool,
    /// Whether scores have to come with `wdl`.
    pub wdl: bool,
    /// Left after the engine.
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
            self.see_off();
        }
    }
}

impl Engine {
    fn over(command: Command) -> Engine {
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

    /// The only engine of a test that shares its room.
    pub fn shared() -> Engine {
        Engine::within(Room::shared())
    }

    /// The only engine of a test that has its room alone.
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

    /// Sends one or several lines in one write.
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

    /// Sends bytes as they are, after which nobody knows how many `bestmove`
    /// lines there will be.
    pub fn inject(&mut self, bytes: &[u8]) {
        self.owed = None;
        self.write(bytes);
    }

    fn write(&mut self, bytes: &[u8]) -> Instant {
        let now = Instant::now();
        self.pipes.send(bytes);
        now
    }

    /// The first line that is as wanted.
    pub fn expect(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> Line {
        self.until(what, wanted).pop().expect("at least the wanted line")
    }

    pub fn expect_bestmove(&mut self) -> Line {
        self.expect("bestmove", |line| line.starts_with("bestmove "))
    }

    /// All that was still to be said when idle.
    pub fn sync(&mut self) -> Vec<String> {
        self.say("isready");
        let mut lines = self.until("readyok", |line| line == "readyok");
        lines.pop();
        lines.into_iter().map(|line| line.text).collect()
    }

    /// Sends something that has to be taken without a word.
    pub fn silently(&mut self, text: &str) {
        self.say(text);
        let said = self.sync();
        if !said.is_empty() {
            self.fail(&format!("{text:?} is taken silently, not with {said:?}"));
        }
    }

    /// Sends something that is answered by a single `info string`; its text.
    pub fn notice(&mut self, text: &str) -> String {
        self.say(text);
        let said = self.sync();
        match &said[..] {
            [only] if only.starts_with("info string ") => only["info string ".len()..].to_owned(),
            _ => self.fail(&format!("{text:?} is answered by one info string, not by {said:?}")),
        }
    }

    /// The engine's own view of the position.
    pub fn fen(&mut self) -> String {
        self.say("d");
        let said = self.sync();
        let fens: Vec<&str> = said.iter().filter_map(|line| line.strip_prefix("Fen: ")).collect();
        match fens[..] {
            [fen] => fen.to_owned(),
            _ => self.fail("d prints one line that starts with Fen:"),
        }
    }

    /// The engine's own list of legal moves, in order.
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

    /// Starts a search.
    pub fn begin(&mut self, game: &Game, go: &str) {
        self.begin_raw(&format!("{}\n{go}", game.command()));
    }

    /// Starts a search with lines of the test's own.
    pub fn begin_raw(&mut self, text: &str) {
        self.since_go.clear();
        self.asked_at = self.say(text);
    }

    /// Watches a search that must not answer yet.
    pub fn still_searching(&mut self, span: Duration) {
        let mut lines = self.listen(span);
        if let Some(early) = lines.iter().find(|line| line.text.starts_with("bestmove")) {
            self.fail(&format!("too early: {}", early.text));
        }
        self.since_go.append(&mut lines);
    }

    /// Waits for `bestmove` and holds the whole answer to the rules.
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

    /// A whole search that ends by itself.
    pub fn search(&mut self, game: &Game, go: &str) -> Answer {
        self.begin(game, go);
        self.finish(game)
    }

    /// Stops a search; says how long the engine took to obey.
    pub fn stop(&mut self, game: &Game) -> (Answer, Duration) {
        self.end_with("stop", game)
    }

    /// Ends a search with some line; says how long the engine took to obey.
    pub fn end_with(&mut self, line: &str, game: &Game) -> (Answer, Duration) {
        let asked_at = self.asked_at;
        let said = self.say(line);
        let answer = self.finish(game);
        let after = (asked_at + answer.took).saturating_duration_since(said);
        (answer, after)
    }

    /// From now on it may be dropped without being seen off.
    pub fn abandon(&mut self) {
        self.has_left = true;
    }

    /// Waits for the engine to leave by itself: with status 0, a silent
    /// stderr, and one `bestmove` for every `go`. What it still said, and how
    /// long it took.
    pub fn see_off(&mut self) -> (Vec<String>, Duration) {
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

    /// Waits for the process to end, however it does, but with a silent stderr.
    pub fn gone(&mut self) -> ExitStatus {
        self.has_left = true;
        let Some(status) = wait(&mut self.pipes.child, HUNG) else {
            self.fail("the process does not end");
        };
        self.pipes.expect_no_complaints();
        status
    }
}

/// Waits for a process to end, but not for ever.
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
