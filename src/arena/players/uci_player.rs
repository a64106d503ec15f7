//! A player behind the UCI protocol.

use std::time::{Duration, Instant};

use qirkat_game::text::{one_line, push};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::AnyMove;
use qirkat_system::program::Program;

use super::engine_fault::EngineFault;
use super::player::{Choice, Player, Turn};
use super::search_report::Thought;
use super::uci_engine::{EngineContext, UciEngine};
use crate::uci_client::{EngineExit, Greeting, Setting, fit, position_command, set_option_command};

/// How an engine is started and set up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSetup {
    pub program: Program,
    /// Options in the order they are set; a button has no value.
    pub options: Vec<Setting>,
    /// Whether it is started anew for each game.
    pub restart: bool,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
    /// Time to get ready, and to move when no clock runs.
    pub patience: Patience,
}

/// The option that lets an engine think on the opponent's time.
const PONDER: &str = "Ponder";

impl EngineSetup {
    /// All options that are to be set, in this order.
    pub(super) fn wanted_options(&self) -> impl Iterator<Item = Setting> {
        let ponder = self.ponder.then(|| (PONDER.to_owned(), Some("true".to_owned())));
        ponder.into_iter().chain(self.options.iter().cloned())
    }
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
/// Letters of an answer that are shown.
const SHOWN: usize = 16;

/// An engine as a player. The process is started when it is first needed and
/// again after a fault.
pub struct UciPlayer {
    setup: EngineSetup,
    context: EngineContext,
    process: Option<UciEngine>,
    /// The reply it is thinking about on the opponent's time.
    pondered: Option<AnyMove>,
    /// Its fault after its last game, if there was one.
    departed: Option<EngineFault>,
}

impl UciPlayer {
    /// A player that gives up waiting when the stop flag of its context is raised.
    pub fn new(setup: EngineSetup, context: EngineContext) -> UciPlayer {
        UciPlayer { setup, context, process: None, pondered: None, departed: None }
    }

    fn started(&self) -> Result<UciEngine, EngineFault> {
        let mut process = UciEngine::start(&self.setup.program, &self.context)?;
        process.lines().keep_setup(true);
        process.send("uci")?;
        process.await_word("uciok", "uci", self.setup.patience.ready)?;
        let lines = process.lines().take_setup();
        let announced = Greeting::parse(lines.iter().map(String::as_str)).announced();
        process.lines().keep_setup(false);
        for (name, value) in self.setup.wanted_options() {
            // A value that does not fit was complained of before the match.
            let (name, value) = fit(&announced, &name, value.as_deref()).unwrap_or((name, value));
            process.send(&set_option_command(&name, value.as_deref()))?;
        }
        Ok(process)
    }

    fn ready_for_game(&self, mut process: UciEngine) -> Result<UciEngine, EngineFault> {
        process.forget();
        process.send("ucinewgame")?;
        process.send("isready")?;
        process.await_word("readyok", "isready", self.setup.patience.ready)?;
        Ok(process)
    }

    /// Puts the question, or lets the engine go on with the answer it has been
    /// thinking about already.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), EngineFault> {
        let hit = self.pondered.is_some() && self.pondered.as_ref() == turn.moves.last();
        if !hit {
            self.stop_pondering()?;
        }
        self.pondered = None;
        let process = running(&mut self.process)?;
        // Its waiting until now, behind its last answer or while it pondered,
        // does not count.
        process.waited();
        if hit {
            return process.send("ponderhit");
        }
        process.forget();
        process.send(&position(turn))?;
        process.send(&go_command(turn, "go"))
    }

    /// Has the engine give up what it thinks about on the opponent's time.
    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        let Some(process) = self.process.as_mut().filter(|_| self.pondered.take().is_some()) else {
            return Ok(());
        };
        process.send("stop")?;
        process.await_word("bestmove", "stop", self.setup.patience.ready)
    }

    fn dismiss(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}

