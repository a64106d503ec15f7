//! A fault that lost a game, and whether the machine had a part in it.

use std::time::Duration;

use qirkat_game::Color;
use qirkat_game::text::push;

use crate::players::EngineFault;

/// The arbiter is late if it is woken so much later than it asked for.
const LATE: Duration = Duration::from_millis(10);
/// A wait for a core that is worth mentioning.
const LONG_WAIT: Duration = Duration::from_millis(1);

/// A fault that lost a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFault {
    pub loser: Color,
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
    /// saved: the loser waited for a core, or the arbiter was late, for as long
    /// as the answer was late. Without an answer it would have to be all the
    /// time there was.
    pub fn is_machines(&self) -> bool {
        let EngineFault::OutOfTime { allowed, used } = self.fault else { return false };
        let missing = used.map_or(allowed, |used| used.saturating_sub(allowed));
        self.waited >= missing.max(LONG_WAIT) || self.arbiter_late >= missing.max(LATE)
    }

    /// The machine's part in a loss on time.
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

#[cfg(test)]
mod tests {
    use super::*;

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
            let fault = GameFault {
                loser: Color::White,
                fault,
                before_first_move: false,
                arbiter_late: ms(arbiter_late),
                waited: ms(waited),
            };
            assert_eq!(fault.is_machines(), blamed, "{fault:?}");
        }
    }
}
