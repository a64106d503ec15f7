//! The report of a match as text.

use unicode_width::UnicodeWidthStr;

use super::report::{Report, estimate, llr, state};
use qirkat_arena::statistics::{Sprt, SprtState};
use qirkat_arena::{HeadToHead, Ranking, Schedule, Standings};
use qirkat_game::text::push;

impl Report {
    /// The report as text.
    pub fn text(&self, cross_table: bool) -> String {
        let standings = self.standings();
        let mut text = String::new();
        let rule = "-".repeat(64);
        push(&mut text, format_args!("{rule}\n"));
        let names: Vec<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
        let table = StandingsTable::new(&names, &standings);
        if self.players.len() > 2 {
            push(&mut text, format_args!("{}\n", table.list()));
        }
        if cross_table {
            push(&mut text, format_args!("{}\n", table.cross_table()));
        }
        let sprt = self.sprt.and_then(|sprt| sprt.test().ok());
        for (first, second) in self.schedule.meetings() {
            let total = standings.head_to_head(first, Some(second));
            self.push_meeting(first, second, &total, &mut text);
            if let Some(sprt) = &sprt {
                push_sprt(sprt, &self.schedule, &total, &mut text);
            }
        }
        for faults in self.faults.iter().filter(|faults| faults.any()) {
            push(&mut text, format_args!("{faults}\n"));
        }
        text.push_str(&rule);
        text
    }

    fn push_meeting(&self, first: usize, second: usize, total: &HeadToHead, text: &mut String) {
        let [one, other] = [first, second].map(|player| &self.players[player]);
        let control = if one.time_control == other.time_control {
            one.time_control.clone()
        } else {
            format!("{} against {}", one.time_control, other.time_control)
        };
        push(text, format_args!("Results of {} vs {} ({control}):\n", one.name, other.name));
        let games = total.games;
        if let Some(estimate) = estimate(&self.schedule, total) {
            push(text, format_args!("Elo: {:.2}, nElo: {:.2}\n", estimate.elo, estimate.nelo));
            let pairs = estimate.pairs_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            push(
                text,
                format_args!(
                    "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {pairs}\n",
                    100.0 * estimate.los,
                    100.0 * estimate.draw_ratio
                ),
            );
        }
        let count = games.games();
        push(
            text,
            format_args!(
                "Games: {count}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)\n",
                games.wins,
                games.losses,
                games.draws,
                games.points(),
                100.0 * games.points() / count.max(1) as f64
            ),
        );
        for (color, games) in [("White", total.with_white), ("Black", total.with_black)] {
            push(
                text,
                format_args!(
                    "  with {color}: Wins: {}, Losses: {}, Draws: {}\n",
                    games.wins, games.losses, games.draws
                ),
            );
        }
        if self.schedule.is_paired() {
            push(text, format_args!("Ptnml(0-2): {:?}\n", total.pairs.0));
        }
    }
}

fn push_sprt(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead, text: &mut String) {
    let llr = llr(sprt, schedule, total);
    let (lower, upper) = sprt.bounds();
    let share = if llr < 0.0 { llr / lower } else { llr / upper };
    push(
        text,
        format_args!(
            "LLR: {llr:.2} ({:.1} %) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]\n",
            100.0 * share,
            sprt.elo0(),
            sprt.elo1()
        ),
    );
    match state(sprt, schedule, total) {
        SprtState::Continue => {}
        SprtState::AcceptH0 => text.push_str("SPRT: H0 was accepted\n"),
        SprtState::AcceptH1 => text.push_str("SPRT: H1 was accepted\n"),
    }
}

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

/// Between two columns.
const GAP: &str = "  ";

/// Rows as lines, with columns as wide as their widest cell. One column begins
/// at the left, numbers end at the right.
pub(in crate::match_games) fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let blanks = " ".repeat(width - cell.width());
                if column == left { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
            })
            .collect();
        text.push_str(cells.join(GAP).trim_end());
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
