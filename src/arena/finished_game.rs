//! A finished game: its moves and result, its players' use of time and faulty lines.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::de::value::StrDeserializer;
use serde::{Deserialize, Serialize};

use qirkat_game::text::push;
use qirkat_game::{Color, Outcome};
use qirkat_rules::pgn::GameResult;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};

use crate::adjudication::Adjudication;
use crate::engine_fault::EngineFault;
use crate::info_line::{MoveReport, ReportedScore};
use crate::pv_check::{PvComplaint, PvFault};
use crate::schedule::ScheduledGame;

/// Displayed as the PGN tag `Termination`; `stalled connection` is cutechess's term.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    Normal,
    /// By the players' scores, the tablebases or the move limit.
    Adjudication,
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    #[serde(rename = "rules infraction")]
    IllegalMove,
    #[serde(rename = "stalled connection")]
    Stalled,
    Abandoned,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Termination {
    pub fn from_tag(tag: &str) -> Option<Termination> {
        Termination::deserialize(StrDeserializer::<serde::de::value::Error>::new(tag)).ok()
    }
}

#[derive(Clone, Debug)]
pub struct FinishedGame {
    pub start: AnyPosition,
    /// All moves, the opening's first.
    pub moves: Vec<PlayedMove>,
    pub result: GameResult,
    pub termination: Termination,
    /// The reason in words: `White mates`.
    pub reason: String,
    pub fault: Option<GameFault>,
    pub stats: [PlayerStats; 2],
    pub overhead: Overhead,
}

impl FinishedGame {
    pub fn outcome(&self, game: &ScheduledGame) -> GameOutcome {
        GameOutcome::new(game, self.result, self.termination)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    pub mv: AnyMove,
    pub report: Option<MoveReport>,
}

impl PlayedMove {
    /// The moves of an opening.
    pub(super) fn of_opening(opening: &AnyGame) -> Vec<PlayedMove> {
        opening.moves().iter().map(|&mv| PlayedMove { mv, report: None }).collect()
    }

    pub fn score(&self) -> Option<ReportedScore> {
        self.report.as_ref()?.info.score
    }
}

pub(super) type Conclusion = (GameResult, Termination, String);

pub(super) fn by_rules(outcome: Outcome) -> Conclusion {
    let reason = match outcome {
        Outcome::Draw(reason) => format!("Draw by {reason}"),
        _ => outcome.to_string(),
    };
    (outcome.into(), Termination::Normal, reason)
}

pub(super) fn by_adjudication(Adjudication { winner, by }: Adjudication) -> Conclusion {
    let (result, reason) = match winner {
        Some(winner) => (GameResult::won_by(winner), format!("{winner:?} wins by {by}")),
        None => (GameResult::Draw, format!("Draw by {by}")),
    };
    (result, Termination::Adjudication, reason)
}

pub(super) fn resigned(loser: Color) -> Conclusion {
    (GameResult::won_by(!loser), Termination::Normal, format!("{loser:?} resigns"))
}

pub(super) fn agreed() -> Conclusion {
    (GameResult::Draw, Termination::Normal, "Draw by agreement".to_owned())
}

/// The end of a game by a fault in this position. A bare king does not win on time (FIDE Laws, 6.9).
pub(super) fn by_fault(fault: &GameFault, position: &AnyPosition) -> Conclusion {
    let termination = match fault.fault {
        EngineFault::OutOfTime { .. } => Termination::TimeForfeit,
        EngineFault::IllegalMove { .. }
        | EngineFault::FalseClaim(_)
        | EngineFault::RefusedMove(_)
        | EngineFault::WrongPv(_) => Termination::IllegalMove,
        EngineFault::NotReady { .. } | EngineFault::Stalled(_) | EngineFault::InputUnread => {
            Termination::Stalled
        }
        EngineFault::NoStart(_) | EngineFault::Crashed(_) | EngineFault::Aborted => {
            Termination::Abandoned
        }
    };
    let loser = fault.loser;
    let reason = format!("{loser:?} {}{}", fault.fault, fault.excuse());
    if termination == Termination::TimeForfeit && position.is_bare_king(!loser) {
        let reason = format!("{reason}; drawn, as a bare king cannot win");
        return (GameResult::Draw, termination, reason);
    }
    (GameResult::won_by(!loser), termination, reason)
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayerStats {
    /// Its moves after the opening.
    pub moves: u64,
    /// Why it was restarted for this game, unless its fault lost the previous game.
    pub restarted: Option<EngineFault>,
    pub pv_faults: BTreeMap<PvFault, u64>,
    /// The first example of each kind.
    pub examples: Vec<PvComplaint>,
    /// The most by which it exceeded its clock or move time.
    pub worst_overshoot: Duration,
    /// The largest part of its available time spent on one move.
    pub largest_share: f64,
    /// The longest time it waited for a core during a move with a time limit.
    pub longest_wait: Duration,
}

/// The arbiter's own time: from an answer to the next `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overhead {
    pub count: u64,
    pub total: Duration,
    pub worst: Duration,
}

impl PlayerStats {
    pub(super) fn record_time(&mut self, used: Duration, allowed: Duration) {
        self.worst_overshoot = self.worst_overshoot.max(used.saturating_sub(allowed));
        let share = used.as_secs_f64() / allowed.as_secs_f64();
        if share.is_finite() {
            self.largest_share = self.largest_share.max(share);
        }
    }

