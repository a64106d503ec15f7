//! The outcomes of a tournament's games: totals of finished games, scores between players, and the ranking.

use std::collections::BTreeMap;

use derive_more::AddAssign;
use qirkat_game::Color;
use qirkat_rules::pgn::GameResult;

use crate::finished_game::GameOutcome;
use crate::statistics::{
    Estimate, GameCounts, GameScore, PairCounts, RatedResult, Ratings, Sprt, ratings,
};

/// All finished games of a tournament, each counted once, in any order.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    outcomes: BTreeMap<usize, GameOutcome>,
}

impl Outcomes {
    /// Counts a game. Returns false if it was already counted.
    pub fn add(&mut self, outcome: GameOutcome) -> bool {
        self.outcomes.insert(outcome.number, outcome).is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = &GameOutcome> {
        self.outcomes.values()
    }

    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    pub fn has(&self, number: usize) -> bool {
        self.outcomes.contains_key(&number)
    }

    pub fn outcome(&self, number: usize) -> Option<&GameOutcome> {
        self.outcomes.get(&number)
    }

    /// The games by pair of players.
    pub fn cross_table(&self) -> CrossTable {
        let mut table = CrossTable::default();
        for outcome in self.outcomes.values() {
            table.add([outcome.white, outcome.black], outcome.result, Some(outcome.pair));
        }
        table
    }

    /// The games of a player against one other, or against all.
    pub fn head_to_head(&self, player: usize, other: Option<usize>) -> HeadToHead {
        let table = self.cross_table();
        other.map_or_else(|| table.against_all(player), |other| table.between(player, other))
    }
}

/// The games of any number of players, identified by number.
#[derive(Clone, Debug, Default)]
pub struct CrossTable {
    /// By pair of players, from the view of the one with the smaller number, who is first.
    tallies: BTreeMap<(usize, usize), GameTally>,
}

/// The order of players in match reports and on the live page.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The strongest first.
    pub order: Vec<usize>,
    pub ratings: Ratings,
}

impl CrossTable {
    /// Counts a game. Games without a result, or of a player against itself, are ignored.
    pub fn add(&mut self, [white, black]: [usize; 2], result: GameResult, pair: Option<usize>) {
        // The colour of the player with the smaller number.
        let color = if white < black { Color::White } else { Color::Black };
        let Some(score) = GameScore::of(result, color).filter(|_| white != black) else { return };
        let tally = self.tallies.entry((white.min(black), white.max(black))).or_default();
        tally.total.games += score;
        match color {
            Color::White => tally.total.with_white += score,
            Color::Black => tally.total.with_black += score,
        }
        let Some(pair) = pair else {
            tally.unpaired += score;
            return;
        };
        match tally.open_pairs.remove(&pair) {
            Some(first) => tally.total.pairs += [first, score],
            None => _ = tally.open_pairs.insert(pair, score),
        }
    }

    pub fn between(&self, player: usize, other: usize) -> HeadToHead {
        let key = (player.min(other), player.max(other));
        let total = self.tallies.get(&key).map(|tally| tally.total).unwrap_or_default();
        if player < other { total } else { total.reversed() }
    }

    /// Whether every game belongs to a pair of games.
    pub fn are_paired(&self) -> bool {
        self.tallies.values().all(|tally| tally.unpaired.games() == 0)
    }

    pub fn against_all(&self, player: usize) -> HeadToHead {
        let mut all = HeadToHead::default();
        for (&(first, second), tally) in &self.tallies {
            if first == player {
                all += tally.total;
            } else if second == player {
                all += tally.total.reversed();
            }
        }
        all
    }

    pub fn score(&self, player: usize) -> GameCounts {
        self.against_all(player).games
    }

