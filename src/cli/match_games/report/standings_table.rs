//! The standings of more than two players as text: a rating list and a cross table.

use super::text_table::aligned;
use qirkat_arena::{Ranking, Standings};

/// The column with names.
const NAME: usize = 1;

/// Players, the strongest first.
pub(in crate::match_games) struct StandingsTable<'a> {
    names: &'a [&'a str],
    standings: &'a Standings,
    ranking: Ranking,
}

impl<'a> StandingsTable<'a> {
    /// Ranks players by their ratings.
    pub fn new(names: &'a [&'a str], standings: &'a Standings) -> StandingsTable<'a> {
        StandingsTable { names, standings, ranking: standings.ranking(names.len()) }
    }

    /// Ratings with their errors, around the average.
    pub fn list(&self) -> String {
        let head = ["Rank", "Name", "Elo", "Games", "Points", "Draws"].map(str::to_owned).to_vec();
        let rows = (1..).zip(&self.ranking.order).map(|(rank, &player)| self.row(rank, player));
        aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>(), NAME)
    }

    fn row(&self, rank: usize, player: usize) -> Vec<String> {
        let total = self.standings.head_to_head(player, None).games;
        let count = total.games();
        let share = |part: f64| format!("{:.1}%", 100.0 * part / count.max(1) as f64);
        let elo = self.ranking.ratings[player].map_or("-".to_owned(), |elo| format!("{elo:.1}"));
        vec![
            rank.to_string(),
            self.names[player].to_owned(),
            elo,
            count.to_string(),
            share(total.points()),
            share(total.draws as f64),
        ]
    }

    /// Points and games of everybody against everybody.
    pub fn cross_table(&self) -> String {
        let order = &self.ranking.order;
        let numbers = (1..=order.len()).map(|rank| rank.to_string());
        let head = ["Rank", "Name", "All"].map(str::to_owned).into_iter().chain(numbers).collect();
        let rows = (1..).zip(order).map(|(rank, &player)| {
            let all = self.points(player, None);
            let others = order.iter().map(|&other| match other {
                _ if other == player => "-".to_owned(),
                _ => self.points(player, Some(other)),
            });
            [rank.to_string(), self.names[player].to_owned(), all]
                .into_iter()
                .chain(others)
                .collect()
        });
        aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>(), NAME)
    }

    /// `3.5/4`; nothing if they have not met.
    fn points(&self, player: usize, other: Option<usize>) -> String {
        let total = self.standings.head_to_head(player, other).games;
        match total.games() {
            0 => String::new(),
            games => format!("{:.1}/{games}", total.points()),
        }
    }
}
