//! The engine as a player: its side, its clock, and its current search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::CommandError;
use super::cecp_clock::CecpClock;
use super::cecp_lines::{self, MoveError};
use crate::protocol::connection::{Event, OutputLines};
use crate::protocol::options::set_option;
use crate::{Engine, HashError, SearchLimits, SearchReport, SearchResult};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::{Color, Game, Move, Position};
use qirkat_rules::variant::{AnyMove, AnyPosition, Member};
use qirkat_search::TimeBudget;

/// The engine accepts a draw below this score, at any time.
const CONTENT_WITH_DRAW: Score = Score::centipawns(-50);
/// Later in the game it accepts a draw unless its score is above this.
const CONTENT_WITH_DRAW_LATER: Score = Score::centipawns(10);
const LATER_PLIES: usize = 80;
/// With `Resign` on, the engine resigns after this many moves in a row below this score.
const HOPELESS: Score = Score::centipawns(-1000);
const HOPELESS_MOVES: u32 = 3;

/// Whose moves the engine makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Nobody's ("force mode").
    Nobody,
    Plays(Color),
    /// Nobody's, but it analyses every position.
    Analyses,
}

const HINT_TIME: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    Nothing,
    Thinking,
    /// Pondering on the opponent's expected move.
    Pondering(Move),
    Analysing,
    Hinting,
}

/// The latest reports of a running search, for `.`, `?` and draw offers.
#[derive(Default)]
struct Progress {
    depth: Depth,
    line: Vec<Move>,
    result: Option<SearchResult>,
}

pub(super) struct Player {
    pub engine: Engine,
    pub game: Game,
    pub clock: CecpClock,
    pub depth: Option<Depth>,
    pub shown: Arc<AtomicBool>,
    output: OutputLines,
    events: Sender<Event>,
    role: Role,
    task: Task,
    searches: u64,
    /// When the engine's turn began.
    on_move_since: Instant,
    progress: Arc<Mutex<Progress>>,
    ponders: bool,
    /// Moves excluded from the search of this position.
    excluded: Vec<Move>,
    /// The reply that the last search expects.
    expected: Option<Move>,
    /// The score of the last search for the engine's own move.
    score: Option<Score>,
    /// How many searches in a row had a losing score.
    hopeless_moves: u32,
    /// The opponent has offered a draw while the engine was thinking.
    draw_offered: bool,
}

impl Player {
    /// A player with Black at the start of a game.
    pub fn new(engine: Engine, output: OutputLines, events: Sender<Event>) -> Player {
        Player {
            engine,
            game: Game::default(),
            clock: CecpClock::default(),
            depth: None,
            shown: Arc::new(AtomicBool::new(false)),
            output,
            events,
            role: Role::Plays(Color::Black),
            task: Task::Nothing,
            searches: 0,
            on_move_since: Instant::now(),
            progress: Arc::default(),
            ponders: false,
            excluded: Vec::new(),
            expected: None,
            score: None,
            hopeless_moves: 0,
            draw_offered: false,
        }
    }

    pub fn is_thinking(&self) -> bool {
        self.task == Task::Thinking
    }

    /// Whether a search is running that will end with a move or a hint.
    pub fn is_answer_due(&self) -> bool {
        matches!(self.task, Task::Thinking | Task::Hinting)
    }

    pub fn abandon(&mut self) {
        self.engine.stop();
        self.task = Task::Nothing;
        self.draw_offered = false;
    }

    /// `new`: a new game, with Black unless in analyse mode.
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

    /// Starts another game, or continues from another position.
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

    /// `go`: plays the side to move, at once.
    pub fn go(&mut self) {
        self.play(self.game.position().side_to_move());
        self.think();
    }

    pub fn play(&mut self, side: Color) {
        self.abandon();
        self.role = Role::Plays(side);
    }

    /// `analyze`: analyses every position.
    pub fn analyse(&mut self) {
        self.abandon();
        self.role = Role::Analyses;
        self.restart_analysis();
    }

    /// `exit`.
    pub fn leave_analysis(&mut self) {
        if self.role == Role::Analyses {
            self.force();
        }
    }

