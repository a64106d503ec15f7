//! The engine as a player: its side, its current search, and its clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::CommandError;
use super::cecp_lines::{self, MoveError};
use crate::protocol::connection::{Event, OutputLines};
use crate::protocol::options::set_option;
use crate::{
    Engine, HashError, SearchLimits, SearchReport, SearchResult, accepts_draw, clock_budget,
};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::text::{Excerpt, read_number};
use qirkat_game::{GameResult, ReadMove, Rules};
use qirkat_rules::chesquerque::{Color, Game, Move, Position};
use qirkat_rules::variant::{AnyMove, AnyPosition, VariantGame};
use qirkat_search::{Clock, TimeBudget};
use qirkat_system::time_text::{LONGEST_TIME, TimeTextError, Unit, milliseconds, read_time};

/// With `Resign` on, the engine resigns after this many moves in a row with at most this score.
const HOPELESS: Score = Score::centipawns(-1000);
const HOPELESS_MOVES: u32 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It makes no moves ("force mode").
    Nobody,
    Plays(Color),
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

/// The latest reports of the running search.
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
    /// Whether thinking output is shown (`post`).
    pub shows_thinking: Arc<AtomicBool>,
    output: OutputLines,
    events: Sender<Event>,
    role: Role,
    task: Task,
    searches: u64,
    /// When the engine's turn began.
    on_move_since: Instant,
    progress: Arc<Mutex<Progress>>,
    ponders: bool,
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
    /// A player of Black at the start of a game.
    pub fn new(engine: Engine, output: OutputLines, events: Sender<Event>) -> Player {
        Player {
            engine,
            game: Game::default(),
            clock: CecpClock::default(),
            depth: None,
            shows_thinking: Arc::new(AtomicBool::new(false)),
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

    /// `new`: a new game, in which the engine plays Black unless it analyses.
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

    /// Takes moves back. The engine does not move before `go` or the opponent's next move.
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

    /// Makes the opponent's move, given in coordinate form or in SAN.
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

    /// Clears the excluded moves and restarts an analysis.
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
            let side = self.game.position().side_to_move();
            self.output.line(&format!("{} {{{side:?} resigns}}", GameResult::won_by(!side)));
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
        let (number, name) = match control.current_root_move() {
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
            self.restart_analysis();
        }
    }

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

    /// Analyses the position, unless it has no move or all are excluded.
    fn restart_analysis(&mut self) {
        let moves = self.game.position().legal_moves().len();
        if self.role == Role::Analyses && self.excluded.len() < moves {
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
        if self.shows_thinking.load(Ordering::Relaxed) {
            self.output.line(&format!("Hint: {mv}"));
        }
        self.search(Task::Pondering(mv));
    }

    /// The only moves to search; empty, which means all, if none or all are excluded.
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
            Task::Thinking | Task::Pondering(_) => {
                self.clock.budget(&(*self.game.position()).into(), settings.move_overhead)
            }
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
        let shown = (task != Task::Hinting).then(|| Arc::clone(&self.shows_thinking));
        let (output, events) = (self.output.clone(), self.events.clone());
        let (progress, number) = (Arc::clone(&self.progress), self.searches);
        let write = move |report: SearchReport<'_>| match report {
            SearchReport::Line(line) | SearchReport::Book(line) => {
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

    pub fn search_ended(&mut self, number: u64) {
        if number == self.searches && self.task != Task::Nothing {
            self.take_result();
        }
    }

    /// `?`: makes the best move found so far, or gives the hint, at once.
    pub fn move_now(&mut self) {
        if self.is_answer_due() {
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

    /// `draw`: accepts if the score is low enough; while thinking, decides with the move.
    pub fn consider_draw(&mut self) {
        if self.is_thinking() {
            self.draw_offered = true;
            return;
        }
        let plays = matches!(self.role, Role::Plays(_));
        if plays && accepts_draw(self.score, self.game.position().fullmove_number()) {
            self.output.line("offer draw");
        }
    }
}

/// The time control of a game and the engine's remaining time.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CecpClock {
    /// Moves per session; none if the game is one session.
    moves_per_session: Option<u32>,
    base: Duration,
    increment: Duration,
    /// Time per move, instead of a clock.
    per_move: Option<Duration>,
    remaining: Duration,
    /// The engine's moves since the time control was set.
    moves: u32,
}

impl Default for CecpClock {
    /// The protocol's default: 40 moves in 5 minutes.
    fn default() -> CecpClock {
        CecpClock::new(Some(40), Duration::from_secs(300), Duration::ZERO)
    }
}

impl CecpClock {
    fn new(moves_per_session: Option<u32>, base: Duration, increment: Duration) -> CecpClock {
        CecpClock { moves_per_session, base, increment, per_move: None, remaining: base, moves: 0 }
    }

    /// Reads the arguments of `level`: moves per session or 0, minutes or `minutes:seconds`, and
    /// the increment in seconds.
    pub fn from_level(text: &str) -> Result<CecpClock, CommandError> {
        let mut words = text.split_ascii_whitespace();
        let (Some(moves), Some(base), Some(increment)) = (words.next(), words.next(), words.next())
        else {
            return Err("needs MOVES MINUTES[:SECONDS] INCREMENT".into());
        };
        let moves = match read_number(moves) {
            Some(number) if number < 0 => return Err(refused(moves, "negative")),
            Some(number) => number,
            None => return Err(refused(moves, "not a number")),
        };
        let session = u32::try_from(moves).ok().filter(|&moves| moves > 0);
        // Text after the minutes and seconds is about later sessions, and ignored.
        let end = base.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.');
        let base = read(&base[..end.unwrap_or(base.len())], Unit::Minutes)?;
        Ok(CecpClock::new(session, base, read(increment, Unit::Seconds)?))
    }

    /// Reads the argument of `st`: seconds, or minutes and seconds.
    pub fn set_time_per_move(&mut self, text: &str) -> Result<(), CommandError> {
        self.per_move = Some(read(text, Unit::Seconds)?);
        Ok(())
    }

    /// Reads the argument of `time`: hundredths of a second, perhaps negative.
    pub fn set_remaining(&mut self, text: &str) -> Result<(), CommandError> {
        self.remaining = milliseconds(read_hundredths(text)?.saturating_mul(10));
        Ok(())
    }

    pub fn restart(&mut self) {
        self.remaining = self.base;
        self.moves = 0;
    }

    pub fn moved_after(&mut self, thought: Duration) {
        self.moves += 1;
        self.remaining = self.remaining.saturating_sub(thought) + self.increment;
        if self.moves_per_session.is_some_and(|session| self.moves.is_multiple_of(session)) {
            self.remaining += self.base;
        }
    }

    /// Takes back a move of the engine; its time is not restored.
    pub fn took_back(&mut self) {
        self.moves = self.moves.saturating_sub(1);
    }

    pub fn budget(&self, position: &AnyPosition, overhead: Duration) -> TimeBudget {
        match self.per_move {
            Some(time) => TimeBudget::fixed(time, overhead),
            None => {
                let moves_to_go =
                    self.moves_per_session.map(|session| session - self.moves % session);
                let clock =
                    Clock { remaining: self.remaining, increment: self.increment, moves_to_go };
                clock_budget(position, clock, overhead)
            }
        }
    }
}

/// Reads the argument of `time` and `otim`.
pub(super) fn read_hundredths(text: &str) -> Result<i64, CommandError> {
    read_number(text).ok_or_else(|| refused(text, "not a number"))
}

/// Reads a time; one that is too long saturates.
fn read(text: &str, unit: Unit) -> Result<Duration, CommandError> {
    match read_time(text, unit) {
        Ok(time) => Ok(time),
        Err(TimeTextError::TooLong) => Ok(LONGEST_TIME),
        Err(TimeTextError::Negative) => Err(refused(text, "negative")),
        Err(TimeTextError::NotANumber) => Err(refused(text, "not a number")),
    }
}

pub(super) fn refused(text: &str, what_it_is: &str) -> CommandError {
    format!("`{}` is {what_it_is}", Excerpt::of(text)).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use qirkat_testing::{effort, texts_like};

    fn seconds(count: f64) -> Duration {
        Duration::from_secs_f64(count)
    }

    #[test]
    fn levels_are_read() {
        for (text, session, base, increment) in [
            ("40 5 0", Some(40), 300.0, 0.0),
            ("40 0:30 0", Some(40), 30.0, 0.0),
            ("0 2 12", None, 120.0, 12.0),
            ("0 1:05 0.1", None, 65.0, 0.1),
            ("40 25+5 0", Some(40), 1500.0, 0.0),
        ] {
            let clock = CecpClock::from_level(text).expect(text);
            let expected = (session, seconds(base), seconds(increment));
            assert_eq!((clock.moves_per_session, clock.base, clock.increment), expected, "{text}");
        }
        for text in ["", "40", "40 5", "x 5 0", "40 x 0", "40 5 x", "40 :: 0", "-3 1 0", "40 5 -1"]
        {
            assert!(CecpClock::from_level(text).is_err(), "{text}");
        }
        for text in ["0 nan inf", "0 1e999 0", "0 99999999999999999999999999 1e300"] {
            let budget = CecpClock::from_level(text)
                .map(|clock| clock.budget(&Position::start().into(), Duration::ZERO));
            assert!(budget.is_err() || budget.is_ok_and(|budget| budget.hard.is_some()), "{text}");
        }
    }

    #[test]
    fn each_session_adds_time() {
        let mut clock = CecpClock::from_level("2 1 0").expect("a sound level");
        clock.moved_after(seconds(50.0));
        assert_eq!(clock.remaining, seconds(10.0));
        clock.moved_after(seconds(5.0));
        assert_eq!(clock.remaining, seconds(65.0));
        clock.took_back();
        assert_eq!(clock.moves, 1);
    }

    const LINE: &str = r"((40|0|5:00|0:30|1e9|nan|-?9{1,30}|:|25\+5|\PC{0,12}) ){0,8}";

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(effort([400, 4_000, 4_000])) })]

        #[test]
        fn lines_are_read_without_panic(line in texts_like(LINE)) {
            let mut clock = CecpClock::from_level(&line).unwrap_or_default();
            let _ = clock.set_time_per_move(&line);
            let _ = clock.set_remaining(&line);
            clock.moved_after(Duration::from_secs(1));
            let budget = clock.budget(&Position::start().into(), Duration::from_millis(20));
            prop_assert!(budget.hard.is_some());
        }
    }
}
