//! The report of a match as text.

use std::iter::once;

use unicode_width::UnicodeWidthStr;

use super::report::{Report, llr, state};
use qirkat_arena::statistics::{Sprt, SprtState};
use qirkat_arena::{HeadToHead, Ranking, Schedule, Standings};

impl Report {
    pub fn text(&self, cross_table: bool) -> String {
        let standings = self.standings();
        let rule = "-".repeat(64);
        let mut lines = vec![rule.clone()];
        let ranking = standings.ranking(self.players.len());
        if self.players.len() > 2 {
            lines.push(self.rating_list(&standings, &ranking));
        }
        if cross_table {
            lines.push(self.cross_table(&standings, &ranking));
        }
        let sprt = self.sprt.and_then(|sprt| sprt.test().ok());
        for (first, second) in self.schedule.meetings() {
            let total = standings.head_to_head(first, Some(second));
            lines.extend(self.meeting_lines(first, second, &total));
            if let Some(sprt) = &sprt {
                lines.extend(sprt_lines(sprt, &self.schedule, &total));
            }
        }
        let faults = self.faults.iter().filter(|faults| faults.any());
        lines.extend(faults.map(ToString::to_string));
        lines.push(rule);
        lines.join("\n")
    }

    fn meeting_lines(&self, first: usize, second: usize, total: &HeadToHead) -> Vec<String> {
        let [one, other] = [first, second].map(|player| &self.players[player]);
        let control = if one.time_control == other.time_control {
            one.time_control.clone()
        } else {
            format!("{} against {}", one.time_control, other.time_control)
        };
        let mut lines = vec![format!("Results of {} vs {} ({control}):", one.name, other.name)];
        if let Some(estimate) = total.estimate(self.schedule.is_paired()) {
            let pairs = estimate.pairs_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            let [los, draws] = [estimate.los, estimate.draw_ratio].map(|share| 100.0 * share);
            lines.push(format!("Elo: {:.2}, nElo: {:.2}", estimate.elo, estimate.nelo));
            if estimate.elo.value == 0.0 && estimate.elo.error == 0.0 {
                let unit = if self.schedule.is_paired() { "pair" } else { "game" };
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
        if self.schedule.is_paired() {
            lines.push(format!("Ptnml(0-2): {:?}", total.pairs.0));
        }
        lines
    }

    /// Ratings with their errors, around the average.
    fn rating_list(&self, standings: &Standings, ranking: &Ranking) -> String {
        let head = ["Rank", "Name", "Elo", "Games", "Points", "Draws"].map(str::to_owned).to_vec();
        let rows = (1..).zip(&ranking.order).map(|(rank, &player)| {
            let total = standings.head_to_head(player, None).games;
            let count = total.games();
            let share = |part: f64| format!("{:.1}%", 100.0 * part / count.max(1) as f64);
            vec![
                rank.to_string(),
                self.players[player].name.clone(),
                ranking.ratings[player].map_or("-".to_owned(), |elo| format!("{elo:.1}")),
                count.to_string(),
                share(total.points()),
                share(total.draws as f64),
            ]
        });
        aligned(&once(head).chain(rows).collect::<Vec<_>>(), NAME)
    }

    /// Points and games of everybody against everybody, as in `3.5/4`; nothing where two
    /// have not met.
    fn cross_table(&self, standings: &Standings, ranking: &Ranking) -> String {
        let points = |player: usize, other: Option<usize>| {
            let total = standings.head_to_head(player, other).games;
            match total.games() {
                0 => String::new(),
                games => format!("{:.1}/{games}", total.points()),
            }
        };
        let order = &ranking.order;
        let numbers = (1..=order.len()).map(|rank| rank.to_string());
        let head = ["Rank", "Name", "All"].map(str::to_owned).into_iter().chain(numbers).collect();
        let rows = (1..).zip(order).map(|(rank, &player)| {
            let name = self.players[player].name.clone();
            let others = order.iter().map(|&other| match other {
                _ if other == player => "-".to_owned(),
                _ => points(player, Some(other)),
            });
            [rank.to_string(), name, points(player, None)].into_iter().chain(others).collect()
        });
        aligned(&once(head).chain(rows).collect::<Vec<_>>(), NAME)
    }
}

fn sprt_lines(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> Vec<String> {
    let llr = llr(sprt, schedule, total);
    let (lower, upper) = sprt.bounds();
    let percent = 100.0 * if llr < 0.0 { llr / lower } else { llr / upper };
    let mut lines = vec![format!(
        "LLR: {llr:.2} ({percent:.1} %) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
        sprt.elo0(),
        sprt.elo1()
    )];
    match state(sprt, schedule, total) {
        SprtState::Continue => {}
        SprtState::AcceptH0 => lines.push("SPRT: H0 was accepted".to_owned()),
        SprtState::AcceptH1 => lines.push("SPRT: H1 was accepted".to_owned()),
    }
    lines
}

const NAME: usize = 1;
/// Between two columns.
const GAP: &str = "  ";

/// Rows as lines, with columns as wide as their widest cell. One column begins
/// at the left, numbers end at the right.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
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
