//! A player behind the UCI protocol.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::player::{Choice, Fault, Player, Turn};
use super::process::EngineProcess;
use super::search_info::Thought;
use crate::position::{Color, Move, START_FEN};
use crate::program::Program;
use crate::text::push;

/// How an engine is started and set up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSetup {
    /// The program.
    pub program: Program,
    /// Options in the order they are set; a button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// Whether it is started anew for each game.
    pub restart: bool,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
    /// Time to get ready, and to move when no clock runs.
    pub patience: Patience,
}

/// How long the arbiter waits for what no clock bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For `uciok` and `readyok`.
    pub ready: Duration,
    /// For a move bounded by nodes or depth only.
    pub unclocked_move: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { ready: Duration::from_secs(10), unclocked_move: Duration::from_secs(120) }
    }
}

/// After the latest moment for an answer the arbiter waits this much longer,
/// so that a late answer is told from none.
const WAIT_BEYOND: Duration = Duration::from_millis(50);

/// An engine as a player. The process is started when it is first needed and
/// again after a fault.
pub struct UciPlayer {
    setup: EngineSetup,
    process: Option<EngineProcess>,
    /// The reply it is thinking about on the opponent's time.
    pondered: Option<Move>,
    stop: Arc<AtomicBool>,
}

impl UciPlayer {
    /// A player that gives up waiting when `stop` is raised.
    pub fn new(setup: EngineSetup, stop: Arc<AtomicBool>) -> UciPlayer {
        UciPlayer { setup, process: None, pondered: None, stop }
    }

    fn started(&self) -> Result<EngineProcess, Fault> {
        let mut process = EngineProcess::start(&self.setup.program)?;
        process.send("uci")?;
        self.await_word(&mut process, "uciok", "uci")?;
        if self.setup.ponder {
            process.send("setoption name Ponder value true")?;
        }
        for (name, value) in &self.setup.options {
            process.send(&match value {
                Some(value) => format!("setoption name {name} value {value}"),
                None => format!("setoption name {name}"),
            })?;
        }
        Ok(process)
    }

    fn ready_for_game(&self, mut process: EngineProcess) -> Result<EngineProcess, Fault> {
        process.forget();
        process.send("ucinewgame")?;
        process.send("isready")?;
        self.await_word(&mut process, "readyok", "isready")?;
        Ok(process)
    }

    fn await_word(
        &self,
        process: &mut EngineProcess,
        word: &str,
        question: &'static str,
    ) -> Result<(), Fault> {
        let latest = Instant::now() + self.setup.patience.ready;
        process.wait_for(word, latest, Fault::NotReady(question), &self.stop).map(|_| ())
    }

    /// Puts the question, or lets the engine go on with the answer it has been
    /// thinking about already.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let hit = self.pondered.is_some() && self.pondered.as_ref() == turn.moves.last();
        if !hit {
            self.stop_pondering()?;
        }
        self.pondered = None;
        let process = self.process.as_mut().ok_or(Fault::Crashed)?;
        if hit {
            return process.send("ponderhit");
        }
        process.forget();
        process.send(&position_command(turn))?;
        process.send(&go_command(turn, "go"))
    }

    /// Has the engine give up what it thinks about on the opponent's time.
    fn stop_pondering(&mut self) -> Result<(), Fault> {
        let Some(process) = self.process.as_mut().filter(|_| self.pondered.take().is_some()) else {
            return Ok(());
        };
        process.send("stop")?;
        let latest = Instant::now() + self.setup.patience.ready;
        process.wait_for("bestmove", latest, Fault::Stalled, &self.stop).map(|_| ())
    }

    /// Lets the engine think about the reply it expects to its move.
    fn ponder(
        &mut self,
        turn: &Turn<'_>,
        choice: &Choice,
        expected: Option<Move>,
    ) -> Result<(), Fault> {
        let mut game = turn.game.clone();
        let mut moves = turn.moves.to_vec();
        for mv in [Some(choice.mv), expected] {
            match mv.filter(|&mv| game.position().is_legal(mv)) {
                Some(mv) => {
                    game.play(mv);
                    moves.push(mv);
                }
                None => return Ok(()),
            }
        }
        if game.outcome().is_some() {
            return Ok(());
        }
        let mut own = turn.own_clock().clone();
        own.spend(choice.thought.time);
        let mut clocks = turn.clocks;
        clocks[turn.side().index()] = &own;
        let later = Turn { moves: &moves, game: &game, clocks, ..*turn };
        let process = self.process.as_mut().ok_or(Fault::Crashed)?;
        process.forget();
        process.send(&position_command(&later))?;
        process.send(&go_command(&later, "go ponder"))?;
        self.pondered = expected;
        Ok(())
    }

    fn dismiss(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}

