//! `qirkat match`: engines play each other.

mod book;
mod checksum;
mod conditions;
mod contestants;
mod faults;
mod game_file;
mod health;
mod help;
mod introduction;
mod options;
mod plan;
mod record;
mod report;
mod settings;
mod standings_table;
mod supervision;
mod table;
mod tail;
mod thinking_threads;
mod words;

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;

use super::{interrupt, progress};
use crate::arena::{Examination, FinishedGame, ScheduledGame, Standings, TournamentEvent};
use crate::statistics::SprtState;
use crate::whole_file::write_whole;
pub(in crate::cli) use checksum::checksum;
use game_file::GameFile;
use health::Health;
pub(super) use help::HELP;
use introduction::{introduce, show_last_words};
pub(super) use options::MatchOptions;
use plan::Plan;
use report::{PlayerReport, Report};
use settings::MatchSettings;
use supervision::supervise;

/// How often a spinner turns.
const TICK: Duration = Duration::from_millis(100);

/// Plays a match, or joins the reports of its parts.
pub(super) fn run(options: &MatchOptions) -> Result<()> {
    if let [first, files @ ..] = options.words.as_slice()
        && (first == "--merge" || first == "-merge")
    {
        return merge(files);
    }
    let mut settings = MatchSettings::default();
    let words = match options.words.as_slice() {
        [first, file, rest @ ..] if first == "--config" || first == "-config" => {
            let text = std::fs::read_to_string(file).with_context(|| file.clone())?;
            settings = toml::from_str(&text).with_context(|| file.clone())?;
            rest
        }
        [first] if first == "--config" || first == "-config" => bail!("--config: needs a file"),
        words => words,
    };
    words::read(words, &mut settings)?;
    let mut plan = plan::plan(&settings)?;
    supervise(&settings, &mut plan)?;
    for notice in &plan.notices {
        eprintln!("qirkat: {notice}");
    }
    let whole = Match::new(&plan)?;
    try_openings(&plan)?;
    // Before any engine is started: none may be left behind.
    let interrupted = interrupt::flag()?;
    let played = introduce(&plan.tournament, settings.force, &interrupted)
        .and_then(|seen| whole.play(&seen, &interrupted));
    let logged = plan.tournament.supervision.log.flush().context("-log");
    played.and(logged)
}

/// Random openings may be hard to find, which is better known before the first
/// game.
fn try_openings(plan: &Plan) -> Result<()> {
    let openings = &plan.tournament.openings;
    if openings.count().is_some() {
        return Ok(());
    }
    let spinner = progress::bar("{spinner} looking for balanced openings, {elapsed}");
    spinner.enable_steady_tick(TICK);
    let first = openings.opening(plan.first_opening);
    spinner.finish_and_clear();
    first.context("-openings")?;
    Ok(())
}

fn merge(words: &[String]) -> Result<()> {
    let mut cross_table = false;
    let mut parts = Vec::new();
    for word in words {
        match words::option_name(word) {
            Some("crosstable") => cross_table = true,
            Some(name) => bail!("--merge: unknown option -{name}"),
            None => {
                let text = std::fs::read_to_string(word).with_context(|| word.clone())?;
                parts.push(serde_json::from_str(&text).with_context(|| word.clone())?);
            }
        }
    }
    let whole = Report::merge(parts)?;
    let troubles = whole.health.as_ref().map(Health::troubles).unwrap_or_default();
    writeln!(stdout(), "{troubles}{}", whole.text(cross_table))?;
    Ok(())
}

/// A match while it is played.
struct Match<'a> {
    plan: &'a Plan,
    standings: Standings,
    file: Option<GameFile>,
    /// Games of this part of the match.
    total: usize,
    date: String,
    bar: ProgressBar,
    health: Health,
    trouble: Option<anyhow::Error>,
}

