//! A game from its first move to its result.

use serde::{Deserialize, Serialize};

use qirkat_game::{Color, Outcome};
use qirkat_rules::pgn::GameResult;
use qirkat_rules::variant::{AnyMove, AnyPosition};

use super::adjudication::Verdict;
use super::conduct::{Conduct, Overhead};
use super::game_fault::GameFault;
use crate::players::{EngineFault, Thought};
use crate::uci_client::ReportedScore;

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Termination {
    /// By the rules of the game.
    #[serde(rename = "normal")]
    Normal,
    /// By agreed scores, by tablebases or by its length.
    #[serde(rename = "adjudication")]
    Adjudication,
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    #[serde(rename = "rules infraction")]
    IllegalMove,
    /// By a player that does not answer.
    #[serde(rename = "stalled connection")]
    Stalled,
    /// By a player that ended.
    #[serde(rename = "abandoned")]
    Abandoned,
}

impl Termination {
    pub const ALL: [Termination; 6] = [
        Termination::Normal,
        Termination::Adjudication,
        Termination::TimeForfeit,
        Termination::IllegalMove,
        Termination::Stalled,
        Termination::Abandoned,
    ];

    /// The one that the PGN tag names, if it is one.
    pub fn from_tag(tag: &str) -> Option<Termination> {
        Termination::ALL.into_iter().find(|termination| termination.tag() == tag)
    }

    /// As in the PGN tag of that name; `stalled connection` is the word of
    /// cutechess.
    pub const fn tag(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "rules infraction",
            Termination::Stalled => "stalled connection",
            Termination::Abandoned => "abandoned",
        }
    }
}

/// A game from its first move to its result.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    pub start: AnyPosition,
    /// The moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    pub result: GameResult,
    /// How it came to its end.
    pub termination: Termination,
    /// The same in words: `White mates`.
    pub reason: String,
    /// The fault that ended it, if one did.
    pub fault: Option<GameFault>,
    /// The conduct of White and Black.
    pub conduct: [Conduct; 2],
    /// The arbiter's own time.
    pub overhead: Overhead,
}

/// A move of a game, and its player's report on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    pub mv: AnyMove,
    /// The report of its player; nothing if it was made by the opening.
    pub thought: Option<Thought>,
}

impl PlayedMove {
    /// Its player's score of the position.
    pub fn score(&self) -> Option<ReportedScore> {
        self.thought.as_ref()?.info.score
    }
}

/// Why a game ended.
pub(super) enum End {
    Outcome(Outcome),
    Verdict(Verdict),
    Fault(Color, EngineFault),
    Aborted,
}

impl End {
    /// By a player's fault, unless the whole game was broken off.
    pub fn by_fault(color: Color, fault: EngineFault) -> End {
        match fault {
            EngineFault::Aborted => End::Aborted,
            fault => End::Fault(color, fault),
        }
    }
}

/// The result of a game, how it came to be, and the same in words.
pub(super) type Conclusion = (GameResult, Termination, String);

pub(super) fn by_rules(outcome: Outcome) -> Conclusion {
    let reason = match outcome {
        Outcome::Draw(reason) => format!("Draw by {reason}"),
        _ => outcome.to_string(),
    };
    (outcome.into(), Termination::Normal, reason)
}

pub(super) fn by_verdict(verdict: Verdict) -> Conclusion {
    let (winner, reason) = match verdict {
        Verdict::Win(winner) => (Some(winner), "adjudication"),
        Verdict::Draw => (None, "adjudication"),
        Verdict::TooLong => (None, "adjudication: maximal game length"),
        Verdict::TablebaseWin(winner) => (Some(winner), "the endgame tables"),
        Verdict::TablebaseDraw => (None, "the endgame tables"),
    };
    let (result, reason) = match winner {
        Some(winner) => (GameResult::won_by(winner), format!("{winner:?} wins by {reason}")),
        None => (GameResult::Draw, format!("Draw by {reason}")),
    };
    (result, Termination::Adjudication, reason)
}

pub(super) fn by_fault(fault: &GameFault) -> Conclusion {
    let loser = fault.loser;
    let reason = format!("{loser:?} {}{}", fault.fault, fault.excuse());
    (GameResult::won_by(!loser), termination_by(&fault.fault), reason)
}

fn termination_by(fault: &EngineFault) -> Termination {
    match fault {
        EngineFault::OutOfTime { .. } => Termination::TimeForfeit,
        EngineFault::IllegalMove { .. } | EngineFault::WrongLine(_) => Termination::IllegalMove,
        EngineFault::NotReady { .. } | EngineFault::Stalled(_) | EngineFault::Deaf => {
            Termination::Stalled
        }
        EngineFault::NoStart(_) | EngineFault::Crashed(_) | EngineFault::Aborted => {
            Termination::Abandoned
        }
    }
}
