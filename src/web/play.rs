//! A game being played: who plays, how strong, with how much time, and how it
//! ended.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::game_tree::NodeId;
use crate::engine::SearchLimits;
use crate::game::{Color, GameResult, Outcome};
use crate::search::Clock;

/// Time lost between the engine's move and its clock.
const OVERHEAD: Duration = Duration::from_millis(20);

/// Time at the start and for each move, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct TimeRule {
    /// At the start.
    pub base: u32,
    /// Added after each move.
    pub increment: u32,
}

impl TimeRule {
    /// The most that makes sense: a day.
    const LONGEST: u32 = 24 * 60 * 60 * 1000;

    /// The same within sensible bounds.
    pub fn bounded(self) -> TimeRule {
        TimeRule {
            base: self.base.clamp(1000, Self::LONGEST),
            increment: self.increment.min(Self::LONGEST),
        }
    }
}

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Ending {
    /// The result as PGN has it.
    pub result: GameResult,
    /// Why, in words.
    pub reason: String,
}

impl Ending {
    /// The end that the rules make.
    pub fn by_rule(outcome: Outcome) -> Ending {
        Ending { result: outcome.into(), reason: outcome.to_string() }
    }
}

/// A game being played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Play {
    /// Whether people play White and Black; the engine plays the rest.
    pub people: [bool; 2],
    /// How strong the engine plays; as it can when not given.
    pub elo: Option<u32>,
    /// Milliseconds for each move of the engine where there is no clock.
    pub think: u32,
    /// The clocks, if there are any.
    pub clock: Option<TimeRule>,
    /// Milliseconds left of White and Black.
    pub left: [u32; 2],
    /// Somebody has asked for a pause.
    pub paused: bool,
    /// How it has ended, if it has.
    pub ending: Option<Ending>,
    /// The position that is played from, the last of the game.
    pub last: NodeId,
    /// Since when the clock of the side to move runs.
    #[serde(skip)]
    pub running_since: Option<Instant>,
}

impl Play {
    /// Whether the engine has the move.
    pub fn is_engine(&self, side: Color) -> bool {
        !self.people[side.index()]
    }

    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.ending.is_none()
    }

    /// Milliseconds that a side has left now; none without clocks.
    pub fn left(&self, side: Color, to_move: Color) -> Option<u32> {
        self.clock?;
        let spent = match self.running_since {
            Some(since) if side == to_move => since.elapsed(),
            _ => Duration::ZERO,
        };
        Some(self.left[side.index()].saturating_sub(milliseconds(spent)))
    }

    /// Lets the clock of the side to move run, or stand still.
    pub fn run_clock(&mut self, to_move: Color, run: bool) {
        if let Some(left) = self.left(to_move, to_move) {
            self.left[to_move.index()] = left;
            self.running_since = run.then(Instant::now);
        }
    }

    /// A side has moved: its clock stands still and gets what a move earns.
    pub fn moved(&mut self, side: Color) {
        if let Some(rule) = self.clock {
            let ran = self.running_since.is_some();
            self.run_clock(side, false);
            if ran {
                let left = &mut self.left[side.index()];
                *left = left.saturating_add(rule.increment);
            }
        }
    }

    /// When the clock of the side to move runs out.
    pub fn flag_at(&self, to_move: Color) -> Option<Instant> {
        let left = Duration::from_millis(self.left[to_move.index()].into());
        self.running_since?.checked_add(left)
    }

    /// What bounds the engine's search for a move of the side to move.
    pub fn limits(&self, side: Color) -> SearchLimits {
        self.limits_with(self.left(side, side).unwrap_or(0))
    }

    /// The same for a side whose clock stands still, while the other has the move.
    pub fn limits_at_rest(&self, side: Color) -> SearchLimits {
        self.limits_with(self.left[side.index()])
    }

    /// What bounds a search with so many milliseconds left.
    fn limits_with(&self, left: u32) -> SearchLimits {
        let limits = match self.clock {
            Some(rule) => {
                let clock = Clock {
                    remaining: Duration::from_millis(left.into()),
                    increment: Duration::from_millis(rule.increment.into()),
                    moves_to_go: None,
                };
                SearchLimits::clock(clock, OVERHEAD)
            }
            None => SearchLimits::movetime(Duration::from_millis(self.think.into())),
        };
        SearchLimits { hurry_single_reply: true, ..limits }
    }
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(clock: Option<TimeRule>) -> Play {
        Play {
            people: [true, false],
            elo: None,
            think: 100,
            clock,
            left: [10_000; 2],
            paused: false,
            ending: None,
            last: 0,
            running_since: None,
        }
    }

    #[test]
    fn only_a_running_clock_loses_time_and_earns_the_increment() {
        let mut play = play(Some(TimeRule { base: 10_000, increment: 700 }));
        play.moved(Color::White);
        assert_eq!(play.left, [10_000, 10_000]);
        play.running_since = Instant::now().checked_sub(Duration::from_millis(4000));
        assert!(play.left(Color::White, Color::White).is_some_and(|left| left <= 6000));
        assert_eq!(play.left(Color::Black, Color::White), Some(10_000));
        assert!(play.flag_at(Color::White).is_some_and(|flag| flag > Instant::now()));
        play.moved(Color::White);
        assert!((6000..=6700).contains(&play.left[0]), "{:?}", play.left);
        assert_eq!(play.flag_at(Color::Black), None);
    }

    #[test]
    fn an_engine_that_ponders_does_not_pay_for_the_time_of_the_other_side() {
        let mut play = play(Some(TimeRule { base: 10_000, increment: 0 }));
        let fresh = play.limits_at_rest(Color::Black).time;
        play.running_since = Instant::now().checked_sub(Duration::from_millis(9000));
        assert_eq!(play.limits_at_rest(Color::Black).time, fresh);
        assert!(play.limits(Color::White).time.hard < fresh.hard);
        play.clock = None;
        assert_eq!(play.limits(Color::White).time.hard, Some(Duration::from_millis(100)));
    }

    #[test]
    fn without_clocks_nobody_runs_out_of_time() {
        let mut play = play(None);
        play.run_clock(Color::White, true);
        assert_eq!(play.running_since, None);
        assert_eq!(play.left(Color::White, Color::White), None);
    }
}
