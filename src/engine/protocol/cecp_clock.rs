//! The engine's clock, set by the commands `level`, `st` and `time`.

use std::time::Duration;

use super::CommandError;
use qirkat_game::text::{Excerpt, read_number};
use qirkat_search::{Clock, TimeBudget};
use qirkat_system::time_text::{LONGEST_TIME, TimeTextError, Unit, milliseconds, read_time};

/// The time control of a game and the engine's remaining time.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CecpClock {
    /// Moves per session; none if the game is one session.
    session: Option<u32>,
    /// Time per session.
    base: Duration,
    increment: Duration,
    /// Time per move, instead of a clock.
    per_move: Option<Duration>,
    remaining: Duration,
    /// The engine's moves since the time control was set.
    moves: u32,
}

impl Default for CecpClock {
    /// The protocol's default: 40 moves in 5 minutes.
    fn default() -> CecpClock {
        let base = Duration::from_secs(300);
        CecpClock {
            session: Some(40),
            base,
            increment: Duration::ZERO,
            per_move: None,
            remaining: base,
            moves: 0,
        }
    }
}

impl CecpClock {
    /// Reads the arguments of `level`: moves per session or 0, minutes or `minutes:seconds`, and
    /// the increment in seconds.
    pub fn from_level(text: &str) -> Result<CecpClock, CommandError> {
        let mut words = text.split_ascii_whitespace();
        let (Some(moves), Some(base), Some(increment)) = (words.next(), words.next(), words.next())
        else {
            return Err("needs MOVES MINUTES[:SECONDS] INCREMENT".into());
        };
        let moves = match read_number(moves) {
            Some(number) if number < 0 => return Err(refused(moves, "negative")),
            Some(number) => number,
            None => return Err(refused(moves, "not a number")),
        };
        let base = read_base(base)?;
        Ok(CecpClock {
            session: u32::try_from(moves).ok().filter(|&moves| moves > 0),
            base,
            increment: read(increment, Unit::Seconds)?,
            per_move: None,
            remaining: base,
            moves: 0,
        })
    }

    /// Reads the argument of `st`: seconds, or minutes and seconds.
    pub fn set_time_per_move(&mut self, text: &str) -> Result<(), CommandError> {
        self.per_move = Some(read(text, Unit::Seconds)?);
        Ok(())
    }

    /// Reads the argument of `time`: hundredths of a second, zero or negative if the flag has
    /// fallen.
    pub fn set_remaining(&mut self, text: &str) -> Result<(), CommandError> {
        self.remaining = milliseconds(read_hundredths(text)?.saturating_mul(10));
        Ok(())
    }

    /// A new game with the same time control.
    pub fn restart(&mut self) {
        self.remaining = self.base;
        self.moves = 0;
    }

    pub fn moved_after(&mut self, thought: Duration) {
        self.moves += 1;
        self.remaining = self.remaining.saturating_sub(thought) + self.increment;
        if self.session.is_some_and(|session| self.moves.is_multiple_of(session)) {
            self.remaining += self.base;
        }
    }

    /// A move of the engine was taken back.
    pub fn took_back(&mut self) {
        self.moves = self.moves.saturating_sub(1);
    }

    pub fn budget(&self, overhead: Duration) -> TimeBudget {
        match self.per_move {
            Some(time) => TimeBudget::fixed(time, overhead),
            None => {
                let moves_to_go = self.session.map(|session| session - self.moves % session);
                let clock =
                    Clock { remaining: self.remaining, increment: self.increment, moves_to_go };
                TimeBudget::from_clock(clock, overhead)
            }
        }
    }
}

/// Minutes, or minutes and seconds. Any text after them is about later sessions and ignored.
fn read_base(text: &str) -> Result<Duration, CommandError> {
    let first = text.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.');
    read(&text[..first.unwrap_or(text.len())], Unit::Minutes)
}

/// Reads the argument of `time` and `otim`.
pub(super) fn read_hundredths(text: &str) -> Result<i64, CommandError> {
    read_number(text).ok_or_else(|| refused(text, "not a number"))
}

/// Saturates.
fn read(text: &str, unit: Unit) -> Result<Duration, CommandError> {
    match read_time(text, unit) {
        Ok(time) => Ok(time),
        Err(TimeTextError::TooLong) => Ok(LONGEST_TIME),
        Err(TimeTextError::Negative) => Err(refused(text, "negative")),
        Err(TimeTextError::NotANumber) => Err(refused(text, "not a number")),
    }
}

/// Why an argument is refused.
pub(super) fn refused(text: &str, what_it_is: &str) -> CommandError {
    format!("`{}` is {what_it_is}", Excerpt::of(text)).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use qirkat_testing::{effort, texts_like};

    fn seconds(count: f64) -> Duration {
        Duration::from_secs_f64(count)
    }

    #[test]
    fn all_kinds_of_level_are_read() {
        for (text, session, base, increment) in [
            ("40 5 0", Some(40), 300.0, 0.0),
            ("40 0:30 0", Some(40), 30.0, 0.0),
            ("0 2 12", None, 120.0, 12.0),
            ("0 1:05 0.1", None, 65.0, 0.1),
            ("40 25+5 0", Some(40), 1500.0, 0.0),
        ] {
            let clock = CecpClock::from_level(text).expect(text);
            assert_eq!(
                (clock.session, clock.base, clock.increment),
                (session, seconds(base), seconds(increment)),
                "{text}"
            );
        }
        for text in ["", "40", "40 5", "x 5 0", "40 x 0", "40 5 x", "40 :: 0", "-3 1 0", "40 5 -1"]
        {
            assert!(CecpClock::from_level(text).is_err(), "{text}");
        }
        for text in ["0 nan inf", "0 1e999 0", "0 99999999999999999999999999 1e300"] {
            let budget = CecpClock::from_level(text).map(|clock| clock.budget(Duration::ZERO));
            assert!(budget.is_err() || budget.is_ok_and(|budget| budget.hard.is_some()), "{text}");
        }
    }

    #[test]
    fn sessions_bring_new_time() {
        let mut clock = CecpClock::from_level("2 1 0").expect("a sound level");
        clock.moved_after(seconds(50.0));
        assert_eq!(clock.remaining, seconds(10.0));
        clock.moved_after(seconds(5.0));
        assert_eq!(clock.remaining, seconds(65.0));
        clock.took_back();
        assert_eq!(clock.moves, 1);
    }

    /// Words that make sense somewhere, and others.
    const LINE: &str = r"((40|0|5:00|0:30|1e9|nan|-?9{1,30}|:|25\+5|\PC{0,12}) ){0,8}";

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(effort([400, 4_000, 4_000])) })]

        #[test]
        fn lines_are_read_without_panic(line in texts_like(LINE)) {
            let mut clock = CecpClock::from_level(&line).unwrap_or_default();
            let _ = clock.set_time_per_move(&line);
            let _ = clock.set_remaining(&line);
            clock.moved_after(Duration::from_secs(1));
            let budget = clock.budget(Duration::from_millis(20));
            prop_assert!(budget.hard.is_some());
        }
    }
}
