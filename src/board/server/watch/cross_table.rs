//! The cross table of a watched match: who scored what against whom.

use crate::page::TableRow;
use qirkat_arena::statistics::EloEstimate;
use qirkat_arena::{Meetings, Ranking};
use qirkat_rules::pgn::GameResult;

/// Players in a table; games of more are only counted.
const MOST_PLAYERS: usize = 64;

/// Who scored what against whom.
#[derive(Debug, Default)]
pub(super) struct CrossTable {
    /// The players, in the order in which they were met.
    names: Vec<String>,
    meetings: Meetings,
}

impl CrossTable {
    /// Counts a game by the names of White and Black; `pair` is the number of the pair
    /// that it belongs to. One without a result counts for nobody.
    pub fn add(&mut self, [white, black]: [&str; 2], result: GameResult, pair: Option<usize>) {
        if let (Some(white), Some(black)) = (self.player(white), self.player(black)) {
            self.meetings.add([white, black], result, pair);
        }
    }

    fn player(&mut self, name: &str) -> Option<usize> {
        let known = self.names.iter().position(|known| known == name);
        if known.is_none() && self.names.len() < MOST_PLAYERS {
            self.names.push(name.to_owned());
            return Some(self.names.len() - 1);
        }
        known
    }

    /// The table, the strongest player first.
    pub fn rows(&self) -> Vec<TableRow> {
        let ranking = self.meetings.ranking(self.names.len());
        ranking.order.iter().map(|&player| self.row(player, &ranking)).collect()
    }

    fn row(&self, player: usize, ranking: &Ranking) -> TableRow {
        let total = self.meetings.score(player);
        let elo = match self.names.len() {
            2 => self.elo_of_two(player),
            _ => ranking.ratings[player],
        };
        let cell = |&other: &usize| {
            let score = self.meetings.between(player, other).games;
            (other != player).then(|| (score.points(), score.games()))
        };
        TableRow {
            name: self.names[player].clone(),
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            points: total.points(),
            // JSON has no infinity, which is what games that are all won show.
            elo: elo
                .map(|elo| [elo.value, elo.error])
                .filter(|elo| elo.iter().all(|value| value.is_finite())),
            against: ranking.order.iter().map(cell).collect(),
        }
    }

    /// How much stronger one of two players is than the other.
    fn elo_of_two(&self, player: usize) -> Option<EloEstimate> {
        let total = self.meetings.between(player, 1 - player);
        Some(total.estimate(self.meetings.are_paired())?.elo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_arena::{GameOutcome, Standings, Termination};

    #[test]
    fn each_game_is_counted_for_both_its_players() {
        use GameResult::*;
        let mut table = CrossTable::default();
        for (white, black, result) in [
            ("A", "B", BlackWins),
            ("B", "A", Draw),
            ("C", "B", WhiteWins),
            ("A", "C", Unfinished),
            ("C", "C", WhiteWins),
        ] {
            table.add([white, black], result, None);
        }
        let rows = table.rows();
        let lines: Vec<_> =
            rows.iter().map(|row| (row.name.as_str(), row.points, row.losses)).collect();
        assert_eq!(lines, [("C", 1.0, 0), ("B", 1.5, 1), ("A", 0.5, 1)]);
        assert_eq!(rows[1].against, [Some((0.0, 1)), None, Some((1.5, 2))]);
        assert_eq!(rows[0].elo, None, "nothing but wins");
    }

    #[test]
    fn of_more_than_two_players_it_tells_the_ratings_of_the_report() {
        use GameResult::*;
        let (mut table, mut standings) = (CrossTable::default(), Standings::default());
        let names = ["A", "B", "C"];
        let games = [([0, 1], Draw), ([1, 0], BlackWins), ([2, 0], Draw), ([2, 1], WhiteWins)];
        for (number, ([white, black], result)) in games.into_iter().enumerate() {
            let pair = number / 2;
            table.add([names[white], names[black]], result, Some(pair));
            let termination = Termination::Normal;
            standings.add(GameOutcome { number, pair, white, black, result, termination });
        }
        let ranking = standings.ranking(3);
        let rows = table.rows();
        let order: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(order, ranking.order.iter().map(|&player| names[player]).collect::<Vec<_>>());
        for (row, player) in rows.iter().zip(ranking.order) {
            let rating = ranking.ratings[player].expect("a rating");
            assert_eq!(row.elo, Some([rating.value, rating.error]), "{}", row.name);
        }
    }

    #[test]
    fn of_two_players_it_tells_how_much_stronger_one_is() {
        let mut table = CrossTable::default();
        table.add(["A", "B"], GameResult::WhiteWins, None);
        assert_eq!(table.rows()[0].elo, None, "nothing but wins");
        for _ in 0..20 {
            table.add(["B", "A"], GameResult::Draw, None);
            table.add(["A", "B"], GameResult::BlackWins, None);
            table.add(["A", "B"], GameResult::WhiteWins, None);
            table.add(["B", "A"], GameResult::BlackWins, None);
        }
        let elos: Vec<_> = table.rows().iter().filter_map(|row| row.elo).collect();
        assert!(elos.len() == 2 && elos[0][0] > 0.0 && elos[0][1] > 0.0, "{elos:?}");
    }

    /// The table agrees with the report of the match, whatever order games end in.
    #[test]
    fn games_in_pairs_count_as_pairs() {
        use GameResult::*;
        let (mut table, mut standings) = (CrossTable::default(), Standings::default());
        let games = [(0, WhiteWins), (1, WhiteWins), (1, Draw), (0, Draw), (2, BlackWins)];
        for (number, (pair, result)) in games.into_iter().enumerate() {
            let white = number % 2;
            let names = if white == 0 { ["A", "B"] } else { ["B", "A"] };
            table.add(names, result, Some(pair + 1));
            let termination = Termination::Normal;
            let black = 1 - white;
            standings.add(GameOutcome { number, pair, white, black, result, termination });
        }
        let report = standings.head_to_head(0, Some(1)).estimate(true).expect("pairs").elo;
        let row = table.rows().into_iter().find(|row| row.name == "A").expect("a row");
        assert_eq!(row.elo, Some([report.value, report.error]));
        // A game of no pair: then there are only games.
        table.add(["A", "B"], Draw, None);
        let row = table.rows().into_iter().find(|row| row.name == "A").expect("a row");
        assert_ne!(row.elo.map(|[_, error]| error), Some(report.error));
    }

    #[test]
    fn a_crowd_does_not_fill_the_memory() {
        let mut table = CrossTable::default();
        for number in 0..1000 {
            table.add([&number.to_string(), "A"], GameResult::Draw, None);
        }
        assert_eq!(table.rows().len(), MOST_PLAYERS);
    }
}
