//! The [`Player`] trait, a player's report on a search, its faults, and [`SearchPlayer`].

use std::time::{Duration, Instant};

use thiserror::Error;

use qirkat_engine::{AnySearcher, SearchLimits};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};
use qirkat_search::{ResourceError, TimeBudget};

use crate::engine_process::EngineExit;
use crate::finished_game::FinishedGame;
use crate::info_line::{InfoLine, ReportedScore};
use crate::line_check::LineComplaint;
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
    pub(super) fn patience(&self) -> (Duration, EngineFault) {
        let clock = self.own_clock();
        match clock.allowed().zip(clock.latest_answer()) {
            Some((allowed, latest)) => {
                (latest + WAIT_BEYOND, EngineFault::OutOfTime { allowed, used: None })
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
    pub thought: Thought,
    /// When the clock started, after `go` was sent.
    pub started: Instant,
    pub expected: Option<AnyMove>,
    /// Its `info` lines with moves, without `info`.
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

/// The latest report on a search; with MultiPV that of the first line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    pub score: Option<ReportedScore>,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// Use of the hash table, in permille.
    pub hashfull: Option<u32>,
    /// The PV as the player wrote it; empty if none.
    pub pv: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    pub info: SearchInfo,
    pub time: Duration,
}

/// Characters of a PV to keep: more than two hundred moves.
const LONGEST_PV: usize = 1200;

impl SearchInfo {
    /// Updates the values by a line. Lines without a score, such as those with `currmove`, update
    /// only counters; lines of other variations (MultiPV) are ignored.
    pub(super) fn update(&mut self, line: &InfoLine<'_>) {
        let small = |number: Option<i64>| number.and_then(|number| u32::try_from(number).ok());
        let large = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        if line.multipv.unwrap_or(1) != 1 {
            return;
        }
        if line.score.is_some() {
            self.score = line.score;
            self.depth = small(line.depth);
            self.seldepth = small(line.seldepth);
        }
        self.nodes = large(line.nodes).or(self.nodes);
        self.nps = large(line.nps).or(self.nps);
        self.hashfull = small(line.hashfull).or(self.hashfull);
        if let Some(pv) = line.pv {
            self.pv = pv[..pv.floor_char_boundary(LONGEST_PV)].to_owned();
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    #[error("does not start: {0}")]
    NoStart(String),
    #[error("does not answer {question} within {} s", timeout.as_secs_f64())]
    NotReady { question: &'static str, timeout: Duration },
    #[error("disconnects{}", last_output(.0))]
    Crashed(EngineExit),
    #[error("does not read what it is sent")]
    InputUnread,
    /// No move within the arbiter's timeout, without a clock.
    #[error("stalls: no move within {} s", .0.as_secs_f64())]
    Stalled(Duration),
    #[error("loses on time: {}", late(*allowed, *used))]
    OutOfTime {
        /// The time it had, without margin.
        allowed: Duration,
        /// The time it used, if it answered while the arbiter waited.
        used: Option<Duration>,
    },
    #[error("makes an illegal move: {text}{}", why.as_ref().map_or(String::new(), |why| format!(", {why}")))]
    IllegalMove {
        text: String,
        /// The rule that it breaks, if it is a move at all.
        why: Option<String>,
    },
    #[error("claims a result that is not there: {0}")]
    FalseClaim(String),
    #[error("takes a legal move for illegal: {0}")]
    RefusedMove(String),
    /// It showed a faulty line in a match where that loses.
    #[error("shows a line with {}: {}", .0.fault, .0.what)]
    WrongLine(LineComplaint),
    #[error("was aborted")]
    Aborted,
}

/// Characters of a move quoted as the reason for the result.
pub(super) const SHOWN_TEXT: usize = 16;
/// Characters of an engine's last lines quoted as the reason for the result.
const SHOWN_ERRORS: usize = 200;

/// How an engine exited and the end of its standard error, in one line of bounded length.
fn last_output(exit: &EngineExit) -> String {
    let mut text = exit.status.as_ref().map_or(String::new(), |status| format!(" ({status})"));
    if !exit.errors.is_empty() {
        let errors = exit.errors.join(" / ");
        let excess = errors.chars().count().saturating_sub(SHOWN_ERRORS);
        let dots = if excess > 0 { "..." } else { "" };
        text.push_str(", last output: ");
        text.push_str(dots);
        text.extend(errors.chars().skip(excess));
    }
    text
}

fn late(allowed: Duration, used: Option<Duration>) -> String {
    let allowed = allowed.as_secs_f64();
    match used {
        Some(used) => format!("{:.3} s taken, {allowed:.3} s left", used.as_secs_f64()),
        None => format!("no move within {allowed:.3} s"),
    }
}

/// Searches on the thread of the game.
pub struct SearchPlayer {
    searcher: AnySearcher,
    /// Whether a started iteration is completed even beyond the node limit.
    pub finishes_iterations: bool,
}

impl SearchPlayer {
    pub fn new(evaluation: AnyEvaluation, megabytes: usize) -> Result<SearchPlayer, ResourceError> {
        let searcher = AnySearcher::with_resources(evaluation, 1, megabytes)?;
        Ok(SearchPlayer { searcher, finishes_iterations: false })
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
        let by_clock = clock.reading().map(|clock| TimeBudget::from_clock(clock, Duration::ZERO));
        let fixed = control.move_time.map(|time| TimeBudget::fixed(time, Duration::ZERO));
        let time = by_clock.unwrap_or_default().tighter(fixed.unwrap_or_default());
        let mut limits = SearchLimits::time(time);
        limits.depth = control.depth.map(|depth| Depth(depth.min(Depth::MAX.0 as u16) as i16));
        limits.nodes = control.nodes.filter(|_| !self.finishes_iterations);
        limits.soft_nodes = control.nodes.filter(|_| self.finishes_iterations);
        limits.hurry_single_reply = true;
        let result = self.searcher.search(turn.game, &limits);
        let mv = result
            .best
            .ok_or_else(|| EngineFault::IllegalMove { text: "none".to_owned(), why: None })?;
        let score = match result.score.moves_to_mate() {
            Some(moves) => ReportedScore::Mate(i32::from(moves)),
            None => ReportedScore::Centipawns(result.score.value()),
        };
        let info = SearchInfo {
            score: Some(score),
            depth: u32::try_from(result.depth.0).ok(),
            ..SearchInfo::default()
        };
        let thought = Thought { info, time: started.elapsed() };
        let (expected, lines, offers_draw) = (None, Vec::new(), false);
        Ok(Choice::Move(ChosenMove { mv, thought, started, expected, lines, offers_draw }))
    }

    fn end_game(&mut self, _: Color, _: Option<&FinishedGame>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variation_is_noted() {
        use ReportedScore::{Centipawns as Cp, Mate};
        let mut info = SearchInfo::default();
        for (line, score, depth, nodes, pv) in [
            ("depth 3 score cp 15 pv e2e4 e8e6", Cp(15), 3, None, "e2e4 e8e6"),
            ("depth 4 multipv 2 score cp 99 pv d2d4", Cp(15), 3, None, "e2e4 e8e6"),
            ("string score cp 7 pv a1a2", Cp(15), 3, None, "e2e4 e8e6"),
            ("depth 5 currmove a2a3 nodes 77", Cp(15), 3, Some(77), "e2e4 e8e6"),
            ("depth 9 seldepth 12 multipv 1 score mate -3", Mate(-3), 9, Some(77), "e2e4 e8e6"),
            ("pv  b2b3   b8b7 depth 10 score cp 1 nodes -5", Cp(1), 10, Some(77), "b2b3   b8b7"),
            ("depth x score cp y nodes z pv", Cp(1), 10, Some(77), "b2b3   b8b7"),
        ] {
            info.update(&InfoLine::parse(line));
            assert_eq!((info.score, info.depth), (Some(score), Some(depth)), "{line}");
            assert_eq!((info.nodes, info.pv.as_str()), (nodes, pv), "{line}");
        }
    }

    #[test]
    fn a_long_line_of_moves_is_cut() {
        let text = format!("score cp 1 pv {}", "ä".repeat(LONGEST_PV));
        let mut info = SearchInfo::default();
        info.update(&InfoLine::parse(&text));
        assert_eq!(info.pv.len(), LONGEST_PV);
    }
}