    pub(super) fn record_pv_faults(&mut self, complaints: &[PvComplaint]) {
        for complaint in complaints {
            let count = self.pv_faults.entry(complaint.fault).or_default();
            *count += 1;
            if *count == 1 {
                self.examples.push(complaint.clone());
            }
        }
    }
}

impl Overhead {
    pub(super) fn add(&mut self, time: Duration) {
        self.count += 1;
        self.total += time;
        self.worst = self.worst.max(time);
    }
}

/// The arbiter is late if it wakes up this much after the requested time.
const LATE: Duration = Duration::from_millis(10);
/// The shortest wait for a core that is reported.
const LONG_WAIT: Duration = Duration::from_millis(1);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFault {
    pub loser: Color,
    pub fault: EngineFault,
    pub before_first_move: bool,
    /// The largest delay of the arbiter while the loser had to move.
    pub arbiter_late: Duration,
    /// How long the loser waited for a core meanwhile.
    pub waited: Duration,
}

impl GameFault {
    /// Whether a busy machine may have caused a loss on time: the loser's wait for a core or the
    /// arbiter's delay was at least as long as the answer's delay, or, without an answer, as all the
    /// loser's time.
    pub fn may_be_machine_fault(&self) -> bool {
        let EngineFault::OutOfTime { allowed, used } = self.fault else { return false };
        let missing = used.map_or(allowed, |used| used.saturating_sub(allowed));
        self.waited >= missing.max(LONG_WAIT) || self.arbiter_late >= missing.max(LATE)
    }

    fn excuse(&self) -> String {
        let mut text = String::new();
        if matches!(self.fault, EngineFault::OutOfTime { .. }) {
            if self.waited >= LONG_WAIT {
                let waited = self.waited.as_secs_f64() * 1e3;
                push(&mut text, format_args!("; it waited {waited:.1} ms for a core"));
            }
            if self.arbiter_late >= LATE {
                let late = self.arbiter_late.as_millis();
                push(&mut text, format_args!("; the arbiter itself was late by {late} ms"));
            }
        }
        text
    }
}

/// How a game of a tournament ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameOutcome {
    pub number: usize,
    pub pair: usize,
    pub white: usize,
    pub black: usize,
    pub result: GameResult,
    pub termination: Termination,
}

impl GameOutcome {
    pub fn new(game: &ScheduledGame, result: GameResult, termination: Termination) -> GameOutcome {
        let ScheduledGame { number, pair, white, black, .. } = *game;
        GameOutcome { number, pair, white, black, result, termination }
    }
}

#[cfg(test)]
mod tests {
    use qirkat_rules::variant::Variant;

    use super::*;

    #[test]
    fn a_bare_king_wins_by_faults_but_not_on_time() {
        let rook = Variant::Chesquerque.read_fen("4k4/9/9/9/9/9/9/9/R3K4 w - -").expect("a FEN");
        let late = EngineFault::OutOfTime { allowed: Duration::ZERO, used: None };
        for (loser, fault, result) in [
            (Color::White, &late, GameResult::Draw),
            (Color::Black, &late, GameResult::WhiteWins),
            (Color::White, &EngineFault::InputUnread, GameResult::BlackWins),
        ] {
            let (arbiter_late, waited) = (Duration::ZERO, Duration::ZERO);
            let fault = fault.clone();
            let fault = GameFault { loser, fault, before_first_move: false, arbiter_late, waited };
            assert_eq!(by_fault(&fault, &rook.position).0, result, "{fault:?}");
        }
    }

    #[test]
    fn the_machine_is_to_blame_for_what_it_took() {
        let ms = Duration::from_millis;
        for (allowed, used, arbiter_late, waited, blamed) in [
            // No answer: a sleeper that waited a little is no victim.
            (927, None, 0, 12, false),
            (927, None, 12, 0, false),
            (927, None, 926, 500, false),
            (927, None, 0, 927, true),
            (927, None, 1500, 0, true),
            // An answer that the wait has made late, or not.
            (927, Some(60_000), 12, 12, false),
            (927, Some(967), 39, 39, false),
            (927, Some(967), 40, 0, true),
            (927, Some(967), 0, 40, true),
            // Too short to be noticed.
            (927, Some(927), 9, 0, false),
            (927, Some(927), 0, 0, false),
            (927, Some(927), 0, 1, true),
        ] {
            let fault = EngineFault::OutOfTime { allowed: ms(allowed), used: used.map(ms) };
            let (loser, before_first_move) = (Color::White, false);
            let (arbiter_late, waited) = (ms(arbiter_late), ms(waited));
            let fault = GameFault { loser, fault, before_first_move, arbiter_late, waited };
            assert_eq!(fault.may_be_machine_fault(), blamed, "{fault:?}");
        }
    }
}
