//! The real binary as a child process, used as XBoard does.

use std::time::Duration;

use super::grammar::{self, Thinking};
use crate::run::qirkat;
use qirkat_testing::games::Game;
use qirkat_testing::pipes::Pipes;

/// How long an engine is watched that must stay silent.
pub const WATCH: Duration = Duration::from_millis(120);

fn fault(line: &str) -> Option<&'static str> {
    match line.strip_suffix('\n') {
        None => Some("every line is complete"),
        Some(text) => (!grammar::is_known(text)).then_some("the protocol knows every line"),
    }
}

/// A running engine, which must exit cleanly when dropped. Every line must follow the protocol's
/// grammar.
pub struct Engine {
    pipes: Pipes,
    pings: u32,
    has_left: bool,
}

impl Drop for Engine {
    fn drop(&mut self) {
        if !self.has_left && !std::thread::panicking() {
            self.say("quit");
            self.wait_for_clean_exit();
        }
    }
}

impl Engine {
    pub fn silent() -> Engine {
        Engine { pipes: Pipes::start(qirkat([]), fault), pings: 0, has_left: false }
    }

    /// An engine after XBoard's handshake, at the start of a game.
    pub fn greeted() -> Engine {
        let mut engine = Engine::silent();
        engine.say("xboard\nprotover 2");
        engine.until("feature done=1", |line| line == "feature done=1");
        engine.say("new\nvariant chesquerque\nnopost\neasy");
        engine.sync();
        engine
    }

    /// An engine in force mode at a position that takes a while to search.
    pub fn forced_at(fen: &str) -> (Engine, Game) {
        let mut engine = Engine::greeted();
        engine.silently(&format!("force\nsetboard {fen}"));
        (engine, Game::from_fen(fen))
    }

    pub fn say(&mut self, text: &str) {
        self.inject(format!("{text}\n").as_bytes());
    }

    pub fn inject(&mut self, bytes: &[u8]) {
        self.pipes.send(bytes);
    }

    pub fn hang_up(&mut self) {
        self.pipes.hang_up();
    }

    pub fn fail(&self, why: &str) -> ! {
        self.pipes.fail(why)
    }

    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        self.pipes.until(what, wanted).into_iter().map(|line| line.text).collect()
    }

    pub fn expect(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        self.until(what, wanted).pop().expect("at least the wanted line")
    }

    pub fn listen(&mut self, span: Duration) -> Vec<String> {
        self.pipes.listen(span).into_iter().map(|line| line.text).collect()
    }

    pub fn ping(&mut self) -> String {
        self.pings += 1;
        self.say(&format!("ping {}", self.pings));
        format!("pong {}", self.pings)
    }

    pub fn sync(&mut self) -> Vec<String> {
        let pong = self.ping();
        let mut lines = self.until(&pong, |line| line == pong);
        lines.pop();
        lines
    }

    pub fn answer(&mut self, text: &str) -> Vec<String> {
        self.say(text);
        self.sync()
    }

    pub fn silently(&mut self, text: &str) {
        let said = self.answer(text);
        if !said.is_empty() {
            self.fail(&format!("{text:?} is taken silently, not with {said:?}"));
        }
    }

    pub fn only_answer(&mut self, text: &str) -> String {
        let mut said = self.answer(text);
        match said.pop() {
            Some(only) if said.is_empty() => only,
            _ => self.fail(&format!("{text:?} is answered by one line")),
        }
    }

    pub fn moves_on(&mut self, game: &mut Game, text: &str) -> Vec<String> {
        let said = self.answer(text);
        self.take_move(game, said)
    }

    pub fn take_move(&self, game: &mut Game, said: Vec<String>) -> Vec<String> {
        let (moves, rest): (Vec<String>, Vec<String>) =
            said.into_iter().partition(|line| line.starts_with("move "));
        match &moves[..] {
            [only] if game.legal().iter().any(|legal| *legal == only["move ".len()..]) => {
                game.play(&only["move ".len()..]);
            }
            _ => self.fail(&format!("one legal move in {}, not {moves:?}", game.fen())),
        }
        rest.into_iter().filter(|line| Thinking::parse(line).is_none()).collect()
    }

    pub fn plays(&mut self, game: &mut Game, text: &str) -> Vec<String> {
        game.play(text);
        self.moves_on(game, &format!("usermove {text}"))
    }

    pub fn force_move(&mut self, game: &mut Game, text: &str) {
        game.play(text);
        self.silently(&format!("usermove {text}"));
    }

    /// Compares the engine's legal moves, point by point, with the reference generator: the only
    /// view of its board from outside.
    pub fn expect_position(&mut self, game: &Game) {
        self.say(&grammar::lifts());
        let said: Vec<String> = self.sync().into_iter().filter(|l| grammar::is_marker(l)).collect();
        let expected = grammar::expected_markers(game.current());
        if said != expected {
            self.fail(&format!("the engine stands at {}", game.fen()));
        }
    }

    pub fn expect_only_thinking(&mut self) {
        let may_come = |line: &&String| {
            Thinking::parse(line).is_some() || line.is_empty() || line.starts_with("Hint: ")
        };
        if let Some(line) = self.listen(WATCH).iter().find(|line| !may_come(line)) {
            self.fail(&format!("unasked: {line}"));
        }
    }

    pub fn expect_silence(&mut self) {
        let said = self.listen(WATCH);
        if !said.is_empty() {
            self.fail(&format!("unasked: {said:?}"));
        }
    }

    pub fn thinks(&mut self) -> Thinking {
        let line = self.expect("thinking output", |line| Thinking::parse(line).is_some());
        Thinking::parse(&line).expect("it was parsed before")
    }

    /// Waits for the engine to exit, with status 0 and an empty stderr. Returns its last output.
    pub fn wait_for_clean_exit(&mut self) -> Vec<String> {
        self.has_left = true;
        let rest = self.pipes.rest();
        let status = self.pipes.child.wait().expect("the process can be waited for");
        self.pipes.expect_empty_stderr();
        if status.code() != Some(0) {
            self.fail(&format!("left with {status}"));
        }
        rest
    }
}
