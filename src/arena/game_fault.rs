//! A fault that lost a game, and whether the machine had a part in it.

use std::time::Duration;

use super::engine_fault::EngineFault;
use crate::game::Color;
use crate::text::push;

/// The arbiter is late if it is woken so much later than it asked for.
const LATE: Duration = Duration::from_millis(10);
/// A wait for a core that is worth mentioning.
const LONG_WAIT: Duration = Duration::from_millis(1);

/// A fault that lost a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFault {
    /// Whose it was.
    pub loser: Color,
    /// What it was.
    pub fault: EngineFault,
    /// Whether the loser made no move at all.
    pub before_first_move: bool,
    /// How late the arbiter itself was at most while the loser had to move.
    pub arbiter_late: Duration,
    /// How long the machine kept the loser waiting for a core then.
    pub waited: Duration,
}

impl GameFault {
    /// Whether a game was lost on time that a less busy machine might have
    /// saved: the arbiter itself was late, or the loser waited for a core as
    /// long as it was late.
    pub fn is_machines(&self) -> bool {
        let EngineFault::OutOfTime { allowed, used } = self.fault else { return false };
        let missing = used.map(|used| used.saturating_sub(allowed));
        self.arbiter_late >= LATE
            || self.waited >= LONG_WAIT && missing.is_some_and(|missing| self.waited >= missing)
    }

    /// What the machine had to do with a loss on time.
    pub(super) fn excuse(&self) -> String {
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
