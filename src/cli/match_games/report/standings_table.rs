//! How more than two players stand: a rating list, and who scored what against
//! whom.

use super::text_table::aligned;
use crate::arena::Standings;
use crate::statistics::EloEstimate;

/// The column with names.
const NAME: usize = 1;

/// Players, the strongest first.
pub(in crate::cli::match_games) struct Ranking<'a> {
    names: &'a [&'a str],
    standings: &'a Standings,
    ratings: Vec<Option<EloEstimate>>,
    order: Vec<usize>,
}

impl<'a> Ranking<'a> {
    /// Ranks players by their ratings, and by points where there are none.
    pub fn new(names: &'a [&'a str], standings: &'a Standings) -> Ranking<'a> {
        let ratings = standings.ratings(names.len());
        let mut order: Vec<usize> = (0..names.len()).collect();
        let key = |player: usize| {
            let rating = ratings[player].map_or(0.0, |rating| rating.value);
            let games = standings.head_to_head(player, None).games;
            [rating, games.score().unwrap_or(-1.0)]
        };
        order.sort_by(|&one, &other| {
            let ([a, b], [c, d]) = (key(one), key(other));
            c.total_cmp(&a).then(d.total_cmp(&b))
        });
        Ranking { names, standings, ratings, order }
    }

    /// Ratings with their errors, around the average.
    pub fn list(&self) -> String {
        let head = ["Rank", "Name", "Elo", "Games", "Points", "Draws"].map(str::to_owned).to_vec();
        let rows = (1..).zip(&self.order).map(|(rank, &player)| self.row(rank, player));
        aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>(), NAME)
    }

    fn row(&self, rank: usize, player: usize) -> Vec<String> {
        let total = self.standings.head_to_head(player, None).games;
        let count = total.games();
        let share = |part: f64| format!("{:.1}%", 100.0 * part / count.max(1) as f64);
        let elo = self.ratings[player].map_or("-".to_owned(), |elo| format!("{elo:.1}"));
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
        let numbers = (1..=self.order.len()).map(|rank| rank.to_string());
        let head = ["Rank", "Name", "All"].map(str::to_owned).into_iter().chain(numbers).collect();
        let rows = (1..).zip(&self.order).map(|(rank, &player)| {
            let all = self.points(player, None);
            let others = self.order.iter().map(|&other| match other {
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
