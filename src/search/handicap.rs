//! Playing like a weaker person: the search sees fewer plies, overlooks long moves, likes to
//! capture and does not weigh its moves exactly.
//!
//! A strong engine that plays a bad move now and then is no good opponent for a beginner:
//! its errors have no reason that could be seen and punished. People err in other ways. They
//! see few moves ahead, miss a piece that comes from the other end of the board, their own
//! or the opponent's, and take what can be taken.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{PackedMove, Searchable};

/// The weaknesses of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Handicap {
    /// Positions it may visit.
    pub nodes: u64,
    /// How many of the longest moves it overlooks, in percent: of shorter moves fewer, of
    /// moves to the next point none.
    pub blindness: u32,
    /// By how many percent more it counts what a move captures when it chooses one.
    pub greed: i32,
    /// Centipawns by which it may misjudge a move.
    pub carelessness: i32,
    /// The seed of its oversights and misjudgements.
    pub seed: u64,
}

/// Moves that a careless player weighs against each other.
pub(super) const CANDIDATES: usize = 6;

/// From this many points on no move is easier to overlook than another.
const LONG_REACH: u32 = 6;
/// Tells oversights from other uses of the same seed.
const BLINDNESS_SALT: u64 = 0x5EED_0B11_4DFA_C700;

impl Handicap {
    /// Whether it does not see a move in this position.
    ///
    /// Which moves it does not see holds for a whole search: who overlooks that a bishop
    /// commands a diagonal overlooks it three plies later too. Where a check or a compulsory
    /// capture leaves few moves it sees all of them.
    #[inline]
    pub(super) fn overlooks<G: Searchable>(&self, position: &G, mv: G::Move) -> bool {
        !position.must_respond() && self.overlooks_reach(position.pack(mv), position.reach(mv))
    }

    fn overlooks_reach(&self, mv: PackedMove, reach: u32) -> bool {
        let further = reach.clamp(1, LONG_REACH) - 1;
        let mut state = self.seed ^ BLINDNESS_SALT ^ u64::from(mv.0);
        let drawn = splitmix64(&mut state) % u64::from(100 * (LONG_REACH - 1));
        drawn < u64::from(self.blindness) * u64::from(further)
    }

    /// The place of the move that is played, of moves with these scores and gains in
    /// centipawns, best first.
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

    const SEES_ALL: Handicap =
        Handicap { nodes: 1, blindness: 0, greed: 0, carelessness: 0, seed: 1 };

    #[test]
    fn only_moves_within_reach_are_chosen() {
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
    fn the_greedy_capture() {
        let moves = [(50, 0), (0, 300)].map(|(score, gain)| (Score::centipawns(score), gain));
        for (greed, chosen) in [(0, 0), (10, 0), (20, 1)] {
            let handicap = Handicap { greed, ..SEES_ALL };
            assert_eq!(handicap.choose(moves.into_iter()), chosen, "greed {greed}");
        }
    }

    /// Out of many moves of each reach the share is overlooked that `blindness` says.
    #[test]
    fn the_longer_a_move_the_more_often_it_is_overlooked() {
        let missed = |blindness, reach| {
            let blind = Handicap { blindness, ..SEES_ALL };
            let missed = (0..=u16::MAX).filter(|&mv| blind.overlooks_reach(PackedMove(mv), reach));
            100.0 * missed.count() as f64 / f64::from(1_u32 << u16::BITS)
        };
        for (blindness, shares) in [
            (80, [(0, 0.0), (1, 0.0), (2, 16.0), (4, 48.0), (6, 80.0), (8, 80.0)]),
            (1, [(0, 0.0), (1, 0.0), (2, 0.2), (4, 0.6), (6, 1.0), (8, 1.0)]),
        ] {
            for (reach, percent) in shares {
                let missed = missed(blindness, reach);
                // A fifth of it, and never two percent.
                let most = f64::min(percent, 10.0) / 5.0;
                assert!((missed - percent).abs() <= most, "{reach}: {missed} %");
            }
        }
        let all = Handicap { blindness: 100, ..SEES_ALL };
        assert!((0..=u16::MAX).all(|mv| all.overlooks_reach(PackedMove(mv), LONG_REACH)));
        assert!(!(0..=u16::MAX).any(|mv| SEES_ALL.overlooks_reach(PackedMove(mv), LONG_REACH)));
    }

    #[test]
    fn a_way_out_of_check_is_not_overlooked() {
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
