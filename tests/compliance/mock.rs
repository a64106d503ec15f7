//! A small UCI engine that plays the first legal move, with one fault.

use qirkat_game::Rules;
use std::io::{BufRead, Write, stdin, stdout};
use std::process::{Command, exit};
use std::thread;
use std::time::{Duration, Instant};

use qirkat::chesquerque::{Game, Move, Position};

/// A `stop` this soon after `go` is a race.
const RACE: Duration = Duration::from_millis(10);
/// How long after an answer the fault of `stop` still applies: a busy machine delays it.
const LATE_STOP: Duration = Duration::from_millis(100);
/// More than the shortest times plus the tests' margin.
const LATE: Duration = Duration::from_millis(750);
const LEAK: usize = 3 << 20;
/// The threads of the idle fault, and their work and rest times: together they use several times
/// what the check allows, but leave CPU for tests in parallel.
const WORKING: usize = 4;
const WORK: Duration = Duration::from_millis(5);
const REST: Duration = Duration::from_millis(20);

/// Runs until the end of input, with the fault of this name.
pub fn run(fault: &str) {
    let mut mock = Mock { fault: fault.to_owned(), lines: 1, ..Mock::default() };
    mock.start();
    let mut input = stdin().lock();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => mock.line(&bytes),
        }
    }
    if mock.has("deaf-to-end") || (mock.has("deaf-to-end-searching") && mock.pending.is_some()) {
        sleep_forever();
    }
}

#[derive(Default)]
struct Mock {
    fault: String,
    game: Game,
    moves_made: usize,
    /// `MultiPV`.
    lines: usize,
    /// The search that runs until `stop` or `ponderhit`.
    pending: Option<Search>,
    /// When the last answer was given.
    answered: Option<Instant>,
    /// Whether the previous line was a `go` too.
    has_just_begun: bool,
    noise_begun: bool,
    leaked: Vec<Vec<u8>>,
}

#[derive(Clone, Default)]
struct Search {
    words: Vec<String>,
    game: Game,
    began: Option<Instant>,
}

impl Search {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|one| one == word)
    }

    fn number(&self, word: &str) -> Option<i64> {
        let at = self.words.iter().position(|one| one == word)?;
        self.words.get(at + 1)?.parse().ok()
    }

    /// The moves after `searchmoves`.
    fn allowed(&self) -> Vec<Move> {
        let words = self.words.iter().skip_while(|word| *word != "searchmoves").skip(1);
        words.map_while(|word| Move::parse(word)).collect()
    }
}

fn say(text: &str) {
    let mut output = stdout().lock();
    if writeln!(output, "{text}").and_then(|()| output.flush()).is_err() {
        exit(0);
    }
}

/// Repeats a line for ever, in bursts: more than is read between two answers, but with CPU left
/// for tests in parallel.
fn flood(text: &str) -> ! {
    const BURST: usize = 1 << 18;
    const PAUSE: Duration = Duration::from_millis(50);
    let burst = text.repeat(BURST / text.len());
    loop {
        if stdout().lock().write_all(burst.as_bytes()).is_err() {
            exit(0);
        }
        thread::sleep(PAUSE);
    }
}

fn sleep_forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

