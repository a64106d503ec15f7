//! Playing below full strength: little is looked at, and of the moves that
//! look about as good not always the best is chosen.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::score::Score;

/// What makes a search weaker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Handicap {
    /// Positions it may visit.
    pub nodes: u64,
    /// Centipawns by which it may misjudge a move.
    pub carelessness: i32,
    /// What the misjudgements are drawn from.
    pub seed: u64,
}

/// Moves that a careless player weighs against each other.
pub(super) const CANDIDATES: usize = 6;

impl Handicap {
    /// The place of the move that is played, of moves with these scores, best
    /// first.
    pub(super) fn choose(&self, scores: impl Iterator<Item = Score>) -> usize {
        let mut rng = StdRng::seed_from_u64(self.seed);
        scores
            .map(|score| score.value() - rng.random_range(0..=self.carelessness.max(0)))
            .enumerate()
            .max_by_key(|&(index, value)| (value, std::cmp::Reverse(index)))
            .map_or(0, |(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_moves_within_reach_are_chosen() {
        let scores = [50, 20, -10, -200].map(Score::centipawns);
        let mut chosen = [0; 4];
        for seed in 0..400 {
            let handicap = Handicap { nodes: 1, carelessness: 100, seed };
            chosen[handicap.choose(scores.into_iter())] += 1;
        }
        assert!(chosen[0] > chosen[1] && chosen[1] > chosen[2] && chosen[2] > 0, "{chosen:?}");
        assert_eq!(chosen[3], 0);
        let careful = Handicap { nodes: 1, carelessness: 0, seed: 1 };
        assert_eq!(careful.choose(scores.into_iter()), 0);
    }
}
