//! The [`Player`] trait and [`SearchPlayer`].

use std::time::{Duration, Instant};

use qirkat_engine::{AnySearcher, SearchLimits, clock_budget};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};
use qirkat_search::{ResourceError, TimeBudget};

use crate::engine_fault::EngineFault;
use crate::finished_game::FinishedGame;
use crate::info_line::{MoveReport, ReportedScore, SearchInfo};
use crate::time_control::GameClock;

pub struct Turn<'a> {
    pub game: &'a AnyGame,
    pub clocks: [&'a GameClock; 2],
    /// Whether the opponent has offered a draw with its last move.
    pub draw_offered: bool,
}

impl Turn<'_> {
    pub fn own_clock(&self) -> &GameClock {
        self.clocks[self.game.position().side_to_move().index()]
    }

    /// How long the arbiter waits for the move, and the fault if none arrives.
    pub(super) fn timeout(&self) -> (Duration, EngineFault) {
        let clock = self.own_clock();
        match clock.allowed().zip(clock.deadline()) {
            Some((allowed, deadline)) => {
                (deadline + WAIT_BEYOND, EngineFault::OutOfTime { allowed, used: None })
            }
            None => (MOVE_TIMEOUT, EngineFault::Stalled(MOVE_TIMEOUT)),
        }
    }
}

/// Timeout for a move without a clock.
const MOVE_TIMEOUT: Duration = Duration::from_secs(120);
/// How much longer the arbiter waits after the deadline, to distinguish a late answer from none.
const WAIT_BEYOND: Duration = Duration::from_millis(50);

/// What a player does when it is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    Move(ChosenMove),
    Resign,
    /// It accepts the draw that its opponent has offered.
    AcceptDraw,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMove {
    /// Its legality is checked by the arbiter.
    pub mv: AnyMove,
    pub report: MoveReport,
    /// When the clock started, after `go` was sent.
    pub started: Instant,
    pub expected: Option<AnyMove>,
    /// The lines of its search that have a PV, in the words of UCI without `info`.
    pub lines: Vec<String>,
    /// It offers a draw after this move.
    pub offers_draw: bool,
}

pub trait Player {
    /// Starts a new game with this turn; no clock runs yet. A fault in `Ok` is why the player had
    /// to be restarted after its last game.
    fn start_game(
        &mut self,
        own: Color,
        turn: &Turn<'_>,
    ) -> Result<Option<EngineFault>, EngineFault>;

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault>;

    /// How long the player waited for a core during its last move, if known.
    fn waited(&mut self) -> Option<Duration> {
        None
    }

    /// May ponder on the expected reply. `turn` is the position after its own move.
    fn ponder(&mut self, _turn: &Turn<'_>, _expected: AnyMove) -> Result<(), EngineFault> {
        Ok(())
    }

    /// The game is over; `None` if it was aborted.
    fn end_game(&mut self, own: Color, finished: Option<&FinishedGame>);
}

/// Searches on the thread of the game.
pub struct SearchPlayer {
    searcher: AnySearcher,
    /// Nodes for each move, exceeded to finish an iteration, besides the limits of the time control.
    pub soft_nodes: Option<u64>,
}

impl SearchPlayer {
    pub fn new(evaluation: AnyEvaluation, megabytes: usize) -> Result<SearchPlayer, ResourceError> {
        let searcher = AnySearcher::with_resources(evaluation, 1, megabytes)?;
        Ok(SearchPlayer { searcher, soft_nodes: None })
    }

    #[cfg(feature = "tuning")]
    pub fn params_mut(&mut self) -> &mut qirkat_search::SearchParams {
        self.searcher.params_mut()
    }
}

impl Player for SearchPlayer {
    fn start_game(&mut self, _: Color, _: &Turn<'_>) -> Result<Option<EngineFault>, EngineFault> {
        self.searcher.clear().map_err(|error| EngineFault::NoStart(error.to_string()))?;
        Ok(None)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault> {
        let started = Instant::now();
        let clock = turn.own_clock();
        let control = clock.control();
        let share = |clock| clock_budget(turn.game.position(), clock, Duration::ZERO);
        let by_clock = clock.reading().map(share);
        let fixed = control.move_time.map(|time| TimeBudget::fixed(time, Duration::ZERO));
        let time = by_clock.unwrap_or_default().tighter(fixed.unwrap_or_default());
        let mut limits = SearchLimits::time(time);
        limits.depth = control.depth.map(|depth| Depth(depth.min(Depth::MAX.0 as u16) as i16));
        limits.nodes = control.nodes;
        limits.soft_nodes = self.soft_nodes;
        limits.hurry_single_reply = true;
        let result = self.searcher.search(turn.game, &limits);
        let mv = result.best.ok_or_else(|| EngineFault::no_move("none"))?;
        let score = match result.score.moves_to_mate() {
            Some(moves) => ReportedScore::Mate(i32::from(moves)),
            None => ReportedScore::Centipawns(result.score.value()),
        };
        let info = SearchInfo {
            score: Some(score),
            depth: u32::try_from(result.depth.0).ok(),
            ..SearchInfo::default()
        };
        let report = MoveReport { info, time: started.elapsed() };
        let (expected, lines, offers_draw) = (None, Vec::new(), false);
        Ok(Choice::Move(ChosenMove { mv, report, started, expected, lines, offers_draw }))
    }

    fn end_game(&mut self, _: Color, _: Option<&FinishedGame>) {}
}
