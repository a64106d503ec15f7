//! How two players stand, or one against all others.

use std::collections::BTreeMap;

use crate::game::Color;
use crate::statistics::{Estimate, GameCounts, GameScore, PairCounts};

/// How two players stand, or one against all, as the first sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HeadToHead {
    /// All games.
    pub games: GameCounts,
    /// The games with White.
    pub with_white: GameCounts,
    /// The games with Black.
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
}

/// Counts games one by one, in any order.
#[derive(Clone, Debug, Default)]
pub struct GameTally {
    total: HeadToHead,
    /// What the first player scored in games whose return is not finished, by pair.
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
        let Some(pair) = pair else { return };
        match self.open_pairs.remove(&pair) {
            Some(first) => self.total.pairs += [first, score],
            None => {
                self.open_pairs.insert(pair, score);
            }
        }
    }

    /// What they add up to.
    pub fn total(&self) -> HeadToHead {
        self.total
    }
}