fn running(process: &mut Option<UciEngine>) -> Result<&mut UciEngine, EngineFault> {
    process.as_mut().ok_or_else(|| EngineFault::Crashed(EngineExit::default()))
}

impl Player for UciPlayer {
    fn start_game(&mut self) -> Result<Option<EngineFault>, EngineFault> {
        let process = match self.process.take() {
            None => self.ready_for_game(self.started()?),
            Some(process) => match self.ready_for_game(process) {
                // It ended after its last game, which is no fault in this one.
                Err(fault @ EngineFault::Crashed(_)) => {
                    self.departed = Some(fault);
                    self.ready_for_game(self.started()?)
                }
                other => other,
            },
        };
        self.process = Some(process?);
        Ok(self.departed.take())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault> {
        let patience = self.setup.patience.unclocked_move;
        let (limit, late) = match turn.own_clock().allowed() {
            Some(allowed) => {
                let latest = allowed + turn.own_clock().control().margin;
                (latest + WAIT_BEYOND, EngineFault::OutOfTime { allowed, used: None })
            }
            None => (patience, EngineFault::Stalled(patience)),
        };
        self.ask(turn)?;
        // The clock starts when `go` or `ponderhit` is written.
        let asked = Instant::now();
        let process = running(&mut self.process)?;
        let answer = process.wait_for("bestmove", asked + limit, late)?;
        let (info, lines) = process.lines().take_search();
        let variant = turn.start.variant();
        let mut words = answer.text.split_ascii_whitespace().skip(1);
        let text = words.next().unwrap_or("");
        let mv = AnyMove::parse(variant, text)
            .ok_or_else(|| EngineFault::IllegalMove { text: one_line(text, SHOWN), why: None })?;
        Ok(Choice {
            mv,
            thought: Thought { info, time: answer.arrived.saturating_duration_since(asked) },
            asked,
            expected: words
                .find(|&word| word != "ponder")
                .and_then(|text| AnyMove::parse(variant, text)),
            lines,
        })
    }

    fn waited(&mut self) -> Option<Duration> {
        self.process.as_mut()?.waited()
    }

    fn ponder(&mut self, turn: &Turn<'_>, expected: AnyMove) -> Result<(), EngineFault> {
        if !self.setup.ponder || !turn.game.position().is_legal(expected) {
            return Ok(());
        }
        let mut game = turn.game.clone();
        game.play(expected);
        if game.outcome().is_some() {
            return Ok(());
        }
        let mut moves = turn.moves.to_vec();
        moves.push(expected);
        let later = Turn { moves: &moves, game: &game, ..*turn };
        let process = running(&mut self.process)?;
        process.forget();
        process.send(&position(&later))?;
        process.send(&go_command(&later, "go ponder"))?;
        self.pondered = Some(expected);
        Ok(())
    }

    fn end_game(&mut self, fault: Option<&EngineFault>) {
        if fault.is_some() {
            self.pondered = None;
        }
        if fault.is_some() {
            // It may still be thinking, or worse: a new process is the safest.
            self.process = None;
        } else if let Err(fault) = self.stop_pondering() {
            self.departed = Some(fault).filter(|fault| *fault != EngineFault::Aborted);
            self.process = None;
        } else if self.setup.restart {
            self.dismiss();
        }
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        self.dismiss();
    }
}

/// Where the game stands.
fn position(turn: &Turn<'_>) -> String {
    let start = turn.start;
    if *start == start.variant().start() {
        position_command("startpos", turn.moves)
    } else {
        position_command(&format!("fen {start}"), turn.moves)
    }
}

/// The question for a move, with its limits.
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
    let control = clock.control();
    for (word, limit) in [
        ("movestogo", clock.reading().and_then(|clock| clock.moves_to_go).map(u128::from)),
        ("movetime", control.move_time.map(|time| time.as_millis())),
        ("nodes", control.nodes.map(u128::from)),
        ("depth", control.depth.map(u128::from)),
    ] {
        if let Some(limit) = limit {
            push(&mut command, format_args!(" {word} {limit}"));
        }
    }
    command
}
