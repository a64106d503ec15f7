//! The engine's part in a game: which side it plays, and what it thinks about.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::cecp_clock::GameClock;
use super::cecp_complaint::Complaint;
use super::cecp_lines;
use super::engine_task::{Task, ThinkingWriter};
use super::game_record::GameRecord;
use super::move_error::MoveError;
use super::search_progress::SearchProgress;
use crate::chesquerque::{Color, Game, Move, Outcome, Position};
use crate::distance::Depth;
use crate::engine::{Engine, HashError, SearchLimits, SearchResult};
use crate::protocol::connection::Event;
use crate::protocol::option_error::OptionError;
use crate::protocol::output_lines::OutputLines;
use crate::protocol::set_option::{OptionOutcome, set_option};
use crate::score::Score;
use crate::search::TimeBudget;
use crate::variant::{AnyMove, AnyPosition, Member};

/// Whose moves the engine makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Nobody's ("force mode").
    Nobody,
    Plays(Color),
    /// Nobody's, but it thinks about every position.
    Analyses,
}

/// How long to look for a move to suggest.
const HINT_TIME: Duration = Duration::from_millis(500);
/// A draw is welcome below this score, however long the game.
const CONTENT_WITH_DRAW: Score = Score::centipawns(-50);
/// Later a draw is welcome unless the engine stands better than this.
const CONTENT_WITH_DRAW_LATER: Score = Score::centipawns(10);
const LATER_PLIES: usize = 80;
/// With `Resign` on, the engine gives up when it has stood worse than this
/// for so many moves.
const HOPELESS: Score = Score::centipawns(-1000);
const HOPELESS_MOVES: u32 = 3;

/// The engine as a player.
pub(super) struct Player {
    pub engine: Engine,
    pub record: GameRecord,
    pub clock: GameClock,
    /// The deepest iteration, if it is limited.
    pub depth: Option<Depth>,
    /// Whether the thinking is shown.
    pub shown: Arc<AtomicBool>,
    output: OutputLines,
    events: Sender<Event>,
    role: Role,
    task: Task,
    /// How many searches there have been.
    searches: u64,
    /// When the engine came on move.
    on_move_since: Instant,
    progress: SearchProgress,
    ponders: bool,
    /// Moves here that are not to be looked at.
    excluded: Vec<Move>,
    /// The reply that the last search expects.
    expected: Option<Move>,
    /// What the last search of an own move has come to.
    score: Option<Score>,
    /// How many searches in a row have come to nothing good.
    hopeless_moves: u32,
    /// The other side has offered a draw while the engine was thinking.
    draw_offered: bool,
}

