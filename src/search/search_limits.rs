//! When a search ends, and what it may look at.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::handicap::Handicap;
use qirkat_game::distance::Depth;

/// The limits of a search. Nothing set means: until it is stopped. Where several
/// are set, the first that is reached ends the search.
///
/// ```
/// use qirkat_search::{SearchLimits, TimeBudget};
/// use std::time::Duration;
///
/// // The three best moves, for a second at most.
/// let limits = SearchLimits::movetime(Duration::from_secs(1)).with_multi_pv(3);
/// assert_eq!(limits.time.hard, Some(Duration::from_secs(1)));
/// // To depth 12, but visiting no more than a million positions.
/// let mut limits = SearchLimits::depth(12);
/// limits.nodes = Some(1_000_000);
/// assert_eq!(limits.time, TimeBudget::default());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchLimits {
    /// The last iteration.
    pub depth: Option<Depth>,
    /// Positions to visit, all threads together.
    pub nodes: Option<u64>,
    /// No new iteration after this many positions.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found or excluded.
    pub mate: Option<u16>,
    /// Time to think.
    pub time: TimeBudget,
    /// Lines to report.
    pub multi_pv: NonZeroUsize,
    /// Play below full strength.
    pub handicap: Option<Handicap>,
    /// Answer a single legal reply at once.
    pub hurry_single_reply: bool,
    /// Wait for `stop` even when there is nothing left to search.
    pub infinite: bool,
    /// The limits of time hold only from the ponder hit on. What was thought
    /// before counts as well, so that the own clock shows less than that.
    pub ponder: bool,
}

impl Default for SearchLimits {
    fn default() -> SearchLimits {
        SearchLimits {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            time: TimeBudget::default(),
            multi_pv: NonZeroUsize::MIN,
            handicap: None,
            hurry_single_reply: false,
            infinite: false,
            ponder: false,
        }
    }
}

impl SearchLimits {
    /// Searches to this depth, from 1 to [`Depth::MAX`].
    pub fn depth(depth: impl Into<Depth>) -> SearchLimits {
        SearchLimits { depth: Some(depth.into()), ..SearchLimits::default() }
    }

    /// Searches this many positions.
    pub fn nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }

    /// Searches for this long.
    pub fn movetime(time: Duration) -> SearchLimits {
        SearchLimits::time(TimeBudget::fixed(time, Duration::ZERO))
    }

    /// Searches within a budget of time.
    pub fn time(time: TimeBudget) -> SearchLimits {
        SearchLimits { time, ..SearchLimits::default() }
    }

    /// Searches until it is stopped.
    pub fn infinite() -> SearchLimits {
        SearchLimits { infinite: true, ..SearchLimits::default() }
    }

    /// Searches for a sensible share of a clock. `overhead` is what each move
    /// loses on its way to the opponent.
    ///
    /// ```
    /// use qirkat_search::{Clock, SearchLimits};
    /// use std::time::Duration;
    ///
    /// let remaining = Duration::from_secs(60);
    /// let clock = Clock { remaining, increment: Duration::ZERO, moves_to_go: None };
    /// let limits = SearchLimits::clock(clock, Duration::from_millis(10));
    /// assert!(limits.time.hard.is_some_and(|hard| hard < remaining / 2));
    /// ```
    pub fn clock(clock: Clock, overhead: Duration) -> SearchLimits {
        SearchLimits::time(TimeBudget::from_clock(clock, overhead))
    }

    /// The same with this many lines to report, at least one.
    #[must_use]
    pub fn with_multi_pv(self, lines: usize) -> SearchLimits {
        SearchLimits { multi_pv: NonZeroUsize::new(lines).unwrap_or(NonZeroUsize::MIN), ..self }
    }

    pub(super) fn is_single_line(&self) -> bool {
        self.multi_pv == NonZeroUsize::MIN
    }

    /// Positions to visit, the handicap's limit included.
    pub(super) fn max_nodes(&self) -> Option<u64> {
        self.nodes.into_iter().chain(self.handicap.map(|handicap| handicap.nodes)).min()
    }
}

/// Time to think, counted from the start of the search, which may be on the
/// opponent's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeBudget {
    /// No new iteration after this.
    pub soft: Option<Duration>,
    /// Everything ends here.
    pub hard: Option<Duration>,
}

/// A side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time comes.
    pub moves_to_go: Option<u32>,
}

/// Moves that the remaining time is shared among when nobody says how many
/// are to come.
const EXPECTED_MOVES: u32 = 50;
/// The part of the increment spent on each move.
const INCREMENT_SHARE: f64 = 0.75;
/// How much more than its share a move may take, and never more than this
/// part of what is left.
const HARD_FACTOR: f64 = 4.0;
const HARD_SHARE: f64 = 0.5;
/// A fixed time is used up but for the overhead, at most this part of it.
const OVERHEAD_SHARE_OF_FIXED: u32 = 10;

impl TimeBudget {
    /// The same time for every move.
    pub fn fixed(time: Duration, overhead: Duration) -> TimeBudget {
        let hard = time - overhead.min(time / OVERHEAD_SHARE_OF_FIXED);
        TimeBudget { soft: None, hard: Some(hard) }
    }

    /// A share of the clock. Each move loses `overhead` on its way to the
    /// other side, so with less than that left the answer comes at once.
    pub fn from_clock(clock: Clock, overhead: Duration) -> TimeBudget {
        let left = clock.remaining.saturating_sub(overhead);
        let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        let share = left / moves + clock.increment.mul_f64(INCREMENT_SHARE);
        // With one move to go all that is left may be spent, before that not.
        let most = if moves == 1 { left } else { left.mul_f64(HARD_SHARE) };
        TimeBudget { soft: Some(share.min(most)), hard: Some(share.mul_f64(HARD_FACTOR).min(most)) }
    }

    /// The tighter of two budgets.
    #[must_use]
    pub fn tighter(self, other: TimeBudget) -> TimeBudget {
        let least = |a: Option<Duration>, b: Option<Duration>| a.into_iter().chain(b).min();
        let hard = least(self.hard, other.hard);
        let soft =
            least(self.soft, other.soft).map(|soft| hard.map_or(soft, |hard| hard.min(soft)));
        TimeBudget { soft, hard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_clock_is_never_overrun() {
        for remaining in [0, 1, 10, 29, 31, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock =
                        Clock { remaining: remaining * MS, increment: increment * MS, moves_to_go };
                    let budget = TimeBudget::from_clock(clock, 30 * MS);
                    let hard = budget.hard.expect("a clock bounds the search");
                    let soft = budget.soft.expect("a clock bounds the search");
                    assert!(soft <= hard, "{clock:?} {budget:?}");
                    assert!(hard + 30 * MS <= clock.remaining.max(30 * MS), "{clock:?} {budget:?}");
                }
            }
        }
    }

    #[test]
    fn the_tighter_budget_wins() {
        let fixed = TimeBudget::fixed(100 * MS, Duration::ZERO);
        let clock =
            Clock { remaining: 10_000 * MS, increment: Duration::ZERO, moves_to_go: Some(1) };
        let both = fixed.tighter(TimeBudget::from_clock(clock, Duration::ZERO));
        assert_eq!(both, TimeBudget { soft: Some(100 * MS), hard: Some(100 * MS) });
    }
}
