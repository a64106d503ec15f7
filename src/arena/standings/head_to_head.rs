//! Head-to-head scores: of two players, or of one against all others.

use std::collections::BTreeMap;

use derive_more::AddAssign;

use qirkat_game::Color;

use crate::statistics::{Encounter, Estimate, GameCounts, GameScore, PairCounts};

/// How two players stand, or one against all, as the first sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, AddAssign)]
pub struct HeadToHead {
    pub games: GameCounts,
    pub with_white: GameCounts,
    pub with_black: GameCounts,
    /// The pairs of which both games are finished.
    pub pairs: PairCounts,
}

impl HeadToHead {
    /// How strong the first is. Where all games are played in pairs, by pairs as soon as
    /// there is one; else by games.
    pub fn estimate(&self, is_paired: bool) -> Option<Estimate> {
        let by_pairs = if is_paired { Estimate::from_pairs(&self.pairs) } else { None };
        by_pairs.or_else(|| Estimate::from_games(&self.games))
    }

    /// The same games as the second player sees them.
    pub(super) const fn reversed(&self) -> HeadToHead {
        HeadToHead {
            games: self.games.reversed(),
            with_white: self.with_black.reversed(),
            with_black: self.with_white.reversed(),
            pairs: self.pairs.reversed(),
        }
    }
}

/// Counts games one by one, in any order.
#[derive(Clone, Debug, Default)]
pub struct GameTally {
    total: HeadToHead,
    /// Games that belong to no pair.
    unpaired: GameCounts,
    /// The first player's score in games whose return is not finished, by pair.
    open_pairs: BTreeMap<usize, GameScore>,
}

impl GameTally {
    /// Counts a game of the first player, who had this colour. The pair that it belongs
    /// to has a number of its own; none if it stands alone.
    pub fn add(&mut self, score: GameScore, color: Color, pair: Option<usize>) {
        self.total.games += score;
        match color {
            Color::White => self.total.with_white += score,
            Color::Black => self.total.with_black += score,
        }
        let Some(pair) = pair else {
            self.unpaired += score;
            return;
        };
        match self.open_pairs.remove(&pair) {
            Some(first) => self.total.pairs += [first, score],
            None => {
                self.open_pairs.insert(pair, score);
            }
        }
    }

    /// Whether every game belongs to a pair.
    pub(super) fn is_paired(&self) -> bool {
        self.unpaired.games() == 0
    }

    pub fn total(&self) -> HeadToHead {
        self.total
    }

    /// The same, pair by pair: a game that stands alone, or whose return is not finished,
    /// is an encounter by itself.
    pub(super) fn encounters(&self, first: usize, second: usize) -> Vec<Encounter> {
        let mut single = self.unpaired;
        for &score in self.open_pairs.values() {
            single += score;
        }
        let of_games = |games: u8, counts: &[u64]| -> Vec<Encounter> {
            let encounter = |(halves, &count): (u8, &u64)| Encounter {
                first,
                second,
                games: f64::from(games),
                points: f64::from(halves) / 2.0,
                count: count as f64,
            };
            (0u8..).zip(counts).filter(|&(_, &count)| count > 0).map(encounter).collect()
        };
        let pairs = of_games(2, &self.total.pairs.0);
        pairs.into_iter().chain(of_games(1, &single.outcomes())).collect()
    }
}