impl Player {
    /// A player with Black at the start of a game.
    pub fn new(engine: Engine, output: OutputLines, events: Sender<Event>) -> Player {
        Player {
            engine,
            record: GameRecord::default(),
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

    /// Whether a move or a hint will come by itself.
    pub fn owes_answer(&self) -> bool {
        matches!(self.task, Task::Thinking | Task::Hinting)
    }

    /// Stops whatever the engine is busy with; nothing comes of it.
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
        self.set_up(GameRecord::default());
        cleared
    }

    /// Another game, or another position to go on from.
    pub fn set_up(&mut self, record: GameRecord) {
        self.abandon();
        self.record = record;
        self.clock.restart();
        self.expected = None;
        self.score = None;
        self.hopeless_moves = 0;
        self.position_changed();
    }

    /// `force`: makes no moves until it is told to.
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
        self.play(self.record.position().side_to_move());
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
        if self.record.len() < count {
            return Err(Complaint::NothingToTakeBack);
        }
        self.abandon();
        for _ in 0..count {
            self.record.take_back();
            if self.role == Role::Plays(self.record.position().side_to_move()) {
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
        let mv = self.record.position().read_move(text)?;
        if self.task == Task::Pondering(mv) {
            self.record.play(mv);
            self.excluded.clear();
            self.on_move_since = Instant::now();
            self.task = Task::Thinking;
            self.engine.ponder_hit();
            return Ok(());
        }
        self.abandon();
        self.record.play(mv);
        self.position_changed();
        if self.role == Role::Plays(self.record.position().side_to_move()) {
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

    /// Goes on analysing, if that is what the engine does.
    fn think_on(&mut self) {
        if self.role == Role::Analyses && self.record.position().has_legal_moves() {
            let limits =
                SearchLimits { infinite: true, depth: None, ..self.limits(TimeBudget::default()) };
            let game = self.record.game().clone();
            self.search(Task::Analysing, &game, limits);
        }
    }

    /// Thinks about its own move, or claims what the game has come to.
    fn think(&mut self) {
        self.on_move_since = Instant::now();
        if self.claim() {
            return;
        }
        let budget = self.clock.budget(self.engine.settings().move_overhead);
        let limits = self.limits(budget);
        let game = self.record.game().clone();
        self.search(Task::Thinking, &game, limits);
    }

    /// Thinks on the opponent's time about the reply that is expected.
    fn ponder(&mut self) {
        let expected = self.expected.filter(|&mv| self.record.position().is_legal(mv));
        let Some(mv) = expected.filter(|_| self.ponders) else { return };
        let mut game = self.record.game().clone();
        game.play(mv);
        if game.outcome().is_some() {
            return;
        }
        let budget = self.clock.budget(self.engine.settings().move_overhead);
        let limits = SearchLimits { ponder: true, ..self.limits(budget) };
        if self.shown.load(Ordering::Relaxed) {
            self.output.line(&format!("Hint: {mv}"));
        }
        self.search(Task::Pondering(mv), &game, limits);
    }

    fn limits(&self, time: TimeBudget) -> SearchLimits {
        let settings = self.engine.settings();
        let search_moves = if self.excluded.is_empty() {
            Vec::new()
        } else {
            let legal = self.record.position().legal_moves();
            let wanted = legal.into_iter().filter(|mv| !self.excluded.contains(mv));
            wanted.map(AnyMove::from).collect()
        };
        SearchLimits {
            depth: self.depth,
            time,
            search_moves,
            multi_pv: settings.multi_pv,
            hurry_single_reply: true,
            ..SearchLimits::default()
        }
    }

    fn search(&mut self, task: Task, game: &Game, limits: SearchLimits) {
        self.searches += 1;
        self.progress = SearchProgress::default();
        let writer = ThinkingWriter {
            output: self.output.clone(),
            shown: (task != Task::Hinting).then(|| Arc::clone(&self.shown)),
            progress: self.progress.clone(),
            events: self.events.clone(),
            number: self.searches,
        };
        self.task = task;
        if let Err(error) = self.engine.go(&Position::any_state(game), limits, writer) {
            log::error!("{error}");
            self.finish(SearchResult::unsearched(&AnyPosition::from(*game.position())));
        }
    }

    /// A search has ended by itself.
    pub fn search_ended(&mut self, number: u64) {
        if number == self.searches && self.task != Task::Nothing {
            self.take_result();
        }
    }

    /// `?`: moves at once with what has been found.
    pub fn move_now(&mut self) {
        if self.is_thinking() {
            self.engine.stop();
            self.take_result();
        }
    }

    fn take_result(&mut self) {
        self.engine.wait();
        let result = self.progress.reported().result.take();
        if let Some(result) = result {
            self.finish(result);
        }
    }

    /// Does what the search was for.
    fn finish(&mut self, result: SearchResult) {
        let task = std::mem::replace(&mut self.task, Task::Nothing);
        match (task, result.best.and_then(Position::own_move)) {
            (Task::Thinking, Some(mv)) => self.make_move(mv, &result),
            (Task::Hinting, Some(mv)) => self.output.line(&format!("Hint: {mv}")),
            _ => {}
        }
    }

    fn make_move(&mut self, mv: Move, result: &SearchResult) {
        self.score = Some(result.score);
        if std::mem::take(&mut self.draw_offered) {
            self.consider_draw();
        }
        if self.gives_up(result.score) {
            self.output.line(cecp_lines::resignation(self.record.position().side_to_move()));
            self.role = Role::Nobody;
            return;
        }
        self.output.line(&format!("move {mv}"));
        self.clock.moved_after(self.on_move_since.elapsed());
        self.record.play(mv);
        self.excluded.clear();
        self.expected = result.ponder.and_then(Position::own_move);
        if !self.claim() {
            self.ponder();
        }
    }

    /// Claims the end of the game, if it has ended.
    fn claim(&self) -> bool {
        let outcome: Option<Outcome> = self.record.game().outcome();
        if let Some(outcome) = outcome {
            self.output.line(&cecp_lines::claim(outcome));
        }
        outcome.is_some()
    }

    fn gives_up(&mut self, score: Score) -> bool {
        self.hopeless_moves = if score <= HOPELESS { self.hopeless_moves + 1 } else { 0 };
        self.engine.settings().resign && self.hopeless_moves >= HOPELESS_MOVES
    }

    /// `draw`: takes the offer if the engine does not hope for more. While it
    /// thinks, that is decided with its move.
    pub fn consider_draw(&mut self) {
        if self.is_thinking() {
            self.draw_offered = true;
            return;
        }
        let least = if self.record.len() < LATER_PLIES {
            CONTENT_WITH_DRAW
        } else {
            CONTENT_WITH_DRAW_LATER
        };
        let plays = matches!(self.role, Role::Plays(_));
        if plays && self.score.is_some_and(|score| score <= least) {
            self.output.line("offer draw");
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
        let position = self.record.position();
        if let Some(mv) = known.filter(|&mv| position.is_legal(mv)) {
            self.output.line(&format!("Hint: {mv}"));
        } else if self.task == Task::Nothing && position.has_legal_moves() {
            let limits = self.limits(TimeBudget::fixed(HINT_TIME, Duration::ZERO));
            let game = self.record.game().clone();
            self.search(Task::Hinting, &game, limits);
        }
    }

    /// `.`: how far the analysis has come.
    pub fn show_status(&self) {
        if self.task != Task::Analysing {
            return;
        }
        let Some(control) = self.engine.running() else { return };
        let moves = self.record.position().legal_moves().len() - self.excluded.len();
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
            if self.excluded.len() < self.record.position().legal_moves().len() {
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
