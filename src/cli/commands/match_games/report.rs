//! The report of a match: as JSON with everything needed to recompute it, and as text.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::conditions::{SHARD, contradictions};
use super::health::MatchHealth;
use super::plan::{check_game_count, shard};
use crate::shared::run_conditions::Conditions;
use crate::shared::standings_text::{StandingsText, result_lines};
use qirkat_arena::statistics::{EloEstimate, Estimate, GameCounts, GameScore, Sprt, SprtState};
use qirkat_arena::{
    GameOutcome, HeadToHead, KnockoutMeeting, Outcomes, Schedule, Shard, SwissStanding,
    Termination, TournamentKind,
};
use qirkat_game::Color;
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
    pub conditions: Conditions,
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
    #[serde(flatten)]
    pub games: GameCounts,
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
        conditions: Conditions,
        outcomes: &Outcomes,
    ) -> Report {
        let games: Vec<GameOutcome> = outcomes.iter().copied().collect();
        let meetings = outcomes.cross_table();
        let ranking = meetings.ranking(players.len());
        let rating = |&player: &usize| RatingReport {
            name: players[player].name.clone(),
            elo: ranking.ratings.get(player),
        };
        let result = |(first, second): (usize, usize)| {
            let total = meetings.between(first, second);
            let llr = sprt.map(|sprt| total.llr(sprt, schedule.is_paired()));
            let counts = |games: GameCounts| [games.wins, games.draws, games.losses];
            ResultReport {
                first: players[first].name.clone(),
                second: players[second].name.clone(),
                games: total.games,
                by_color: [counts(total.with_white), counts(total.with_black)],
                pairs: total.pairs.0,
                estimate: total.estimate(schedule.is_paired()),
                llr,
                sprt: sprt.zip(llr).map(|(sprt, llr)| sprt.state(llr)),
            }
        };
        Report {
            version: FormatVersion,
            sprt: sprt.copied(),
            faults: faults(&players, &games),
            ratings: ranking.order.iter().map(rating).collect(),
            results: schedule.meetings(outcomes).into_iter().map(result).collect(),
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
        if self.schedule.is_empty() {
            bail!("no games are in its schedule");
        }
        shard(self.conditions.get(SHARD))?;
        self.sprt.map(Sprt::checked).transpose().context("sprt")?;
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
        let mut outcomes = Outcomes::default();
        let mut add = |name: &str, games: Vec<GameOutcome>| {
            games.into_iter().try_for_each(|game| {
                let number = game.number;
                if outcomes.add(game) {
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
                (Some(health), Some(other)) => health.merge(other),
                (health, other) => *health = health.take().or(other),
            }
        }
        let Report { players, schedule, sprt, conditions, health, .. } = whole;
        let report = Report::new(players, schedule, sprt.as_ref(), conditions, &outcomes);
        Ok(Report { health, ..report })
    }

    /// The parts of the match that these reports name.
    pub fn shards(parts: &[(String, Report)]) -> Vec<Shard> {
        let names = parts.iter().filter_map(|(_, part)| part.conditions.get(SHARD));
        names.filter_map(|name| shard(Some(name)).ok()).collect()
    }

    /// Which parts are missing from the whole match, and how many games; `None` if complete or
    /// ended by the SPRT.
    pub fn missing(&self, shards: &[Shard]) -> Option<String> {
        let there: BTreeMap<usize, usize> =
            shards.iter().map(|shard| (shard.index + 1, shard.count)).collect();
        let count = there.values().max().copied().unwrap_or(1).min(self.schedule.len());
        let absent = (1..=count).filter(|index| !there.is_empty() && !there.contains_key(index));
        let absent: Vec<String> = absent.map(|index| format!("{index}/{count}")).collect();
        let all = match self.schedule.kind.is_paired_by_results() {
            true => self.schedule.games(&self.outcomes()).len(),
            false => self.schedule.len(),
        };
        let played = self.games.len();
        let is_decided = self
            .results
            .iter()
            .all(|result| result.sprt.is_some_and(|state| state != SprtState::Continue));
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

    fn outcomes(&self) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for &game in &self.games {
            outcomes.add(game);
        }
        outcomes
    }

    pub fn text(&self, cross_table: bool) -> String {
        let outcomes = self.outcomes();
        let rule = "-".repeat(64);
        let mut lines = vec![rule.clone()];
        let meetings = outcomes.cross_table();
        let names: Vec<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
        let table = StandingsText::new(&names, &meetings);
        if self.players.len() > 2 {
            lines.push(table.rating_list(None));
        }
        if cross_table {
            lines.push(table.cross_table());
        }
        lines.extend(self.round_lines(&outcomes));
        for (first, second) in self.schedule.meetings(&outcomes) {
            let total = meetings.between(first, second);
            lines.extend(self.meeting_lines(first, second, &total));
            if let Some(sprt) = &self.sprt {
                lines.extend(sprt_lines(sprt, &self.schedule, &total));
            }
        }
        for FaultCounts { name, crashes, stalls, illegal_moves, time_losses } in &self.faults {
            if crashes + stalls + illegal_moves + time_losses > 0 {
                lines.push(format!(
                    "Games lost by faults of {name}: crashed {crashes}, stalled {stalls}, illegal \
                     moves {illegal_moves}, on time {time_losses}"
                ));
            }
        }
        lines.push(rule);
        lines.join("\n")
    }

    /// The meetings of a knockout, or the standings of a Swiss tournament.
    fn round_lines(&self, outcomes: &Outcomes) -> Vec<String> {
        let name = |player: usize| self.players[player].name.as_str();
        let points = |half_points: usize| half_points as f64 / 2.0;
        let mut lines = Vec::new();
        match self.schedule.kind {
            TournamentKind::RoundRobin | TournamentKind::Gauntlet => {}
            TournamentKind::Knockout => {
                let knockout = self.schedule.knockout(outcomes);
                for KnockoutMeeting { round, players, points: [one, other], winner } in
                    knockout.meetings
                {
                    let end = match winner {
                        None => ", not finished".to_owned(),
                        Some(winner) if one == other => {
                            format!(", {} goes on as the better seed", name(winner))
                        }
                        Some(_) => String::new(),
                    };
                    lines.push(format!(
                        "Round {}: {} - {}: {:.1} - {:.1}{end}",
                        round + 1,
                        name(players.0),
                        name(players.1),
                        points(one),
                        points(other)
                    ));
                }
                let winner = knockout.winner.map(name);
                lines.extend(winner.map(|winner| format!("Winner of the knockout: {winner}")));
            }
            TournamentKind::Swiss => {
                let standings = (1..).zip(self.schedule.swiss(outcomes).standings);
                for (number, SwissStanding { player, half_points, buchholz }) in standings {
                    lines.push(format!(
                        "Place {number}: {}, {:.1} points (Buchholz {:.1})",
                        name(player),
                        points(half_points),
                        points(buchholz)
                    ));
                }
            }
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines
    }

    fn meeting_lines(&self, first: usize, second: usize, total: &HeadToHead) -> Vec<String> {
        let [one, other] = [first, second].map(|player| &self.players[player]);
        let control = if one.time_control == other.time_control {
            one.time_control.clone()
        } else {
            format!("{} against {}", one.time_control, other.time_control)
        };
        let mut lines = vec![format!("Results of {} vs {} ({control}):", one.name, other.name)];
        lines.extend(result_lines(total, self.schedule.is_paired()));
        lines
    }
}

/// How the games of each player ended, in words, and how often.
#[derive(Clone, Debug, Default)]
pub(super) struct Endings(BTreeMap<(usize, String), u64>);

impl Endings {
    pub fn add(&mut self, game: &GameOutcome, reason: &str) {
        let reason = match game.termination {
            Termination::Normal | Termination::Adjudication => reason.to_owned(),
            // The reasons differ in times and moves.
            other => other.to_string(),
        };
        for (player, color) in [(game.white, Color::White), (game.black, Color::Black)] {
            let ending = match GameScore::of(game.result, color) {
                Some(GameScore::Win) => format!("Win: {reason}"),
                Some(GameScore::Loss) => format!("Loss: {reason}"),
                Some(GameScore::Draw) if reason.starts_with("Draw") => reason.clone(),
                Some(GameScore::Draw) => format!("Draw: {reason}"),
                None => continue,
            };
            *self.0.entry((player, ending)).or_default() += 1;
        }
    }

    /// As cutechess prints it.
    pub fn text<'a>(&self, names: impl Iterator<Item = &'a str>) -> String {
        let mut lines = Vec::new();
        for (player, name) in names.enumerate() {
            lines.push(format!("Player: {name}"));
            let endings = self.0.iter().filter(|((of, _), _)| *of == player);
            lines.extend(endings.map(|((_, ending), count)| format!("   \"{ending}\": {count}")));
        }
        lines.join("\n")
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

fn sprt_lines(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> Vec<String> {
    let llr = total.llr(sprt, schedule.is_paired());
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
