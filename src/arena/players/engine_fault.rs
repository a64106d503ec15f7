//! Why a player could not go on, in words for a game's reason.

use std::time::Duration;

use thiserror::Error;

use super::line_check::LineComplaint;
use crate::uci_client::EngineExit;

/// Why a player could not go on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    /// It never came up.
    #[error("does not start: {0}")]
    NoStart(String),
    /// It did not answer a question in time.
    #[error("does not answer {question} within {} s", patience.as_secs_f64())]
    NotReady { question: &'static str, patience: Duration },
    #[error("disconnects{}", last_output(.0))]
    Crashed(EngineExit),
    /// It does not read its input.
    #[error("does not read what it is sent")]
    Deaf,
    /// It did not move although no clock runs.
    #[error("stalls: no move within {} s", .0.as_secs_f64())]
    Stalled(Duration),
    /// It moved too late or not at all.
    #[error("loses on time: {}", late(*allowed, *used))]
    OutOfTime {
        /// The time it had, without margin.
        allowed: Duration,
        /// The time it took, if it answered while the arbiter waited.
        used: Option<Duration>,
    },
    /// It answered with something that is no legal move.
    #[error("makes an illegal move: {text}{}", reason(why.as_deref()))]
    IllegalMove {
        text: String,
        /// The rule that it breaks, if it is a move at all.
        why: Option<String>,
    },
    /// It showed a line that makes no sense, where that loses.
    #[error("shows a line with {}: {}", .0.fault.text(), .0.what)]
    WrongLine(LineComplaint),
    /// Nobody's fault: the game was broken off.
    #[error("was broken off")]
    Aborted,
}

/// Letters of an engine's last lines that stand in the reason of a game.
const SHOWN_ERRORS: usize = 200;

/// How an engine ended, and the end of its standard error, in one line of bounded length.
fn last_output(exit: &EngineExit) -> String {
    let mut text = exit.status.as_ref().map_or(String::new(), |status| format!(" ({status})"));
    if !exit.errors.is_empty() {
        let errors = exit.errors.join(" / ");
        let excess = errors.chars().count().saturating_sub(SHOWN_ERRORS);
        let dots = if excess > 0 { "..." } else { "" };
        text.push_str(", last words: ");
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

fn reason(why: Option<&str>) -> String {
    why.map_or_else(String::new, |why| format!(", {why}"))
}
