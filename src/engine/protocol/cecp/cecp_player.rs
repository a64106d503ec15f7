//! The engine as a player: its side, its clock, and its current search.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::cecp_clock::GameClock;
use super::cecp_complaint::{Complaint, MoveError};
use super::cecp_lines;
use super::engine_task::{SearchProgress, Task};
use crate::protocol::connection::Event;
use crate::protocol::option_table::OptionError;
use crate::protocol::output_lines::OutputLines;
use crate::protocol::set_option::{OptionOutcome, set_option};
use crate::{Engine, HashError, SearchResult};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::{Color, Game, Move, Position};
use qirkat_rules::variant::Member;
use qirkat_search::TimeBudget;

/// Whose moves the engine makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Nobody's ("force mode").
    Nobody,
    Plays(Color),
    /// Nobody's, but it thinks about every position.
    Analyses,
}

/// How long to look for a move to suggest.
const HINT_TIME: Duration = Duration::from_millis(500);
pub(super) struct Player {
    pub engine: Engine,
    pub game: Game,
    pub clock: GameClock,
    /// The deepest iteration, if it is limited.
    pub depth: Option<Depth>,
    pub shown: Arc<AtomicBool>,
    pub(super) output: OutputLines,
    pub(super) events: Sender<Event>,
    pub(super) role: Role,
    pub(super) task: Task,
    /// How many searches there have been.
    pub(super) searches: u64,
    /// When the engine came on move.
    pub(super) on_move_since: Instant,
    pub(super) progress: SearchProgress,
    pub(super) ponders: bool,
    /// Moves here that are not to be looked at.
    pub(super) excluded: Vec<Move>,
    /// The reply that the last search expects.
    pub(super) expected: Option<Move>,
    /// The score of the last search for an own move.
    pub(super) score: Option<Score>,
    /// How many searches in a row had a losing score.
    pub(super) hopeless_moves: u32,
    /// The other side has offered a draw while the engine was thinking.
    pub(super) draw_offered: bool,
}

impl Player {
    /// A player with Black at the start of a game.
    pub fn new(engine: Engine, output: OutputLines, events: Sender<Event>) -> Player {
        Player {
            engine,
            game: Game::default(),
            clock: GameClock::default(),
            depth: None,
            shown: Arc::new(AtomicBool::new(false)),
            output,
            events,
            role: Role::Plays(Color::Black),
            task: Task::Nothing,
            searches: 0,
            on_move_since: Instant::now(),
            progress: SearchProgress::default(),
            ponders: false,
            excluded: Vec::new(),
            expected: None,
            score: None,
            hopeless_moves: 0,
            draw_offered: false,
        }
    }

    /// Whether the engine is on move and thinks about it.
    pub fn is_thinking(&self) -> bool {
        self.task == Task::Thinking
    }

    /// Whether a search is running that will end with a move or a hint.
    pub fn owes_answer(&self) -> bool {
        matches!(self.task, Task::Thinking | Task::Hinting)
    }

    /// Stops the current search and discards its result.
    pub fn abandon(&mut self) {
        self.engine.stop();
        self.task = Task::Nothing;
        self.draw_offered = false;
    }

    /// `new`: the start of a game, with Black unless it analyses.
    pub fn new_game(&mut self) -> Result<(), HashError> {
        self.abandon();
        if self.role != Role::Analyses {
            self.role = Role::Plays(Color::Black);
        }
        self.depth = None;
        let cleared = self.engine.clear_hash();
        self.set_up(Game::default());
        cleared
    }

    /// Starts another game, or goes on from another position.
    pub fn set_up(&mut self, game: Game) {
        self.abandon();
        self.game = game;
        self.clock.restart();
        self.expected = None;
        self.score = None;
        self.hopeless_moves = 0;
        self.position_changed();
    }

    /// `force`: makes no moves until `go` or another command.
    pub fn force(&mut self) {
        self.abandon();
        self.role = Role::Nobody;
    }

    /// `result`: the game is over.
    pub fn game_over(&mut self) {
        if self.role != Role::Analyses {
            self.force();
        }
    }

    /// `go`: plays the side that is on move, at once.
    pub fn go(&mut self) {
        self.play(self.game.position().side_to_move());
        self.think();
    }

    /// Plays this side from now on.
    pub fn play(&mut self, side: Color) {
        self.abandon();
        self.role = Role::Plays(side);
    }

    /// `analyze`: thinks about every position.
    pub fn analyse(&mut self) {
        self.abandon();
        self.role = Role::Analyses;
        self.think_on();
    }

