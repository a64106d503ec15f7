//! The report of a match: as JSON with everything needed to recompute it, and as text.

use std::collections::BTreeMap;
use std::iter::once;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthStr;

use super::conditions::{SHARD, contradictions};
use super::health::MatchHealth;
use super::plan::{check_game_count, shard};
use crate::shared::run_settings::RunSettings;
use qirkat_arena::statistics::{EloEstimate, Estimate, GameCounts, Sprt, SprtState};
use qirkat_arena::{GameOutcome, HeadToHead, Ranking, Schedule, Standings, Termination};
use qirkat_rules::pgn::GameResult;
use qirkat_system::format_version::FormatVersion;

const MAX_NAMED_PARTS: usize = 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Report {
    #[serde(default)]
    version: FormatVersion<1>,
    pub players: Vec<PlayerReport>,
    /// The whole tournament; this report may be a part of it.
    pub schedule: Schedule,
    sprt: Option<Sprt>,
    #[serde(default)]
    pub conditions: RunSettings,
    pub games: Vec<GameOutcome>,
    /// Ratings around the average with 95 % errors, the strongest first; recomputed from the games
    /// like the following fields.
    #[serde(skip_deserializing)]
    ratings: Vec<RatingReport>,
    /// The results of all pairings; recomputed when reports are merged.
    #[serde(skip_deserializing)]
    results: Vec<ResultReport>,
    /// Games lost by faults; recomputed too.
    #[serde(skip_deserializing)]
    faults: Vec<FaultCounts>,
    #[serde(default)]
    pub health: Option<MatchHealth>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PlayerReport {
    pub name: String,
    pub time_control: String,
}

#[derive(Clone, Debug, Serialize)]
struct RatingReport {
    pub name: String,
    pub elo: Option<EloEstimate>,
}

/// One pairing, from its first player's view.
#[derive(Clone, Debug, Serialize)]
struct ResultReport {
    pub first: String,
    pub second: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Wins, draws and losses with White, then with Black.
    pub by_color: [[u64; 3]; 2],
    pub pairs: [u64; 5],
    pub estimate: Option<Estimate>,
    pub llr: Option<f64>,
    pub sprt: Option<SprtState>,
}

impl Report {
    pub fn new(
        players: Vec<PlayerReport>,
        schedule: Schedule,
        sprt: Option<&Sprt>,
        conditions: RunSettings,
        standings: &Standings,
    ) -> Report {
        let games: Vec<GameOutcome> = standings.outcomes().copied().collect();
        let ranking = standings.ranking(players.len());
        let rating = |&player: &usize| RatingReport {
            name: players[player].name.clone(),
            elo: ranking.ratings[player],
        };
        let result = |(first, second): (usize, usize)| {
            let total = standings.head_to_head(first, Some(second));
            let counts = |games: GameCounts| [games.wins, games.draws, games.losses];
            ResultReport {
                first: players[first].name.clone(),
                second: players[second].name.clone(),
                wins: total.games.wins,
                draws: total.games.draws,
                losses: total.games.losses,
                by_color: [counts(total.with_white), counts(total.with_black)],
                pairs: total.pairs.0,
                estimate: total.estimate(schedule.is_paired()),
                llr: sprt.map(|sprt| llr(sprt, &schedule, &total)),
                sprt: sprt.map(|sprt| state(sprt, &schedule, &total)),
            }
        };
        Report {
            version: FormatVersion,
            sprt: sprt.copied(),
            faults: faults(&players, &games),
            ratings: ranking.order.iter().map(rating).collect(),
            results: schedule.meetings().into_iter().map(result).collect(),
            players,
            schedule,
            conditions,
            games,
            health: None,
        }
    }

    pub fn check(&self) -> Result<()> {
        let (players, expected) = (self.players.len(), self.schedule.players);
        if players != expected {
            bail!("{players} players are in a report for {expected}");
        }
        check_game_count(&self.schedule)?;
        shard(self.conditions.get(SHARD))?;
        if let Some(Sprt { elo0, elo1, alpha, beta, model }) = self.sprt {
            Sprt::new(elo0, elo1, alpha, beta, model).context("sprt")?;
        }
        let all = self.schedule.len();
        for game in &self.games {
            if game.number.max(game.pair) >= all {
                bail!("a game {} is in a report for {all}", game.number.max(game.pair) as u128 + 1);
            }
            if game.white.max(game.black) >= players || game.white == game.black {
                bail!("game {} is not between two of the players", game.number + 1);
            }
        }
        Ok(())
    }

    pub fn merge(parts: Vec<(String, Report)>) -> Result<Report> {
        let mut parts = parts.into_iter();
        let Some((first, mut whole)) = parts.next() else { bail!("no report to merge") };
        let mut standings = Standings::default();
        let mut add = |name: &str, games: Vec<GameOutcome>| {
            games.into_iter().try_for_each(|game| {
                let number = game.number;
                if standings.add(game) {
                    Ok(())
                } else {
                    bail!("{name}: game {} is in two of the reports", number + 1)
                }
            })
        };
        add(&first, std::mem::take(&mut whole.games))?;
        for (name, part) in parts {
            let differences = whole.differences(&part);
            if !differences.is_empty() {
                let all = differences.join("; ");
                bail!("{first} and {name} are not parts of the same match: {all}");
            }
            add(&name, part.games)?;
            match (&mut whole.health, part.health) {
                (Some(health), Some(other)) => health.join(other),
                (health, other) => *health = health.take().or(other),
            }
        }
        let Report { players, schedule, sprt, conditions, health, .. } = whole;
        let report = Report::new(players, schedule, sprt.as_ref(), conditions, &standings);
        Ok(Report { health, ..report })
    }

    /// The parts of these reports, as in `1/4`.
    pub fn shards(parts: &[(String, Report)]) -> Vec<String> {
        parts.iter().filter_map(|(_, part)| part.conditions.get(SHARD).map(str::to_owned)).collect()
    }

    /// Which parts are missing from the whole match, and how many games; `None` if complete or
    /// ended by the SPRT.
    pub fn missing(&self, shards: &[String]) -> Option<String> {
        let numbers = |shard: &String| {
            let (index, count) = shard.split_once('/')?;
            Some((index.parse::<usize>().ok()?, count.parse::<usize>().ok()?))
        };
        let there: BTreeMap<usize, usize> = shards.iter().filter_map(numbers).collect();
        let count = there.values().max().copied().unwrap_or(1).min(self.schedule.len());
        let absent = (1..=count).filter(|index| !there.is_empty() && !there.contains_key(index));
        let absent: Vec<String> = absent.map(|index| format!("{index}/{count}")).collect();
        let (played, all) = (self.games.len(), self.schedule.len());
        let is_decided = self
            .results
            .iter()
            .any(|result| result.sprt.is_some_and(|state| state != SprtState::Continue));
        let parts = match absent.as_slice() {
            [] if played >= all || is_decided => return None,
            [] => String::new(),
            [one] => format!("part {one} is missing, "),
            many if many.len() > MAX_NAMED_PARTS => {
                format!("{} parts of {count} are missing, ", many.len())
            }
            [..] => format!("parts {} are missing, ", absent.join(", ")),
        };
        Some(format!("Warning: {parts}{played} of {all} games are counted\n"))
    }

    /// Differences that show that two reports are not of the same match.
    fn differences(&self, other: &Report) -> Vec<String> {
        let mut differences = contradictions(&self.conditions, &other.conditions);
        for (is_same, what) in [
            (self.players == other.players, "players"),
            (self.schedule == other.schedule, "schedules"),
            (self.sprt == other.sprt, "sequential tests"),
        ] {
            if !is_same {
                differences.push(format!("their {what} differ"));
            }
        }
        differences
    }

    pub fn text(&self, cross_table: bool) -> String {
        let mut standings = Standings::default();
        for &game in &self.games {
            standings.add(game);
        }
        let rule = "-".repeat(64);
        let mut lines = vec![rule.clone()];
        let ranking = standings.ranking(self.players.len());
        if self.players.len() > 2 {
            lines.push(self.rating_list(&standings, &ranking));
        }
        if cross_table {
            lines.push(self.cross_table(&standings, &ranking));
        }
        for (first, second) in self.schedule.meetings() {
            let total = standings.head_to_head(first, Some(second));
            lines.extend(self.meeting_lines(first, second, &total));
            if let Some(sprt) = &self.sprt {
                lines.extend(sprt_lines(sprt, &self.schedule, &total));
            }
        }
        for FaultCounts { name, crashes, stalls, illegal_moves, time_losses } in &self.faults {
            if crashes + stalls + illegal_moves + time_losses > 0 {
                lines.push(format!(
                    "Games lost otherwise by {name}: crashed {crashes}, stalled {stalls}, illegal \
                     moves {illegal_moves}, on time {time_losses}"
                ));
            }
        }
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

    /// Points and games of all pairings, as in `3.5/4`; empty where two have not met.
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

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
struct FaultCounts {
    pub name: String,
    pub crashes: u64,
    pub stalls: u64,
    pub illegal_moves: u64,
    pub time_losses: u64,
}

fn faults(players: &[PlayerReport], games: &[GameOutcome]) -> Vec<FaultCounts> {
    let empty =
        |player: &PlayerReport| FaultCounts { name: player.name.clone(), ..FaultCounts::default() };
    let mut all: Vec<FaultCounts> = players.iter().map(empty).collect();
    for game in games {
        let loser = match game.result {
            GameResult::WhiteWins => game.black,
            GameResult::BlackWins => game.white,
            GameResult::Draw | GameResult::Unfinished => continue,
        };
        let Some(counts) = all.get_mut(loser) else { continue };
        *match game.termination {
            Termination::Abandoned => &mut counts.crashes,
            Termination::Stalled => &mut counts.stalls,
            Termination::IllegalMove => &mut counts.illegal_moves,
            Termination::TimeForfeit => &mut counts.time_losses,
            _ => continue,
        } += 1;
    }
    all
}

fn llr(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> f64 {
    if schedule.is_paired() { sprt.llr(&total.pairs) } else { sprt.llr_games(&total.games) }
}

pub(super) fn state(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> SprtState {
    sprt.state(llr(sprt, schedule, total))
}

fn sprt_lines(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> Vec<String> {
    let llr = llr(sprt, schedule, total);
    let (lower, upper) = sprt.bounds();
    let percent = 100.0 * if llr < 0.0 { llr / lower } else { llr / upper };
    let mut lines = vec![format!(
        "LLR: {llr:.2} ({percent:.1} %) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
        sprt.elo0, sprt.elo1
    )];
    match sprt.state(llr) {
        SprtState::Continue => {}
        SprtState::AcceptH0 => lines.push("SPRT: H0 was accepted".to_owned()),
        SprtState::AcceptH1 => lines.push("SPRT: H1 was accepted".to_owned()),
    }
    lines
}

const NAME: usize = 1;
const GAP: &str = "  ";

/// Formats rows in aligned columns. Column `left` is left-aligned, the others right-aligned.
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