impl<'a> Match<'a> {
    fn new(plan: &'a Plan) -> Result<Match<'a>> {
        let mut standings = Standings::default();
        let file = match &plan.pgn {
            Some(out) => {
                let file = GameFile::open(out, plan, &mut standings);
                Some(file.context("-pgnout")?)
            }
            None => None,
        };
        let bar = progress::bar("{bar:24} {pos}/{len} games, {per_sec}, {eta} left  {msg}");
        let total = plan.schedule.games().iter().filter(|game| plan.shard.has(game)).count();
        let health = Health::new(&plan.tournament.contestants, &[]);
        Ok(Match { plan, standings, file, total, date: today(), bar, health, trouble: None })
    }

    /// Plays until all is played, the result is clear, or `stop` is raised.
    fn play(mut self, seen: &[Examination], stop: &Arc<AtomicBool>) -> Result<()> {
        let plan = self.plan;
        self.health = Health::new(&plan.tournament.contestants, seen);
        if let Some(file) = &mut self.file {
            file.begin(&plan.conditions).context("-pgnout")?;
        }
        // Now, not after the last game, is the time to hear that it cannot be.
        self.write_report()?;
        let mut games = plan.schedule.games();
        games.retain(|game| plan.shard.has(game) && !self.standings.has(game.number));
        for game in &mut games {
            game.opening += plan.first_opening;
        }
        if !self.is_decided() {
            self.bar.set_length(self.total as u64);
            self.bar.set_position(self.standings.len() as u64);
            let heard = &mut |event: TournamentEvent<'_>| self.hear(&event);
            if let Err(error) = plan.tournament.run(games, stop, heard) {
                self.trouble = Some(error.into());
            }
        }
        self.bar.finish_and_clear();
        self.health.worst_delay_ms =
            1e3 * plan.tournament.supervision.punctuality.worst().as_secs_f64();
        self.write_report()?;
        let (times, troubles) = (self.health.times(), self.health.troubles());
        writeln!(stdout(), "{times}{troubles}{}", self.report().text(plan.cross_table))?;
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        if stop.load(Ordering::Relaxed) && !self.is_decided() && self.standings.len() < self.total {
            bail!("interrupted after {} of {} games", self.standings.len(), self.total);
        }
        Ok(())
    }

    /// Hears of a game; false ends the match.
    fn hear(&mut self, event: &TournamentEvent<'_>) -> bool {
        let TournamentEvent::Finished(game, finished) = event else { return true };
        if let Err(error) = self.take(game, finished) {
            self.trouble = Some(error);
            return false;
        }
        !self.is_decided()
    }

    fn take(&mut self, game: &ScheduledGame, finished: &FinishedGame) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.write(self.plan, game, finished, &self.date).context("cannot write the games")?;
        }
        let warnings = self.health.add(game, finished);
        let termination = finished.termination.tag();
        self.standings.add(record::outcome(game, finished.result, termination));
        let name = |player: usize| &self.plan.tournament.contestants[player].name;
        let line = format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            game.number + 1,
            name(game.white),
            name(game.black),
            finished.result.text(),
            finished.reason
        );
        let done = self.standings.len();
        let interval = self.plan.rating_interval;
        let due = interval > 0 && done.is_multiple_of(interval) && done < self.total;
        let report = if due { Some(self.report().text(false)) } else { None };
        self.bar.suspend(|| {
            for warning in &warnings {
                eprintln!("{warning}");
            }
            if let Some(fault) = &finished.fault {
                let loser = name([game.white, game.black][fault.loser.index()]);
                show_last_words(&format!("game {}: {loser}", game.number + 1), &fault.fault);
            }
            let mut out = stdout().lock();
            writeln!(out, "{line}")?;
            report.map_or(Ok(()), |report| writeln!(out, "{report}"))
        })?;
        self.bar.set_position(done as u64);
        self.bar.set_message(self.elo_so_far());
        match self.health.verdict() {
            Some(verdict) => bail!("{verdict}: {}", finished.reason),
            None => Ok(()),
        }
    }

    fn elo_so_far(&self) -> String {
        let total = self.standings.head_to_head(0, None);
        let elo = report::estimate(&self.plan.schedule, &total)
            .map_or(String::new(), |estimate| format!("Elo {:.1}", estimate.elo));
        format!("{}: {elo}", self.plan.tournament.contestants[0].name)
    }

    fn is_decided(&self) -> bool {
        self.plan.sprt.as_ref().is_some_and(|sprt| {
            let total = self.standings.head_to_head(0, Some(1));
            report::state(sprt, &self.plan.schedule, &total) != SprtState::Continue
        })
    }

    fn report(&self) -> Report {
        let players = self.plan.tournament.contestants.iter().map(|contestant| PlayerReport {
            name: contestant.name.clone(),
            time_control: contestant.control.describe(),
        });
        let schedule = self.plan.schedule.clone();
        let (sprt, conditions) = (self.plan.sprt.as_ref(), self.plan.conditions.clone());
        let mut report =
            Report::new(players.collect(), schedule, sprt, conditions, &self.standings);
        report.health = Some(self.health.clone());
        report
    }

    fn write_report(&self) -> Result<()> {
        let Some(path) = &self.plan.report else { return Ok(()) };
        let text = serde_json::to_string_pretty(&self.report())?;
        write_whole(path, format!("{text}\n").as_bytes())
            .with_context(|| path.display().to_string())
    }
}

/// The date as PGN wants it.
fn today() -> String {
    jiff::Zoned::now().strftime("%Y.%m.%d").to_string()
}
