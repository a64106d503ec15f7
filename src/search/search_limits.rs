//! The limits of a search, and the handicap of a weaker player.

use std::num::NonZeroUsize;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{PackedMove, Searchable};

/// The limits of a search. Without any it searches until it is stopped. The first limit reached
/// ends the search.
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
    pub depth: Option<Depth>,
    /// Maximum nodes of all threads together.
    pub nodes: Option<u64>,
    /// Start no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found or excluded.
    pub mate: Option<u16>,
    pub time: TimeBudget,
    pub multi_pv: NonZeroUsize,
    pub handicap: Option<Handicap>,
    /// With a clock, stop after the first iteration if there is only one root move.
    pub hurry_single_reply: bool,
    /// The answer waits for a stop even when there is nothing left to search: the search returns, and
    /// its caller waits while [`SearchControl::holds_answer_back`](super::SearchControl::holds_answer_back).
    pub infinite: bool,
    /// Time limits apply only after the ponder hit, counted from the start.
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

    pub fn nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }

    pub fn movetime(time: Duration) -> SearchLimits {
        SearchLimits::time(TimeBudget::fixed(time, Duration::ZERO))
    }

    pub fn time(time: TimeBudget) -> SearchLimits {
        SearchLimits { time, ..SearchLimits::default() }
    }

    pub fn infinite() -> SearchLimits {
        SearchLimits { infinite: true, ..SearchLimits::default() }
    }

    /// Searches for this move's share of the clock: see [`TimeBudget::from_clock`].
    ///
    /// ```
    /// use qirkat_search::{Clock, SearchLimits};
    /// use std::time::Duration;
    ///
    /// let remaining = Duration::from_secs(60);
    /// let clock = Clock { remaining, increment: Duration::ZERO, moves_to_go: None };
    /// let limits = SearchLimits::clock(clock, Duration::from_millis(10), 40.0);
    /// assert!(limits.time.hard.is_some_and(|hard| hard < remaining / 2));
    /// ```
    pub fn clock(clock: Clock, overhead: Duration, expected_moves: f64) -> SearchLimits {
        SearchLimits::time(TimeBudget::from_clock(clock, overhead, expected_moves))
    }

    /// Reports this many lines, at least one.
    #[must_use]
    pub fn with_multi_pv(self, lines: usize) -> SearchLimits {
        SearchLimits { multi_pv: NonZeroUsize::new(lines).unwrap_or(NonZeroUsize::MIN), ..self }
    }

    pub(super) fn is_single_line(&self) -> bool {
        self.multi_pv == NonZeroUsize::MIN
    }

    /// The node limit, including the handicap's.
    pub(super) fn max_nodes(&self) -> Option<u64> {
        self.nodes.into_iter().chain(self.handicap.map(|handicap| handicap.nodes)).min()
    }
}

/// Time limits, counted from the creation of the search's control, including pondering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeBudget {
    /// The planned time: no new iteration starts after it, or after less for an easy move and more
    /// for an unclear one.
    pub soft: Option<Duration>,
    /// Stop the search at this time.
    pub hard: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    pub remaining: Duration,
    pub increment: Duration,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

/// The share of the increment used for each move.
const INCREMENT_SHARE: f64 = 0.95;
/// The hard limit as a multiple of a move's share, and its maximum as a share of the time left.
const HARD_FACTOR: f64 = 4.0;
const HARD_SHARE: f64 = 0.5;
/// The overhead deducted from a fixed time is at most that time divided by this.
const OVERHEAD_SHARE_OF_FIXED: u32 = 10;

impl TimeBudget {
    pub fn fixed(time: Duration, overhead: Duration) -> TimeBudget {
        let hard = time - overhead.min(time / OVERHEAD_SHARE_OF_FIXED);
        TimeBudget { soft: None, hard: Some(hard) }
    }

