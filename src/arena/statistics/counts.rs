//! Counts of results: win-draw-loss of games, and pentanomial of game pairs.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use qirkat_game::{Color, GameResult};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameScore {
    Loss,
    Draw,
    Win,
}

impl GameScore {
    /// The score of this colour; `None` if the game has no result.
    pub fn of(result: GameResult, color: Color) -> Option<GameScore> {
        Some(match result {
            GameResult::Unfinished => return None,
            GameResult::Draw => GameScore::Draw,
            _ if result.winner() == Some(color) => GameScore::Win,
            _ => GameScore::Loss,
        })
    }

    /// The first player's points: 0, ½ or 1.
    pub const fn points(self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    const fn half_points(self) -> usize {
        match self {
            GameScore::Loss => 0,
            GameScore::Draw => 1,
            GameScore::Win => 2,
        }
    }
}

/// Games by result: the trinomial counts of a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct GameCounts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl GameCounts {
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    pub const fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The first player's points per game; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    pub const fn reversed(self) -> GameCounts {
        GameCounts { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// From the worst result to the best.
    pub(crate) const fn outcomes(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl AddAssign for GameCounts {
    fn add_assign(&mut self, other: GameCounts) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

impl AddAssign<GameScore> for GameCounts {
    fn add_assign(&mut self, score: GameScore) {
        let count = match score {
            GameScore::Win => &mut self.wins,
            GameScore::Draw => &mut self.draws,
            GameScore::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }
}

/// Pairs in which the first player scored 0, ½, 1, 1½ and 2 points: the pentanomial counts, in the
/// order of fishtest and fastchess.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Pairs with less than one point for the first player.
    pub const fn pairs_lost(&self) -> u64 {
        self.0[0].saturating_add(self.0[1])
    }

    /// Pairs with more than one point for the first player.
    pub const fn pairs_won(&self) -> u64 {
        self.0[3].saturating_add(self.0[4])
    }

    pub const fn reversed(self) -> PairCounts {
        let [a, b, c, d, e] = self.0;
        PairCounts([e, d, c, b, a])
    }
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, other: PairCounts) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }
}

impl AddAssign<[GameScore; 2]> for PairCounts {
    fn add_assign(&mut self, [first, second]: [GameScore; 2]) {
        let count = &mut self.0[first.half_points() + second.half_points()];
        *count = count.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::GameScore::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn games_are_counted() {
        let mut counts = GameCounts::default();
        assert_eq!(counts.score(), None);
        for score in [Win, Draw, Win, Loss, Draw, Win] {
            counts += score;
        }
        assert_eq!(counts, GameCounts { wins: 3, draws: 2, losses: 1 });
        assert_eq!((counts.games(), counts.points()), (6, 4.0));
        assert_eq!(counts.score(), Some(4.0 / 6.0));
        counts += counts.reversed();
        assert_eq!(counts, GameCounts { wins: 4, draws: 4, losses: 4 });
        assert_eq!(counts.score(), Some(0.5));
    }

    #[test]
    fn pairs_are_counted() {
        let scores = [Loss, Draw, Win];
        for (first, second) in (0..9).map(|pair| (pair / 3, pair % 3)) {
            let mut expected = [0; 5];
            expected[first + second] = 1;
            let mut counts = PairCounts::default();
            counts += [scores[first], scores[second]];
            assert_eq!(counts, PairCounts(expected), "{first} {second}");
            let mut reversed = PairCounts::default();
            reversed += [scores[2 - first], scores[2 - second]];
            assert_eq!(counts.reversed(), reversed, "{first} {second}");
        }
        let mut counts = PairCounts([1, 2, 3, 4, u64::MAX]);
        counts += PairCounts([10, 20, 30, 40, 50]);
        assert_eq!(counts, PairCounts([11, 22, 33, 44, u64::MAX]));
        assert_eq!((counts.pairs_lost(), counts.pairs_won()), (33, u64::MAX));
    }

    #[test]
    fn counts_survive_json() {
        let counts = (GameCounts { wins: 1, draws: 2, losses: 3 }, PairCounts([1, 2, 3, 4, 5]));
        let text = serde_json::to_string(&counts).expect("counts are written");
        assert_eq!(text, r#"[{"wins":1,"draws":2,"losses":3},[1,2,3,4,5]]"#);
        assert_eq!(serde_json::from_str(&text).ok(), Some(counts));
    }
}
