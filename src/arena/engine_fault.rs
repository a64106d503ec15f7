//! What an engine can do wrong that costs it a game.

use std::time::Duration;

use thiserror::Error;

use qirkat_game::text::one_line;

use crate::engine_process::EngineExit;
use crate::pv_check::PvComplaint;

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
    WrongPv(PvComplaint),
    #[error("was aborted")]
    Aborted,
}

impl EngineFault {
    /// For a text that is no move at all.
    pub(super) fn no_move(text: &str) -> EngineFault {
        EngineFault::IllegalMove { text: one_line(text, SHOWN_TEXT), why: None }
    }
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