    /// This move's share of the clock. `overhead` is the time lost with each move, such as network
    /// delay; with less than that left, the budget is zero. `expected_moves` is the number of moves to
    /// go if it is unknown, and its maximum.
    pub fn from_clock(clock: Clock, overhead: Duration, expected_moves: f64) -> TimeBudget {
        let left = clock.remaining.saturating_sub(overhead);
        let moves = clock.moves_to_go.map_or(f64::INFINITY, f64::from).min(expected_moves).max(1.0);
        let share = left.div_f64(moves) + clock.increment.mul_f64(INCREMENT_SHARE);
        // Only the last move before the time control may use all that is left.
        let most = if moves == 1.0 { left } else { left.mul_f64(HARD_SHARE) };
        TimeBudget { soft: Some(share.min(most)), hard: Some(share.mul_f64(HARD_FACTOR).min(most)) }
    }

    /// The smaller of each limit; the soft one is at most the hard one.
    #[must_use]
    pub fn tighter(self, other: TimeBudget) -> TimeBudget {
        let least = |a: Option<Duration>, b: Option<Duration>| a.into_iter().chain(b).min();
        let hard = least(self.hard, other.hard);
        let soft =
            least(self.soft, other.soft).map(|soft| hard.map_or(soft, |hard| hard.min(soft)));
        TimeBudget { soft, hard }
    }
}

/// What makes the engine a weaker player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Handicap {
    /// The node limit.
    pub nodes: u64,
    /// Percentage of the moves of six or more points that are overlooked. For
    /// shorter moves it is lower, down to zero for those of one point.
    pub blindness: u32,
    /// Percentage by which captured material is overvalued in the choice of a move.
    pub greed: i32,
    /// Maximum misjudgement of a move, in centipawns.
    pub carelessness: i32,
    pub seed: u64,
}

/// The number of best moves that a weaker player chooses from.
pub(super) const CANDIDATES: usize = 6;

/// Beyond this distance all moves are equally easy to overlook.
const LONG_MOVE: u32 = 6;
/// Makes oversights independent of other uses of the seed.
const BLINDNESS_SALT: u64 = 0x5EED_0B11_4DFA_C700;

impl Handicap {
    /// Whether the player overlooks a move in this position.
    ///
    /// The same moves are overlooked during a whole search: a player who overlooks that a bishop
    /// controls a diagonal overlooks it three plies later too. Where a check or a compulsory
    /// capture leaves few moves, it sees them all.
    #[inline]
    pub(super) fn overlooks<G: Searchable>(&self, position: &G, mv: G::Move) -> bool {
        !position.must_respond()
            && self.overlooks_distance(position.pack(mv), position.move_distance(mv))
    }

    fn overlooks_distance(&self, mv: PackedMove, distance: u32) -> bool {
        let further = distance.clamp(1, LONG_MOVE) - 1;
        let mut state = self.seed ^ BLINDNESS_SALT ^ u64::from(mv.0);
        let drawn = splitmix64(&mut state) % u64::from(100 * (LONG_MOVE - 1));
        drawn < u64::from(self.blindness) * u64::from(further)
    }

