//! The end of a game: its reason and the result that follows.

use super::adjudication::Verdict;
use super::engine_fault::EngineFault;
use super::finished_game::Termination;
use super::game_fault::GameFault;
use qirkat_game::{Color, Outcome};
use qirkat_notation::pgn::GameResult;

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
pub(super) struct Conclusion {
    pub result: GameResult,
    pub termination: Termination,
    pub reason: String,
}

impl From<Outcome> for Conclusion {
    fn from(outcome: Outcome) -> Conclusion {
        let reason = match outcome {
            Outcome::Draw(reason) => format!("Draw by {reason}"),
            _ => outcome.to_string(),
        };
        Conclusion { result: outcome.into(), termination: Termination::Normal, reason }
    }
}

impl From<Verdict> for Conclusion {
    fn from(verdict: Verdict) -> Conclusion {
        let (result, reason) = match verdict {
            Verdict::Win(winner) => {
                (GameResult::won_by(winner), format!("{winner:?} wins by adjudication"))
            }
            Verdict::TableWin(winner) => {
                (GameResult::won_by(winner), format!("{winner:?} wins by the endgame tables"))
            }
            Verdict::TableDraw => (GameResult::Draw, "Draw by the endgame tables".to_owned()),
            Verdict::Draw => (GameResult::Draw, "Draw by adjudication".to_owned()),
            Verdict::TooLong => {
                (GameResult::Draw, "Draw by adjudication: maximal game length".to_owned())
            }
        };
        Conclusion { result, termination: Termination::Adjudication, reason }
    }
}

impl From<&GameFault> for Conclusion {
    fn from(fault: &GameFault) -> Conclusion {
        let loser = fault.loser;
        Conclusion {
            result: GameResult::won_by(!loser),
            termination: termination_by(&fault.fault),
            reason: format!("{loser:?} {}{}", fault.fault, fault.excuse()),
        }
    }
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
