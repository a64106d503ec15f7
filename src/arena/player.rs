//! What the arbiter needs of a player.

use std::fmt;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::line_check::LineComplaint;
use super::search_info::Thought;
use super::time_control::GameClock;
use crate::game::{Color, Rules};
use crate::variant::{AnyGame, AnyMove, AnyPosition};

/// The situation in which a player has to move.
pub struct Turn<'a> {
    /// Where the game began.
    pub start: &'a AnyPosition,
    /// The moves since.
    pub moves: &'a [AnyMove],
    /// Where the game stands.
    pub game: &'a AnyGame,
    /// White's and Black's clock.
    pub clocks: [&'a GameClock; 2],
}

impl Turn<'_> {
    /// Who is to move.
    pub fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// The clock of the player who is to move.
    pub fn own_clock(&self) -> &GameClock {
        self.clocks[self.side().index()]
    }
}

/// A move, and what the player says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move; whether it is legal is for the arbiter to see.
    pub mv: AnyMove,
    /// What the player thinks of its position, and how long it took.
    pub thought: Thought,
    /// When the clock started: the question had been put.
    pub asked: Instant,
    /// The reply that the player expects.
    pub expected: Option<AnyMove>,
    /// What it reported while it thought: `info` lines with moves in them, without
    /// that word.
    pub lines: Vec<String>,
}

/// Why a player could not go on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    /// It never came up.
    #[error("does not start: {0}")]
    NoStart(String),
    /// It did not answer a question in time.
    #[error("does not answer {question} within {} s", patience.as_secs_f64())]
    NotReady {
        /// The question.
        question: &'static str,
        /// The time it had.
        patience: Duration,
    },
    /// It ended.
    #[error("disconnects{0}")]
    Crashed(LastWords),
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
        /// What it answered.
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

/// How an engine ended, and what it wrote before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LastWords {
    /// Its status, if it had ended, such as `exit status: 1`.
    pub status: Option<String>,
    /// The last lines of its standard error.
    pub errors: Vec<String>,
}

/// Letters of an engine's last lines that stand in the reason of a game.
const SHOWN_ERRORS: usize = 200;

/// In one line, and not too long a one.
impl fmt::Display for LastWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(status) = &self.status {
            write!(f, " ({status})")?;
        }
        if !self.errors.is_empty() {
            let said = self.errors.join(" / ");
            let excess = said.chars().count().saturating_sub(SHOWN_ERRORS);
            let dots = if excess > 0 { "..." } else { "" };
            write!(f, ", last words: {dots}{}", said.chars().skip(excess).collect::<String>())?;
        }
        Ok(())
    }
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

/// Somebody who plays games.
pub trait Player {
    /// A new game begins. The fault is one after the last game that cost
    /// nothing: the player had to be started again.
    ///
    /// # Errors
    /// When the player is not there for it.
    fn start_game(&mut self) -> Result<Option<EngineFault>, EngineFault>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When the player fails to.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault>;

    /// How long the machine kept the player waiting for a core while it last
    /// had to move, if that is known.
    fn waited(&mut self) -> Option<Duration> {
        None
    }

    /// May think about the reply it expects while the other player has to
    /// move. The turn is the one after its own move.
    ///
    /// # Errors
    /// When the player is not there any more.
    fn ponder(&mut self, _turn: &Turn<'_>, _expected: AnyMove) -> Result<(), EngineFault> {
        Ok(())
    }

    /// The game is over, by a fault of this player's or otherwise.
    fn end_game(&mut self, fault: Option<&EngineFault>);
}