    /// The index of the move to play, given scores and gains in centipawns, best first.
    pub(super) fn choose(&self, moves: impl Iterator<Item = (Score, i32)>) -> usize {
        let mut rng = StdRng::seed_from_u64(self.seed);
        moves
            .map(|(score, gain)| {
                let greed = gain * self.greed / 100;
                score.value() + greed - rng.random_range(0..=self.carelessness.max(0))
            })
            .enumerate()
            .max_by_key(|&(index, value)| (value, std::cmp::Reverse(index)))
            .map_or(0, |(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
    use qirkat_rules::chesquerque::Position;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn time_budgets_never_exceed_the_clock() {
        for remaining in [0, 1, 10, 29, 31, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock =
                        Clock { remaining: remaining * MS, increment: increment * MS, moves_to_go };
                    let budget = TimeBudget::from_clock(clock, 30 * MS, 50.0);
                    let hard = budget.hard.expect("a clock bounds the search");
                    let soft = budget.soft.expect("a clock bounds the search");
                    assert!(soft <= hard, "{clock:?} {budget:?}");
                    assert!(hard + 30 * MS <= clock.remaining.max(30 * MS), "{clock:?} {budget:?}");
                }
            }
        }
    }

    #[test]
    fn the_tighter_budget_is_used() {
        let fixed = TimeBudget::fixed(100 * MS, Duration::ZERO);
        let clock =
            Clock { remaining: 10_000 * MS, increment: Duration::ZERO, moves_to_go: Some(1) };
        let both = fixed.tighter(TimeBudget::from_clock(clock, Duration::ZERO, 50.0));
        assert_eq!(both, TimeBudget { soft: Some(100 * MS), hard: Some(100 * MS) });
    }

    const SEES_ALL: Handicap =
        Handicap { nodes: 1, blindness: 0, greed: 0, carelessness: 0, seed: 1 };

    #[test]
    fn careless_players_choose_among_close_scores() {
        let scores = [50, 20, -10, -200].map(|score| (Score::centipawns(score), 0));
        let mut chosen = [0; 4];
        for seed in 0..400 {
            let handicap = Handicap { carelessness: 100, seed, ..SEES_ALL };
            chosen[handicap.choose(scores.into_iter())] += 1;
        }
        assert!(chosen[0] > chosen[1] && chosen[1] > chosen[2] && chosen[2] > 0, "{chosen:?}");
        assert_eq!(chosen[3], 0);
        assert_eq!(SEES_ALL.choose(scores.into_iter()), 0);
    }

    #[test]
    fn greedy_players_overvalue_captures() {
        let moves = [(50, 0), (0, 300)].map(|(score, gain)| (Score::centipawns(score), gain));
        for (greed, chosen) in [(0, 0), (10, 0), (20, 1)] {
            let handicap = Handicap { greed, ..SEES_ALL };
            assert_eq!(handicap.choose(moves.into_iter()), chosen, "greed {greed}");
        }
    }

    /// The share of overlooked moves matches `blindness` for each reach.
    #[test]
    fn longer_moves_are_overlooked_more_often() {
        let missed = |blindness, reach| {
            let blind = Handicap { blindness, ..SEES_ALL };
            let missed =
                (0..=u16::MAX).filter(|&mv| blind.overlooks_distance(PackedMove(mv), reach));
            100.0 * missed.count() as f64 / f64::from(1_u32 << u16::BITS)
        };
        for (blindness, shares) in [
            (80, [(0, 0.0), (1, 0.0), (2, 16.0), (4, 48.0), (6, 80.0), (8, 80.0)]),
            (1, [(0, 0.0), (1, 0.0), (2, 0.2), (4, 0.6), (6, 1.0), (8, 1.0)]),
        ] {
            for (reach, percent) in shares {
                let missed = missed(blindness, reach);
                // The tolerance: a fifth of the share, at most two percent.
                let most = f64::min(percent, 10.0) / 5.0;
                assert!((missed - percent).abs() <= most, "{reach}: {missed} %");
            }
        }
        let all = Handicap { blindness: 100, ..SEES_ALL };
        assert!((0..=u16::MAX).all(|mv| all.overlooks_distance(PackedMove(mv), LONG_MOVE)));
        assert!(!(0..=u16::MAX).any(|mv| SEES_ALL.overlooks_distance(PackedMove(mv), LONG_MOVE)));
    }

    #[test]
    fn check_evasions_are_not_overlooked() {
        let blind = Handicap { blindness: 100, ..SEES_ALL };
        for (fen, overlooks) in [
            ("4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1", true),
            ("4k4/9/9/9/9/9/8r/9/R3K4 w - - 0 1", true),
            ("4k4/9/9/9/9/9/9/4r4/R3K4 w - - 0 1", false),
        ] {
            let position: Position = fen.parse().expect("a FEN");
            let missed =
                position.legal_moves().into_iter().any(|mv| blind.overlooks(&position, mv));
            assert_eq!(missed, overlooks, "{fen}");
        }
    }
}