impl Mock {
    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    /// The usual text, or that of the fault.
    fn or<'a>(&self, usual: &'a str, faulty: &[(&str, &'a str)]) -> &'a str {
        faulty.iter().find(|(fault, _)| self.has(fault)).map_or(usual, |(_, text)| text)
    }

    /// Ends with an error if that is the fault.
    fn die_if(&self, fault: &str, is_reached: bool, why: &str) {
        if self.has(fault) && is_reached {
            eprintln!("mock: {why}");
            exit(70);
        }
    }

    fn start(&self) {
        self.die_if("exits-at-start", true, "no license");
        match self.fault.as_str() {
            "welcomes" => say("Mock 1.0 by nobody"),
            "ready-before-uci" => say("readyok"),
            "leaves-a-child" => {
                let shell = Command::new("sh").args(["-c", "sleep 1000 &"]).status();
                assert!(shell.expect("a shell").success());
            }
            _ => {}
        }
    }

    fn greet(&self) {
        say("id name Mock");
        let say_if = |is_said: bool, text: &str| {
            if is_said {
                say(text);
            }
        };
        let author = self.or("id author nobody", &[("empty-author", "id author")]);
        say_if(!self.has("no-author"), author);
        say_if(self.has("two-names"), "id name Mock again");
        let faulty = [
            ("default-out-of-bounds", "spin default 0 min 1 max 1024"),
            ("spin-without-max", "spin default 16 min 1"),
            ("hash-as-string", "string default 16"),
        ];
        let hash = self.or("spin default 16 min 1 max 1024", &faulty);
        say(&format!("option name Hash type {hash}"));
        say_if(self.has("option-twice"), "option name HASH type spin default 16 min 1 max 1024");
        say_if(self.has("bad-combo"), "option name Style type combo default Wild var Solid");
        say_if(!self.has("no-multipv"), "option name MultiPV type spin default 1 min 1 max 500");
        say_if(!self.has("no-ponder"), "option name Ponder type check default false");
        let game = self.or("chesquerque", &[("other-variant", "chess")]);
        let variant = format!("option name UCI_Variant type combo default {game} var {game}");
        say_if(!self.has("no-variant"), &variant);
        say_if(!self.has("no-uciok"), "uciok");
        match self.fault.as_str() {
            "floods" => flood("info string flood\n"),
            "endless-line" => flood("info string and so on"),
            "reads-nothing" => sleep_forever(),
            _ => {}
        }
    }

    fn line(&mut self, bytes: &[u8]) {
        let is_text = std::str::from_utf8(bytes).is_ok();
        self.die_if("dies-at-bytes", !is_text, "stream did not contain valid UTF-8");
        self.die_if("dies-at-long-line", bytes.len() > 65_536, "line too long");
        let text = String::from_utf8_lossy(bytes).into_owned();
        let words: Vec<&str> = match self.fault.as_str() {
            "cr-blind" => text.trim_end_matches('\n').split(' ').collect(),
            _ => text.split_ascii_whitespace().collect(),
        };
        self.has_just_begun &= words.first() == Some(&"go");
        match words.as_slice() {
            ["uci"] => self.greet(),
            ["isready"] => self.ready(),
            ["setoption", rest @ ..] => self.set_option(rest),
            ["ucinewgame"] => self.new_game(),
            ["position", rest @ ..] => self.position(rest),
            ["go", rest @ ..] => self.go(rest),
            ["stop"] => self.stop(),
            ["ponderhit"] => self.ponder_hit(),
            ["quit"] => self.quit(),
            ["debug" | "register", ..] => self.die_if("dies-at-debug", true, "what is debug?"),
            [] | [""] => self.die_if("dies-at-empty-line", true, "index out of bounds"),
            [word, ..] => {
                self.die_if("dies-at-garbage", true, &format!("unknown command {word}"));
            }
        }
    }

    fn ready(&self) {
        if self.has("no-readyok") || (self.has("deaf-while-searching") && self.pending.is_some()) {
            return;
        }
        say("readyok");
        if self.has("readyok-twice") {
            say("readyok");
        }
    }

    fn set_option(&mut self, words: &[&str]) {
        let text = words.join(" ");
        let (name, value) = text.split_once(" value ").unwrap_or((&text, ""));
        match name.strip_prefix("name ").unwrap_or("") {
            "MultiPV" => {
                let lines = value.parse();
                self.die_if("dies-at-bad-value", lines.is_err(), "ParseIntError: InvalidDigit");
                self.lines = lines.unwrap_or(1);
                self.die_if("dies-at-max", self.lines == 500, "too many lines");
            }
            "Hash" | "Ponder" | "UCI_Variant" => {}
            _ => self.die_if("dies-at-unknown-option", true, "no such option"),
        }
    }

    fn new_game(&mut self) {
        self.game = Game::default();
        self.die_if("dies-at-second-game", self.answered.is_some(), "already playing");
        if self.has("leaks") {
            self.leaked.push(vec![1; LEAK]);
        }
    }

    fn position(&mut self, words: &[&str]) {
        self.die_if("dies-at-position-while-searching", self.pending.is_some(), "searching");
        if self.has("forgets-search-at-position") {
            self.pending = None;
        }
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (setup, moves) = words.split_at(split);
        let position = match setup {
            ["startpos"] => Position::start(),
            ["fen", fields @ ..] => {
                self.die_if("wants-clocks", fields.len() == 4, "no clock");
                let mut fields = fields.to_vec();
                if self.has("only-white") && fields.len() > 1 {
                    fields[1] = "w";
                }
                if self.has("no-en-passant") && fields.len() > 3 {
                    fields[3] = "-";
                }
                match Position::from_fen(&fields.join(" ")) {
                    Ok(parsed) => parsed.position,
                    Err(error) => {
                        return self.die_if("dies-at-bad-fen", true, &error.to_string());
                    }
                }
            }
            _ => return,
        };
        self.game = Game::from_position(position);
        self.moves_made = 0;
        let read = if self.has("reads-forty-moves") { 40 } else { moves.len() };
        for text in moves.iter().skip(1).take(read) {
            self.make(text);
        }
        self.die_if("dies-in-long-games", self.moves_made > 256, "out of bounds: the len is 256");
        let is_crowded = self.game.position().legal_moves().len() > 255;
        self.die_if("dies-in-a-crowd", is_crowded, "too many moves");
    }

    fn make(&mut self, text: &str) {
        let mv = Move::parse(text).filter(|&mv| self.game.position().is_legal(mv));
        let Some(mv) = mv else {
            return self.die_if("dies-at-illegal-move", true, "illegal move");
        };
        let is_castling = ["e1h1", "e1b1", "e9h9", "e9b9"].contains(&text);
        if (self.has("no-castling") && is_castling)
            || (self.has("no-archbishop") && text.len() == 5 && text.ends_with('a'))
        {
            return;
        }
        self.game.play(mv);
        self.moves_made += 1;
    }

    fn go(&mut self, words: &[&str]) {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        let search = Search { words, game: self.game.clone(), began: Some(Instant::now()) };
        if let Some(earlier) = self.pending.take() {
            self.answer(&earlier);
        }
        self.die_if("dies-at-second-go", self.has_just_begun, "already searching");
        self.has_just_begun = true;
        let clock = search.number(if self.is_white() { "wtime" } else { "btime" });
        let other = search.number(if self.is_white() { "btime" } else { "wtime" });
        let is_negative = clock.is_some_and(|clock| clock < 0);
        self.die_if("dies-at-negative-clock", is_negative, "negative duration");
        self.die_if("dies-at-mate", search.has("mate"), "unknown limit");
        let only = |word: &str| search.has(word) && search.words.len() == 2;
        let is_forced = self.game.position().legal_moves().len() == 1;
        let (is_infinite, ponders) = (search.has("infinite"), search.has("ponder"));
        let waits = match self.fault.as_str() {
            "impatient" => ponders,
            "impatient-when-forced" => ponders || is_infinite && !is_forced,
            "ponders-no-longer-than-depth" => is_infinite || ponders && !search.has("depth"),
            "does-not-ponder" => is_infinite,
            "ignores-depth" => is_infinite || ponders || only("depth"),
            "ignores-nodes" => is_infinite || ponders || only("nodes"),
            "ignores-mate" => is_infinite || ponders || only("mate"),
            _ => is_infinite || ponders,
        };
        if self.game.position().has_legal_moves() && waits {
            self.pending = Some(search);
            return;
        }
        match self.fault.as_str() {
            "overshoots-movetime" if only("movetime") => thread::sleep(LATE),
            "overstays-clock" if clock.is_some() && !ponders => thread::sleep(LATE),
            "reads-other-clock" if clock.is_some_and(|clock| (100..=1000).contains(&clock)) => {
                thread::sleep(Duration::from_millis(other.unwrap_or(0).clamp(0, 3000) as u64));
            }
            _ => {}
        }
        self.answer(&search);
    }

    fn is_white(&self) -> bool {
        self.game.position().side_to_move() == qirkat::chesquerque::Color::White
    }

    fn stop(&mut self) {
        let is_early = |search: &Search| search.began.is_some_and(|at| at.elapsed() < RACE);
        if self.has("loses-early-stop") && self.pending.as_ref().is_some_and(is_early) {
            return;
        }
        let is_late = self.answered.is_some_and(|at| at.elapsed() < LATE_STOP);
        match self.pending.take() {
            Some(search) => self.answer(&search),
            None if self.has("answers-idle-stop") || self.has("answers-late-stop") && is_late => {
                say("bestmove e2e4");
            }
            None => {}
        }
    }

    fn ponder_hit(&mut self) {
        if self.has("deaf-to-ponderhit") {
            return;
        }
        match self.pending.take_if(|search| search.has("ponder")) {
            Some(search) => self.answer(&search),
            None if self.has("answers-idle-ponderhit") => say("bestmove e2e4"),
            None => {}
        }
    }

    fn quit(&self) {
        let searches = |word| self.pending.as_ref().is_some_and(|search| search.has(word));
        match self.fault.as_str() {
            "deaf-to-quit" => sleep_forever(),
            "deaf-to-quit-searching" if searches("infinite") => sleep_forever(),
            "deaf-to-quit-pondering" if searches("ponder") => sleep_forever(),
            "exit-status" => exit(1),
            "says-goodbye" => say("goodbye"),
            _ => {}
        }
        exit(0);
    }
}

impl Mock {
    fn answer(&mut self, search: &Search) {
        self.answered = Some(Instant::now());
        if self.has("makes-noise") && !std::mem::replace(&mut self.noise_begun, true) {
            thread::spawn(|| {
                loop {
                    thread::sleep(Duration::from_millis(50));
                    say("info string still here");
                }
            });
        }
        if self.has("works-when-idle") && !std::mem::replace(&mut self.noise_begun, true) {
            // Several, so that they get their share of a busy machine too.
            for _ in 0..WORKING {
                thread::spawn(|| {
                    loop {
                        let from = Instant::now();
                        while from.elapsed() < WORK {
                            std::hint::spin_loop();
                        }
                        thread::sleep(REST);
                    }
                });
            }
        }
        let game = if self.has("answers-in-new-position") { &self.game } else { &search.game };
        let position = *game.position();
        let mut legal = position.legal_moves().to_vec();
        let allowed = search.allowed();
        if !allowed.is_empty() && !self.has("ignores-searchmoves") {
            legal.retain(|mv| allowed.contains(mv));
        }
        let Some(&best) = legal.first() else {
            self.answer_at_the_end(&position);
            return;
        };
        if self.has("none-when-drawn") && game.outcome().is_some() {
            say("bestmove (none)");
            return;
        }
        if self.has("blind-to-file-i") && position.king(position.side_to_move()).file() == 8 {
            say("bestmove h1h2");
            return;
        }
        let reply = self.tell(&position, &legal);
        let mut best = best.to_string();
        if self.has("upper-case-promotions") {
            best = best.replace('q', "Q");
        } else if self.has("plays-illegal-moves") {
            best = "e1e9".to_owned();
        }
        match (self.fault.as_str(), reply) {
            ("illegal-ponder-move", _) => say(&format!("bestmove {best} ponder {best}")),
            ("comments-on-bestmove", _) => say(&format!("bestmove {best} good!")),
            (_, Some(reply)) => say(&format!("bestmove {best} ponder {reply}")),
            (_, None) => say(&format!("bestmove {best}")),
        }
        if self.has("answers-twice") {
            say(&format!("bestmove {best}"));
        }
    }

    /// The answer when the side to move has no legal move.
    fn answer_at_the_end(&self, position: &Position) {
        let is_mate = position.in_check();
        let faulty = [("calm-when-mated", "cp -900"), ("stalemate-as-mate", "mate 0")];
        let score = self.or(if is_mate { "mate 0" } else { "cp 0" }, &faulty);
        say(&format!("info depth 0 score {score}"));
        if !self.has("silent-when-mated") {
            say(self.or("bestmove (none)", &[("moves-when-mated", "bestmove e2e4")]));
        }
    }

    /// Reports the search; returns the ponder move.
    fn tell(&self, position: &Position, legal: &[Move]) -> Option<Move> {
        let best = legal[0];
        let mut shown = legal.to_vec();
        let mut next = *position;
        next.make(best);
        let reply = next.legal_moves().first().copied();
        let line = match (self.fault.as_str(), reply) {
            ("illegal-pv", _) => format!("{best} {best}"),
            ("pv-in-san", _) => position.san(best),
            (_, Some(reply)) => format!("{best} {reply}"),
            (_, None) => best.to_string(),
        };
        let faulty = [("unknown-word", "3 speed 7"), ("hashfull-in-percent-and-more", "2000")];
        let tail = self.or("3", &faulty);
        let score =
            self.or("cp 31", &[("score-in-pawns", "cp 0.31"), ("score-without-unit", "31")]);
        let depths = if self.has("depth-falls") { [2, 1] } else { [1, 2] };
        let nodes = if self.has("nodes-fall") { [90, 30] } else { [30, 90] };
        if self.has("tells-nothing") {
            return reply;
        }
        if self.has("pv-of-another-move") {
            shown.reverse();
        }
        for (depth, nodes) in depths.into_iter().zip(nodes) {
            let most = if self.has("one-line-only") { 1 } else { self.lines.min(legal.len()) };
            let lines = most + usize::from(self.has("a-line-too-many"));
            for (rank, first) in (1..=lines).zip(shown.iter().cycle()) {
                let is_best = rank == 1 && !self.has("pv-of-another-move");
                let is_same = is_best || self.has("same-line-again");
                let line = if is_same { line.clone() } else { first.to_string() };
                let head = format!("info depth {depth} multipv {rank} score {score}");
                say(&format!("{head} nodes {nodes} hashfull {tail} pv {line}"));
            }
        }
        reply
    }
}