    /// Takes moves back; the engine makes none until it is told to, or the opponent has moved.
    pub fn take_back(&mut self, count: usize) -> Result<(), CommandError> {
        if self.game.moves().len() < count {
            return Err("no move to take back".into());
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

    /// Makes the opponent's move, written by its points or in SAN.
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

    /// Called after the position was changed from outside: clears excluded moves and restarts an
    /// analysis.
    fn position_changed(&mut self) {
        self.excluded.clear();
        self.restart_analysis();
    }

    fn make_move(&mut self, mv: Move, result: &SearchResult) {
        self.score = Some(result.score);
        if std::mem::take(&mut self.draw_offered) {
            self.consider_draw();
        }
        if self.should_resign(result.score) {
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

    /// `hint`: the expected move, or one from a short search.
    pub fn hint(&mut self) {
        let best_so_far = self.progress.lock().line.first().copied();
        let known = match self.task {
            Task::Analysing => best_so_far,
            Task::Pondering(mv) => Some(mv),
            _ => self.expected,
        };
        let position = self.game.position();
        if let Some(mv) = known.filter(|&mv| position.is_legal(mv)) {
            self.output.line(&format!("Hint: {mv}"));
        } else if self.task == Task::Nothing && position.has_legal_moves() {
            self.search(Task::Hinting);
        }
    }

    /// `.`: the progress of the analysis.
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
            self.progress.lock().depth.0,
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

    /// `exclude` and `include`: moves that an analysis skips or not.
    pub fn select_moves(&mut self, moves: &[Move], wanted: bool) {
        self.excluded.retain(|mv| !moves.contains(mv));
        if !wanted {
            self.excluded.extend_from_slice(moves);
        }
        if self.role == Role::Analyses {
            self.abandon();
            if self.excluded.len() < self.game.position().legal_moves().len() {
                self.restart_analysis();
            }
        }
    }

    /// Sets an option and restarts an analysis.
    pub fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(&'static str, Option<i64>), CommandError> {
        self.abandon();
        let outcome = set_option(&mut self.engine, name, value);
        self.restart_analysis();
        outcome
    }

    /// Restarts the analysis, in analyse mode.
    fn restart_analysis(&mut self) {
        if self.role == Role::Analyses && self.game.position().has_legal_moves() {
            self.search(Task::Analysing);
        }
    }

    /// Thinks about its own move, or claims the end of the game.
    fn think(&mut self) {
        self.on_move_since = Instant::now();
        if !self.claim() {
            self.search(Task::Thinking);
        }
    }

    fn ponder(&mut self) {
        let expected = self.expected.filter(|&mv| self.game.position().is_legal(mv));
        let Some(mv) = expected.filter(|_| self.ponders) else { return };
        let mut game = self.game.clone();
        game.play(mv);
        if game.outcome().is_some() {
            return;
        }
        if self.shown.load(Ordering::Relaxed) {
            self.output.line(&format!("Hint: {mv}"));
        }
        self.search(Task::Pondering(mv));
    }

    /// The only moves to search; empty if none is excluded.
    fn search_moves(&self) -> Vec<AnyMove> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = self.game.position().legal_moves();
        legal.into_iter().filter(|mv| !self.excluded.contains(mv)).map(AnyMove::from).collect()
    }

    fn search(&mut self, task: Task) {
        let settings = &self.engine.settings;
        let time = match task {
            Task::Hinting => TimeBudget::fixed(HINT_TIME, Duration::ZERO),
            Task::Thinking | Task::Pondering(_) => self.clock.budget(settings.move_overhead),
            Task::Nothing | Task::Analysing => TimeBudget::default(),
        };
        let mut limits = SearchLimits::time(time).with_multi_pv(settings.multi_pv);
        limits.depth = self.depth.filter(|_| task != Task::Analysing);
        limits.infinite = task == Task::Analysing;
        limits.hurry_single_reply = true;
        let mut game = self.game.clone();
        if let Task::Pondering(mv) = task {
            limits.ponder = true;
            game.play(mv);
        }
        self.searches += 1;
        self.progress = Arc::default();
        let shown = (task != Task::Hinting).then(|| Arc::clone(&self.shown));
        let (output, events) = (self.output.clone(), self.events.clone());
        let (progress, number) = (Arc::clone(&self.progress), self.searches);
        let write = move |report: SearchReport<'_>| match report {
            SearchReport::Line(line) => {
                if line.rank == 1 {
                    let mut progress = progress.lock();
                    progress.depth = line.depth;
                    progress.line =
                        line.moves.iter().copied().filter_map(Position::own_move).collect();
                }
                if shown.as_ref().is_some_and(|shown| shown.load(Ordering::Relaxed)) {
                    output.line(&cecp_lines::thinking(line));
                }
            }
            SearchReport::Finished(result) => {
                progress.lock().result = Some(result.clone());
                if events.send(Event::Ended(number)).is_err() {
                    log::debug!("the conversation ended before the search");
                }
            }
        };
        self.task = task;
        let search_moves = self.search_moves();
        if let Err(error) = self.engine.go(&Position::any_state(&game), search_moves, limits, write)
        {
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

    /// `?`: moves at once with what was found.
    pub fn move_now(&mut self) {
        if self.is_thinking() {
            self.engine.stop();
            self.take_result();
        }
    }

    fn take_result(&mut self) {
        self.engine.wait();
        let result = self.progress.lock().result.take();
        if let Some(result) = result {
            self.finish(result);
        }
    }

    fn finish(&mut self, result: SearchResult) {
        let task = std::mem::replace(&mut self.task, Task::Nothing);
        match (task, result.best.and_then(Position::own_move)) {
            (Task::Thinking, Some(mv)) => self.make_move(mv, &result),
            (Task::Hinting, Some(mv)) => self.output.line(&format!("Hint: {mv}")),
            _ => {}
        }
    }

    /// Claims the end of the game, if it has ended.
    fn claim(&self) -> bool {
        let outcome = self.game.outcome();
        if let Some(outcome) = outcome {
            self.output.line(&cecp_lines::claim(outcome));
        }
        outcome.is_some()
    }

    fn should_resign(&mut self, score: Score) -> bool {
        self.hopeless_moves = if score <= HOPELESS { self.hopeless_moves + 1 } else { 0 };
        self.engine.settings.resign && self.hopeless_moves >= HOPELESS_MOVES
    }

    /// `draw`: accepts the offer if the engine hopes for no more. While it thinks, that is decided
    /// with its move.
    pub fn consider_draw(&mut self) {
        if self.is_thinking() {
            self.draw_offered = true;
            return;
        }
        let least = if self.game.moves().len() < LATER_PLIES {
            CONTENT_WITH_DRAW
        } else {
            CONTENT_WITH_DRAW_LATER
        };
        let plays = matches!(self.role, Role::Plays(_));
        if plays && self.score.is_some_and(|score| score <= least) {
            self.output.line("offer draw");
        }
    }
}