impl Player for UciPlayer {
    fn start_game(&mut self) -> Result<(), Fault> {
        let process = match self.process.take() {
            None => self.ready_for_game(self.started()?),
            Some(process) => match self.ready_for_game(process) {
                // It ended after its last game, which is no fault in this one.
                Err(Fault::Crashed) => self.ready_for_game(self.started()?),
                other => other,
            },
        };
        self.process = Some(process?);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let patience = self.setup.patience;
        let allowed = turn.own_clock().latest_answer();
        let (limit, late) = match allowed {
            Some(latest) => (latest + WAIT_BEYOND, Fault::OutOfTime),
            None => (patience.unclocked_move, Fault::Stalled),
        };
        self.ask(turn)?;
        // The clock starts when `go` or `ponderhit` is written.
        let asked = Instant::now();
        let process = self.process.as_mut().ok_or(Fault::Crashed)?;
        let answer = process.wait_for("bestmove", asked + limit, late, turn.stop)?;
        let mut words = answer.text.split_ascii_whitespace().skip(1);
        let text = words.next().unwrap_or("");
        let mv = Move::parse(text).ok_or_else(|| Fault::IllegalMove(shortened(text)))?;
        let info = process.last_info();
        let time = answer.arrived.saturating_duration_since(asked);
        let choice = Choice { mv, thought: Thought { info, time } };
        if self.setup.ponder {
            let expected = words.find(|&word| word != "ponder").and_then(Move::parse);
            self.ponder(turn, &choice, expected)?;
        }
        Ok(choice)
    }

    fn end_game(&mut self, fault: Option<&Fault>) {
        if fault.is_some() {
            self.pondered = None;
        }
        match fault {
            // It may still be thinking, or worse: a new process is the safest.
            Some(_) => self.process = None,
            None if self.stop_pondering().is_err() => self.process = None,
            None if self.setup.restart => self.dismiss(),
            None => {}
        }
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        self.dismiss();
    }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(16).collect()
}

fn position_command(turn: &Turn<'_>) -> String {
    let fen = turn.start.fen();
    let mut command = if fen == START_FEN {
        "position startpos".to_owned()
    } else {
        format!("position fen {fen}")
    };
    if !turn.moves.is_empty() {
        command.push_str(" moves");
    }
    for mv in turn.moves {
        push(&mut command, format_args!(" {mv}"));
    }
    command
}

fn go_command(turn: &Turn<'_>, beginning: &str) -> String {
    let mut command = beginning.to_owned();
    for (color, letter) in [(Color::White, 'w'), (Color::Black, 'b')] {
        if let Some(clock) = turn.clocks[color.index()].reading() {
            push(
                &mut command,
                format_args!(
                    " {letter}time {} {letter}inc {}",
                    clock.remaining.as_millis(),
                    clock.increment.as_millis()
                ),
            );
        }
    }
    let clock = turn.own_clock();
    if let Some(moves) = clock.reading().and_then(|clock| clock.moves_to_go) {
        push(&mut command, format_args!(" movestogo {moves}"));
    }
    let control = clock.control();
    if let Some(time) = control.move_time {
        push(&mut command, format_args!(" movetime {}", time.as_millis()));
    }
    if let Some(nodes) = control.nodes {
        push(&mut command, format_args!(" nodes {nodes}"));
    }
    if let Some(depth) = control.depth {
        push(&mut command, format_args!(" depth {depth}"));
    }
    command
}
