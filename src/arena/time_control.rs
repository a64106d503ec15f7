//! Time controls and clocks.

use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use qirkat_search::Clock;
use qirkat_system::time_text::{Unit, read_time};

/// The limits for each move. Several may be combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    pub clock: Option<ClockRule>,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u16>,
    /// How late an answer may be.
    pub margin: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRule {
    /// Moves after which the base time is added again; `None` for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not a time control such as 40/60+0.6, 10+0.1 or inf")]
pub struct TimeControlError(String);

impl FromStr for ClockRule {
    type Err = TimeControlError;

    /// Parses `moves/base+increment`; only the base is required. Times are seconds or minutes:seconds.
    fn from_str(text: &str) -> Result<ClockRule, TimeControlError> {
        let error = || TimeControlError(text.to_owned());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| error())?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        if moves == Some(0) {
            return Err(error());
        }
        Ok(ClockRule {
            moves,
            base: read_time(base, Unit::Seconds).map_err(|_| error())?,
            increment: read_time(increment, Unit::Seconds).map_err(|_| error())?,
        })
    }
}

impl TimeControl {
    /// The text as cutechess writes it, for reports and PGN.
    pub fn describe(&self) -> String {
        let clock = self.clock.map(|ClockRule { moves, base, increment }| {
            let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
            let increment = match increment.as_secs_f64() {
                0.0 => String::new(),
                seconds => format!("+{seconds}"),
            };
            format!("{moves}{}{increment}", base.as_secs_f64())
        });
        let move_time = self.move_time.map(|time| format!("{}/move", time.as_secs_f64()));
        let nodes = self.nodes.map(|nodes| format!("{nodes} nodes"));
        let depth = self.depth.map(|depth| format!("{depth} plies"));
        let parts: Vec<String> = [clock, move_time, nodes, depth].into_iter().flatten().collect();
        if parts.is_empty() { "-".to_owned() } else { parts.join(", ") }
    }

    pub fn is_bounded(&self) -> bool {
        *self != TimeControl { margin: self.margin, ..TimeControl::default() }
    }
}

#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    remaining: Option<Duration>,
    moves_made: u32,
}

impl GameClock {
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, remaining: control.clock.map(|rule| rule.base), moves_made: 0 }
    }

    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    pub fn reading(&self) -> Option<Clock> {
        let rule = self.control.clock?;
        Some(Clock {
            remaining: self.remaining?,
            increment: rule.increment,
            moves_to_go: rule.moves.map(|moves| moves - self.moves_made % moves),
        })
    }

    /// The available time for the next move, without margin.
    pub fn allowed(&self) -> Option<Duration> {
        self.remaining.into_iter().chain(self.control.move_time).min()
    }

    /// The time for the next move, with margin.
    pub fn deadline(&self) -> Option<Duration> {
        Some(self.allowed()? + self.control.margin)
    }

    /// Subtracts a move's time and adds the increment. A move within the margin may exceed the clock.
    pub fn spend(&mut self, time: Duration) {
        let Some((rule, remaining)) = self.control.clock.zip(self.remaining) else { return };
        let mut left = remaining.saturating_sub(time) + rule.increment;
        self.moves_made += 1;
        if rule.moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
            left += rule.base;
        }
        self.remaining = Some(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        let rule = |moves, base, increment| {
            Ok(ClockRule {
                moves,
                base: Duration::from_millis(base),
                increment: Duration::from_millis(increment),
            })
        };
        for (text, expected) in [
            ("10+0.1", rule(None, 10_000, 100)),
            ("1+0.01", rule(None, 1_000, 10)),
            ("40/60", rule(Some(40), 60_000, 0)),
            ("40/1:30+0.5", rule(Some(40), 90_000, 500)),
            ("0.25", rule(None, 250, 0)),
        ] {
            assert_eq!(text.parse::<ClockRule>(), expected, "{text}");
        }
        for text in ["", "x", "0/10", "-1", "10+-1", "1/2/3", "inf", "nan", "1e300"] {
            assert!(text.parse::<ClockRule>().is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_count_moves_and_increments() {
        let rule = "2/10+1".parse().expect("a time control");
        let control = TimeControl { clock: Some(rule), ..TimeControl::default() };
        let mut clock = GameClock::new(control);
        let reading = |clock: &GameClock| {
            let reading = clock.reading().expect("there is a clock");
            (reading.remaining.as_secs(), reading.moves_to_go)
        };
        assert_eq!(reading(&clock), (10, Some(2)));
        clock.spend(Duration::from_secs(4));
        assert_eq!(reading(&clock), (7, Some(1)));
        clock.spend(Duration::from_secs(3));
        assert_eq!(reading(&clock), (15, Some(2)));
        assert_eq!(clock.deadline(), Some(Duration::from_secs(15)));
    }
}