    /// `exit`.
    pub fn leave_analysis(&mut self) {
        if self.role == Role::Analyses {
            self.force();
        }
    }

    /// Takes moves back; the engine makes none until it is told to, or the
    /// other side has moved.
    pub fn take_back(&mut self, count: usize) -> Result<(), Complaint> {
        if self.game.moves().len() < count {
            return Err(Complaint::NothingToTakeBack);
        }
        self.abandon();
        for _ in 0..count {
            self.game.undo();
            if self.role == Role::Plays(self.game.position().side_to_move()) {
                self.clock.took_back();
            }
        }
        self.expected = None;
        self.position_changed();
        Ok(())
    }

    /// Makes a move of the other side, written by its points or in algebraic
    /// notation.
    pub fn accept_move(&mut self, text: &str) -> Result<(), MoveError> {
        if self.is_thinking() {
            return Err(MoveError::NotYourTurn);
        }
        let mv = self.game.position().read_move(text)?;
        if self.task == Task::Pondering(mv) {
            self.game.play(mv);
            self.excluded.clear();
            self.on_move_since = Instant::now();
            self.task = Task::Thinking;
            self.engine.ponder_hit();
            return Ok(());
        }
        self.abandon();
        self.game.play(mv);
        self.position_changed();
        if self.role == Role::Plays(self.game.position().side_to_move()) {
            self.think();
        }
        Ok(())
    }

    /// After the position has changed from outside: all moves count again, and
    /// an analysis starts anew.
    fn position_changed(&mut self) {
        self.excluded.clear();
        self.think_on();
    }

    pub(super) fn make_move(&mut self, mv: Move, result: &SearchResult) {
        self.score = Some(result.score);
        if std::mem::take(&mut self.draw_offered) {
            self.consider_draw();
        }
        if self.gives_up(result.score) {
            self.output.line(cecp_lines::resignation(self.game.position().side_to_move()));
            self.role = Role::Nobody;
            return;
        }
        self.output.line(&format!("move {mv}"));
        self.clock.moved_after(self.on_move_since.elapsed());
        self.game.play(mv);
        self.excluded.clear();
        self.expected = result.ponder.and_then(Position::own_move);
        if !self.claim() {
            self.ponder();
        }
    }

    /// `hint`: the move that is expected, or else one found at once.
    pub fn hint(&mut self) {
        let best_so_far = self.progress.reported().line.first().copied();
        let known = match self.task {
            Task::Analysing => best_so_far,
            Task::Pondering(mv) => Some(mv),
            _ => self.expected,
        };
        let position = self.game.position();
        if let Some(mv) = known.filter(|&mv| position.is_legal(mv)) {
            self.output.line(&format!("Hint: {mv}"));
        } else if self.task == Task::Nothing && position.has_legal_moves() {
            let limits = self.limits(TimeBudget::fixed(HINT_TIME, Duration::ZERO));
            let game = self.game.clone();
            self.search(Task::Hinting, &game, limits);
        }
    }

    /// `.`: how far the analysis has come.
    pub fn show_status(&self) {
        if self.task != Task::Analysing {
            return;
        }
        let Some(control) = self.engine.running() else { return };
        let moves = self.game.position().legal_moves().len() - self.excluded.len();
        let (number, name) = match control.root_move() {
            Some((number, mv)) => {
                (number, Move::unpack(mv).map_or_else(String::new, |mv| format!(" {mv}")))
            }
            None => (0, String::new()),
        };
        self.output.line(&format!(
            "stat01: {} {} {} {} {moves}{name}",
            control.elapsed().as_millis() / 10,
            control.nodes(),
            self.progress.reported().depth.0,
            moves.saturating_sub(number),
        ));
    }

    /// `hard` and `easy`.
    pub fn set_pondering(&mut self, on: bool) {
        self.ponders = on;
        if !on && matches!(self.task, Task::Pondering(_)) {
            self.abandon();
        }
    }

    /// `exclude` and `include`: moves that an analysis leaves aside or not.
    pub fn select_moves(&mut self, moves: &[Move], wanted: bool) {
        self.excluded.retain(|mv| !moves.contains(mv));
        if !wanted {
            self.excluded.extend_from_slice(moves);
        }
        if self.role == Role::Analyses {
            self.abandon();
            if self.excluded.len() < self.game.position().legal_moves().len() {
                self.think_on();
            }
        }
    }

    /// Sets an option; an analysis starts anew with it.
    pub fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<OptionOutcome, OptionError> {
        self.abandon();
        let outcome = set_option(&mut self.engine, name, value);
        self.think_on();
        outcome
    }
}