    /// Ranks this many players by rating, a missing one counting as the average, and by points per
    /// game where ratings are equal. Players without games come last. Ratings account for the
    /// opposition: in a gauntlet, or before all games are played, points alone would be unfair.
    pub fn ranking(&self, players: usize) -> Ranking {
        let ratings = ratings(players, &self.rated_results());
        let key = |player: usize| match self.score(player).score() {
            Some(score) => [ratings.get(player).map_or(0.0, |rating| rating.value), score],
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

    /// The results to rate: each finished pair counts as one result, and so does each game without
    /// a finished return game.
    fn rated_results(&self) -> Vec<RatedResult> {
        let mut rated_results = Vec::new();
        for (&(first, second), tally) in &self.tallies {
            let mut single = tally.unpaired;
            tally.open_pairs.values().for_each(|&score| single += score);
            let pairs = tally.total.pairs.0.into_iter().zip(0u8..).map(|it| (2.0, it));
            let singles = single.by_result().into_iter().zip(0u8..).map(|it| (1.0, it));
            for (games, (count, halves)) in pairs.chain(singles).filter(|(_, it)| it.0 > 0) {
                let (points, count) = (f64::from(halves) / 2.0, count as f64);
                rated_results.push(RatedResult { first, second, games, points, count });
            }
        }
        rated_results
    }
}

/// The results of one player against another, or against all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, AddAssign)]
pub struct HeadToHead {
    pub games: GameCounts,
    pub with_white: GameCounts,
    pub with_black: GameCounts,
    /// Pairs with both games finished.
    pub pairs: PairCounts,
}

impl HeadToHead {
    /// The first player's strength: by pairs if all games are paired and at least one pair is
    /// finished, else by games.
    pub fn estimate(&self, is_paired: bool) -> Option<Estimate> {
        let by_pairs = if is_paired { Estimate::from_pairs(&self.pairs) } else { None };
        by_pairs.or_else(|| Estimate::from_games(&self.games))
    }

    /// The log-likelihood ratio of a sequential test: by pairs if all games are paired, else by games.
    pub fn llr(&self, sprt: &Sprt, is_paired: bool) -> f64 {
        if is_paired { sprt.llr(&self.pairs) } else { sprt.llr_games(&self.games) }
    }

    pub(super) const fn reversed(&self) -> HeadToHead {
        HeadToHead {
            games: self.games.reversed(),
            with_white: self.with_black.reversed(),
            with_black: self.with_white.reversed(),
            pairs: self.pairs.reversed(),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct GameTally {
    total: HeadToHead,
    unpaired: GameCounts,
    /// The first player's score in games whose return game is unfinished, by pair.
    open_pairs: BTreeMap<usize, GameScore>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finished_game::Termination;

    #[test]
    fn games_and_whole_pairs_are_counted() {
        use GameResult::*;
        let mut outcomes = Outcomes::default();
        // Player 0 against 1; the last pair is not finished.
        for (number, pair, white, result) in [
            (3, 1, 0, Draw),
            (0, 0, 0, WhiteWins),
            (1, 0, 1, BlackWins),
            (2, 1, 1, WhiteWins),
            (4, 2, 0, BlackWins),
        ] {
            let (black, termination) = (1 - white, Termination::Normal);
            let outcome = GameOutcome { number, pair, white, black, result, termination };
            assert!(outcomes.add(outcome));
            assert!(!outcomes.add(outcome));
        }
        let total = outcomes.head_to_head(0, Some(1));
        assert_eq!(total.games, GameCounts { wins: 2, draws: 1, losses: 2 });
        assert_eq!(total.with_white, GameCounts { wins: 1, draws: 1, losses: 1 });
        assert_eq!(total.with_black, GameCounts { wins: 1, draws: 0, losses: 1 });
        assert_eq!(total.pairs, PairCounts([0, 1, 0, 0, 1]));
        assert_eq!(outcomes.head_to_head(1, None).pairs, total.pairs.reversed());
        assert_eq!(outcomes.head_to_head(0, Some(7)), HeadToHead::default());
    }

    #[test]
    fn pairs_and_single_games_are_results() {
        use GameResult::*;
        let mut table = CrossTable::default();
        for (players, result, pair) in [
            ([0, 1], Draw, Some(1)),
            ([0, 1], WhiteWins, Some(0)),
            ([1, 0], BlackWins, Some(0)),
            ([1, 0], WhiteWins, Some(1)),
            ([0, 1], BlackWins, Some(2)),
            ([1, 1], WhiteWins, None),
            ([1, 0], Unfinished, None),
        ] {
            table.add(players, result, pair);
        }
        assert!(table.are_paired());
        table.add([0, 1], BlackWins, None);
        assert!(!table.are_paired());
        let rated_results: Vec<(f64, f64, f64)> =
            table.rated_results().iter().map(|one| (one.games, one.points, one.count)).collect();
        assert_eq!(rated_results, [(2.0, 0.5, 1.0), (2.0, 2.0, 1.0), (1.0, 0.0, 2.0)]);
        let of_first = table.between(0, 1);
        assert_eq!(of_first.with_white, GameCounts { wins: 1, draws: 1, losses: 2 });
        assert_eq!(table.between(1, 0), of_first.reversed());
        assert_eq!(table.score(1), of_first.games.reversed());
    }

    #[test]
    fn players_are_ranked_by_whom_they_have_met() {
        use GameResult::*;
        let mut table = CrossTable::default();
        // Player 1 has fewer points than player 2, but against player 0, the strongest.
        // Player 4 has played no games.
        for _ in 0..9 {
            table.add([0, 2], WhiteWins, None);
            table.add([1, 0], Draw, None);
            table.add([3, 2], BlackWins, None);
        }
        table.add([2, 0], WhiteWins, None);
        table.add([0, 1], WhiteWins, None);
        table.add([3, 2], WhiteWins, None);
        let points = |player| table.score(player).score();
        assert!(points(1) < points(2));
        assert_eq!(table.ranking(5).order, [0, 1, 2, 3, 4]);
    }
}
