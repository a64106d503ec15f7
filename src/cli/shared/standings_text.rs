//! Standings as text, for matches and for games of files: the rating list, the cross table and the
//! results of two players.

use std::iter::once;

use unicode_width::UnicodeWidthStr;

use qirkat_arena::statistics::EloEstimate;
use qirkat_arena::{CrossTable, HeadToHead, Ranking};

/// The standings of named players, by number.
pub(crate) struct StandingsText<'a> {
    names: &'a [&'a str],
    meetings: &'a CrossTable,
    pub ranking: Ranking,
}

/// The player whose rating is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    pub player: usize,
    pub elo: f64,
}

impl<'a> StandingsText<'a> {
    pub fn new(names: &'a [&'a str], meetings: &'a CrossTable) -> StandingsText<'a> {
        StandingsText { names, meetings, ranking: meetings.ranking(names.len()) }
    }

    /// A player's rating: relative to the average, or to the anchor's known rating.
    pub fn rating(&self, player: usize, anchor: Option<Anchor>) -> Option<EloEstimate> {
        let Some(Anchor { player: known, elo }) = anchor else {
            return self.ranking.ratings.get(player);
        };
        if player == known {
            return Some(EloEstimate { value: elo, error: 0.0 });
        }
        let above = self.ranking.ratings.difference(player, known)?;
        Some(EloEstimate { value: elo + above.value, ..above })
    }

    /// The likelihood that each ranked player is stronger than the next, for all but the last.
    pub fn los(&self) -> impl Iterator<Item = Option<f64>> {
        let neighbours = self.ranking.order.windows(2);
        neighbours.map(|two| {
            let ahead = self.ranking.ratings.difference(two[0], two[1])?;
            ahead.error.is_finite().then(|| ahead.los())
        })
    }

    pub fn rating_list(&self, anchor: Option<Anchor>) -> String {
        let head = ["Rank", "Name", "Elo", "Games", "Points", "Draws", "LOS"].map(str::to_owned);
        let los = self.los().chain([None]);
        let rows = (1..).zip(&self.ranking.order).zip(los).map(|((rank, &player), los)| {
            let total = self.meetings.score(player);
            let count = total.games();
            let share = |part: f64| format!("{:.1}%", 100.0 * part / count.max(1) as f64);
            vec![
                rank.to_string(),
                self.names[player].to_owned(),
                self.rating(player, anchor).map_or("-".to_owned(), |elo| format!("{elo:.1}")),
                count.to_string(),
                share(total.points()),
                share(total.draws as f64),
                los.map_or("-".to_owned(), |los| format!("{:.1}%", 100.0 * los)),
            ]
        });
        aligned(&once(head.to_vec()).chain(rows).collect::<Vec<_>>(), NAME_COLUMN)
    }

    /// Points and games of all pairings, as in `3.5/4`; empty where two have not met.
    pub fn cross_table(&self) -> String {
        let points = |total: HeadToHead| match total.games.games() {
            0 => String::new(),
            games => format!("{:.1}/{games}", total.games.points()),
        };
        let order = &self.ranking.order;
        let numbers = (1..=order.len()).map(|rank| rank.to_string());
        let head = ["Rank", "Name", "All"].map(str::to_owned).into_iter().chain(numbers).collect();
        let rows = (1..).zip(order).map(|(rank, &player)| {
            let name = self.names[player].to_owned();
            let all = points(self.meetings.against_all(player));
            let others = order.iter().map(|&other| match other {
                _ if other == player => "-".to_owned(),
                _ => points(self.meetings.between(player, other)),
            });
            [rank.to_string(), name, all].into_iter().chain(others).collect()
        });
        aligned(&once(head).chain(rows).collect::<Vec<_>>(), NAME_COLUMN)
    }
}

/// The results of one player against another, and the Elo estimated from them.
pub(crate) fn result_lines(total: &HeadToHead, is_paired: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(estimate) = total.estimate(is_paired) {
        let pairs = estimate.pairs_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        let [los, draws] = [estimate.los, estimate.draw_ratio].map(|share| 100.0 * share);
        lines.push(format!("Elo: {:.2}, nElo: {:.2}", estimate.elo, estimate.nelo));
        if estimate.elo.value == 0.0 && estimate.elo.error == 0.0 {
            let unit = if is_paired && total.pairs.0 != [0; 5] { "pair" } else { "game" };
            lines.push(format!(
                "Nothing differed: every {unit} was even, so the error of 0.00 has no meaning"
            ));
        }
        lines.push(format!("LOS: {los:.2} %, DrawRatio: {draws:.2} %, PairsRatio: {pairs}"));
    }
    let (games, count, points) = (total.games, total.games.games(), total.games.points());
    lines.push(format!(
        "Games: {count}, Wins: {}, Losses: {}, Draws: {}, Points: {points:.1} ({:.2} %)",
        games.wins,
        games.losses,
        games.draws,
        100.0 * points / count.max(1) as f64
    ));
    for (color, games) in [("White", total.with_white), ("Black", total.with_black)] {
        lines.push(format!(
            "  with {color}: Wins: {}, Losses: {}, Draws: {}",
            games.wins, games.losses, games.draws
        ));
    }
    if is_paired {
        lines.push(format!("Ptnml(0-2): {:?}", total.pairs.0));
    }
    lines
}

const NAME_COLUMN: usize = 1;
const GAP: &str = "  ";

/// Formats rows in aligned columns. Column `left` is left-aligned, the others right-aligned.
pub(crate) fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let blanks = " ".repeat(width - cell.width());
            if column == left { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join(GAP).trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_cells_make_wide_columns() {
        let rows =
            [["Rank", "Name", "Elo"], ["1", "a very long name", "7"], ["12", "駒", "-1234.5"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let expected = "Rank  Name                  Elo\n   \
                           1  a very long name        7\n  \
                          12  駒                -1234.5\n";
        assert_eq!(aligned(&rows, 1), expected);
    }
}
