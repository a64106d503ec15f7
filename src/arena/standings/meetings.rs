//! The meetings of players: who scored what against whom, and the ranking that follows.

use std::collections::BTreeMap;

use qirkat_game::Color;
use qirkat_rules::pgn::GameResult;

use super::head_to_head::{GameTally, HeadToHead};
use crate::statistics::{EloEstimate, Encounter, GameCounts, GameScore, ratings};

/// The games of any number of players, who are known by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Meetings {
    /// By two players, as the first sees it; the first has the smaller number.
    tallies: BTreeMap<(usize, usize), GameTally>,
}

/// The order in which the report of a match and the page that shows one list the players.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The players, the strongest first.
    pub order: Vec<usize>,
    /// Each player's rating, by number, as [`ratings`] computes it.
    pub ratings: Vec<Option<EloEstimate>>,
}

impl Meetings {
    /// Counts a game; `pair` is the number of the pair that it belongs to. One without a
    /// result counts for nobody, nor does one of a player against itself.
    pub fn add(&mut self, [white, black]: [usize; 2], result: GameResult, pair: Option<usize>) {
        // Of the player with the smaller number.
        let color = if white < black { Color::White } else { Color::Black };
        let Some(score) = GameScore::of(result, color).filter(|_| white != black) else { return };
        let tally = self.tallies.entry((white.min(black), white.max(black))).or_default();
        tally.add(score, color, pair);
    }

    /// The games of a player against another.
    pub fn between(&self, player: usize, other: usize) -> HeadToHead {
        let key = (player.min(other), player.max(other));
        let total = self.tallies.get(&key).map(GameTally::total).unwrap_or_default();
        if player < other { total } else { total.reversed() }
    }

    /// Whether every game belongs to a pair.
    pub fn are_paired(&self) -> bool {
        self.tallies.values().all(GameTally::is_paired)
    }

    /// The games of a player against all others.
    pub fn against_all(&self, player: usize) -> HeadToHead {
        let mut all = HeadToHead::default();
        for (&(first, second), tally) in &self.tallies {
            if first == player {
                all += tally.total();
            } else if second == player {
                all += tally.total().reversed();
            }
        }
        all
    }

    /// A player's score against all others.
    pub fn score(&self, player: usize) -> GameCounts {
        self.against_all(player).games
    }

    /// Ranks this many players by their ratings, and by points per game where these are
    /// equal or there are none. A player without games is last.
    ///
    /// Ratings count who was met: in a gauntlet, or before all games are played, points
    /// alone would be unfair.
    pub fn ranking(&self, players: usize) -> Ranking {
        let ratings = ratings(players, &self.encounters());
        let key = |player: usize| match self.score(player).score() {
            Some(score) => [ratings[player].map_or(0.0, |rating| rating.value), score],
            None => [f64::NEG_INFINITY; 2],
        };
        let keys: Vec<[f64; 2]> = (0..players).map(key).collect();
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|&one, &other| {
            let ([a, b], [c, d]) = (keys[one], keys[other]);
            c.total_cmp(&a).then(d.total_cmp(&b))
        });
        Ranking { order, ratings }
    }

    fn encounters(&self) -> Vec<Encounter> {
        let tallies = self.tallies.iter();
        tallies.flat_map(|(&(first, second), tally)| tally.encounters(first, second)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_single_games_are_encounters() {
        use GameResult::*;
        let mut meetings = Meetings::default();
        for (players, result, pair) in [
            ([0, 1], Draw, Some(1)),
            ([0, 1], WhiteWins, Some(0)),
            ([1, 0], BlackWins, Some(0)),
            ([1, 0], WhiteWins, Some(1)),
            ([0, 1], BlackWins, Some(2)),
            ([1, 1], WhiteWins, None),
            ([1, 0], Unfinished, None),
        ] {
            meetings.add(players, result, pair);
        }
        assert!(meetings.are_paired());
        meetings.add([0, 1], BlackWins, None);
        assert!(!meetings.are_paired());
        let encounters: Vec<(f64, f64, f64)> =
            meetings.encounters().iter().map(|one| (one.games, one.points, one.count)).collect();
        assert_eq!(encounters, [(2.0, 0.5, 1.0), (2.0, 2.0, 1.0), (1.0, 0.0, 2.0)]);
        let of_first = meetings.between(0, 1);
        assert_eq!(of_first.with_white, GameCounts { wins: 1, draws: 1, losses: 2 });
        assert_eq!(meetings.between(1, 0), of_first.reversed());
        assert_eq!(meetings.score(1), of_first.games.reversed());
    }

    #[test]
    fn players_are_ranked_by_whom_they_have_met() {
        use GameResult::*;
        let mut meetings = Meetings::default();
        // The second has fewer points than the third, but only met the first, who is far
        // stronger than the third. The last has met nobody.
        for _ in 0..9 {
            meetings.add([0, 2], WhiteWins, None);
            meetings.add([1, 0], Draw, None);
            meetings.add([3, 2], BlackWins, None);
        }
        meetings.add([2, 0], WhiteWins, None);
        meetings.add([0, 1], WhiteWins, None);
        meetings.add([3, 2], WhiteWins, None);
        let points = |player| meetings.score(player).score();
        assert!(points(1) < points(2));
        assert_eq!(meetings.ranking(5).order, [0, 1, 2, 3, 4]);
    }
}
