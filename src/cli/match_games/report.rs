//! What a match has come to, for people and for programs.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::faults::{FaultCounts, faults};
use super::health::Health;
use crate::arena::{GameOutcome, HeadToHead, Schedule, Standings};
use crate::statistics::{EloModel, Estimate, Sprt, SprtState};
use crate::text::push;

/// A report as JSON: all that is needed to count again, and the counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Report {
    /// The contestants, by number.
    pub players: Vec<PlayerReport>,
    /// The whole tournament, of which this may be a part.
    pub schedule: Schedule,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtReport>,
    /// The finished games, by number.
    pub games: Vec<GameOutcome>,
    /// What they add up to; made anew from the games when reports are merged.
    #[serde(skip_deserializing)]
    pub results: Vec<ResultReport>,
    /// Games that were lost by other means than on the board; made anew too.
    #[serde(skip_deserializing)]
    pub faults: Vec<FaultCounts>,
    /// How the engines behaved besides.
    #[serde(default)]
    pub health: Option<Health>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PlayerReport {
    pub name: String,
    pub time_control: String,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SprtReport {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub model: EloModel,
}

/// One meeting, as its first player sees it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ResultReport {
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

impl SprtReport {
    fn test(self) -> Result<Sprt> {
        Ok(Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.model)?)
    }
}

impl From<&Sprt> for SprtReport {
    fn from(sprt: &Sprt) -> SprtReport {
        SprtReport {
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            model: sprt.model(),
        }
    }
}

impl Report {
    /// The report of a match.
    pub fn new(
        players: Vec<PlayerReport>,
        schedule: Schedule,
        sprt: Option<&Sprt>,
        standings: &Standings,
    ) -> Report {
        let games = standings.outcomes().cloned().collect();
        let mut report = Report {
            players,
            schedule,
            sprt: sprt.map(SprtReport::from),
            games,
            results: Vec::new(),
            faults: Vec::new(),
            health: None,
        };
        let names: Vec<&str> = report.players.iter().map(|player| player.name.as_str()).collect();
        report.faults = faults(&names, &report.games);
        report.results = report.count(standings, sprt);
        report
    }

    /// Joins the reports of the parts of one match.
    pub fn merge(parts: Vec<Report>) -> Result<Report> {
        let mut parts = parts.into_iter();
        let Some(mut whole) = parts.next() else { bail!("no report to merge") };
        if whole.players.len() != whole.schedule.players {
            bail!("{} players are in a report for {}", whole.players.len(), whole.schedule.players);
        }
        let mut standings = Standings::default();
        let mut add = |games: Vec<GameOutcome>| {
            games.into_iter().try_for_each(|game| {
                let number = game.number;
                if standings.add(game) {
                    Ok(())
                } else {
                    bail!("game {} is in two of the reports", number + 1)
                }
            })
        };
        add(std::mem::take(&mut whole.games))?;
        for part in parts {
            if part.players != whole.players
                || part.schedule != whole.schedule
                || part.sprt != whole.sprt
            {
                bail!("the reports are not parts of the same match");
            }
            add(part.games)?;
            match (&mut whole.health, part.health) {
                (Some(health), Some(other)) => health.join(other),
                (health, other) => *health = health.take().or(other),
            }
        }
        let sprt =
            whole.sprt.map(SprtReport::test).transpose().context("the sprt of the reports")?;
        let report = Report::new(whole.players, whole.schedule, sprt.as_ref(), &standings);
        Ok(Report { health: whole.health, ..report })
    }

    fn standings(&self) -> Standings {
        let mut standings = Standings::default();
        for game in &self.games {
            standings.add(game.clone());
        }
        standings
    }

    fn count(&self, standings: &Standings, sprt: Option<&Sprt>) -> Vec<ResultReport> {
        self.schedule
            .meetings()
            .into_iter()
            .map(|(first, second)| {
                let total = standings.head_to_head(first, Some(second));
                let counts =
                    |games: crate::statistics::GameCounts| [games.wins, games.draws, games.losses];
                ResultReport {
                    first: self.players[first].name.clone(),
                    second: self.players[second].name.clone(),
                    wins: total.games.wins,
                    draws: total.games.draws,
                    losses: total.games.losses,
                    by_color: [counts(total.with_white), counts(total.with_black)],
                    pairs: total.pairs.0,
                    estimate: total.estimate(),
                    llr: sprt.map(|sprt| llr(sprt, &self.schedule, &total)),
                    sprt: sprt.map(|sprt| state(sprt, &self.schedule, &total)),
                }
            })
            .collect()
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let standings = self.standings();
        let mut text = String::new();
        let rule = "-".repeat(64);
        push(&mut text, format_args!("{rule}\n"));
        if self.players.len() > 2 {
            self.push_table(&standings, &mut text);
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

    fn push_table(&self, standings: &Standings, text: &mut String) {
        let mut rows: Vec<(usize, HeadToHead)> =
            (0..self.players.len()).map(|one| (one, standings.head_to_head(one, None))).collect();
        rows.sort_by(|a, b| b.1.games.points().total_cmp(&a.1.games.points()));
        push(
            text,
            format_args!(
                "{:>4} {:<24}{:>18}{:>8}{:>9}{:>8}\n",
                "Rank", "Name", "Elo", "Games", "Points", "Draws"
            ),
        );
        for (rank, (player, total)) in (1..).zip(&rows) {
            let elo =
                total.estimate().map_or(String::new(), |estimate| format!("{:.1}", estimate.elo));
            let games = total.games.games();
            let share = |part: f64| 100.0 * part / (games.max(1) as f64);
            push(
                text,
                format_args!(
                    "{rank:>4} {:<24}{elo:>18}{games:>8}{:>8.1}%{:>7.1}%\n",
                    self.players[*player].name,
                    share(total.games.points()),
                    share(total.games.draws as f64)
                ),
            );
        }
        text.push('\n');
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
        if let Some(estimate) = total.estimate() {
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
        push(text, format_args!("Ptnml(0-2): {:?}\n", total.pairs.0));
    }
}

/// Whether a match consists of pairs, which tell more than single games.
fn is_paired(schedule: &Schedule) -> bool {
    schedule.games_per_meeting.is_multiple_of(2)
}

fn llr(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> f64 {
    if is_paired(schedule) { sprt.llr(&total.pairs) } else { sprt.llr_games(&total.games) }
}

/// What the sequential test says of two players so far.
pub(super) fn state(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> SprtState {
    if is_paired(schedule) { sprt.state(&total.pairs) } else { sprt.state_games(&total.games) }
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
