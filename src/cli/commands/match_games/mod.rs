//! `qirkat match`: engines play each other. Data flows from the [`settings`], which [`options`]
//! reads from the command line, to a [plan](mod@plan), from there to the games ([`game_file`]), and
//! from the games to the [`report`].

mod conditions;
mod contestants;
mod game_file;
mod health;
mod options;
mod plan;
mod report;
mod settings;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::ProgressBar;

use self::game_file::{EarlierGames, EpdFile, GameFile, show_live_games};
use self::health::{MatchHealth, preflight_all, print_engine_stderr};
use self::options::option_name;
pub(super) use self::options::{HELP, ONE_DASH, help_options};
use self::plan::{Plan, plan};
use self::report::{Endings, PlayerReport, Report};
use self::settings::MatchSettings;
use crate::shared::exit_status::{Interrupted, interrupt_flag};
use crate::shared::files::{
    AtPath, MAX_TEXT, Overwrite, check_not_compressed, from_json, from_toml, is_nonempty_file,
    read_plain_text,
};
use crate::shared::terminal::{self, print_message, print_result, print_to_stderr};
use qirkat_arena::{
    FinishedGame, OpeningError, Outcomes, Pairings, PreflightReport, ScheduledGame,
};
use qirkat_system::host::today;
use qirkat_system::output_file::AtomicFile;

pub(super) fn run(options: &MatchOptions) -> Result<()> {
    let (config, words) = match options.words.as_slice() {
        [first, files @ ..] if option_name(first) == Some("merge") => return merge(files),
        [first, rest @ ..] if option_name(first) == Some("config") => {
            let (file, rest) = rest.split_first().context("--config: needs a file")?;
            (Some(PathBuf::from(file)), rest)
        }
        words => (None, words),
    };
    let mut table = toml::Table::new();
    if let Some(path) = &config {
        let text = read_plain_text(path, MAX_TEXT)?;
        // The settings of a file are validated by themselves.
        from_toml::<MatchSettings>(&text).at_path(path)?;
        table = from_toml(&text).at_path(path)?;
    }
    let settings = MatchSettings { config, ..options::read(words, table)? };
    let mut plan = plan(&settings)?;
    for notice in &plan.notices {
        print_message(notice);
    }
    let new_log = plan.new_log.take();
    let match_run = Match::new(&plan)?;
    if plan.tournament.openings.count().is_none() {
        // Fail before the first game if random openings cannot be found.
        let spinner = terminal::spinner("{spinner} looking for balanced openings, {elapsed}");
        let first = plan.tournament.openings.opening(plan.first_opening);
        spinner.finish_and_clear();
        first.context("-openings")?;
    }
    // Catch Ctrl-C before any engine is started, so that none is left running.
    let interrupted = interrupt_flag();
    let played = preflight_all(&plan.tournament, settings.variant, settings.force, &interrupted)
        .and_then(|preflights| {
            new_log.map_or(Ok(()), AtomicFile::finish).context("-log")?;
            match_run.play(&preflights, &interrupted)
        });
    let logged = plan.tournament.supervision.log.flush().context("-log");
    played.and(logged)
}

fn merge(words: &[String]) -> Result<()> {
    let mut cross_table = false;
    let mut parts = Vec::new();
    for word in words {
        match option_name(word) {
            Some("crosstable") => cross_table = true,
            Some(name) => bail!("--merge: unknown option -{name}"),
            None => {
                let part = read_plain_text(Path::new(word), u64::MAX);
                let part = from_json::<Report>(&part?).with_context(|| word.clone())?;
                part.check().with_context(|| word.clone())?;
                parts.push((word.clone(), part));
            }
        }
    }
    let shards = Report::shards(&parts);
    let whole = Report::merge(parts)?;
    let problems = whole.health.as_ref().map(MatchHealth::problems).unwrap_or_default();
    let missing = whole.missing(&shards).unwrap_or_default();
    writeln!(stdout(), "{missing}{problems}{}", whole.text(cross_table))?;
    Ok(())
}

#[derive(Args)]
pub(super) struct MatchOptions {
    /// Options in the style of cutechess-cli, listed below
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// Default number of games between reports, and between scores.
const DEFAULT_RATING_INTERVAL: usize = 10;
const DEFAULT_SCORE_INTERVAL: usize = 1;

struct Match<'a> {
    plan: &'a Plan,
    outcomes: Outcomes,
    endings: Endings,
    file: Option<GameFile>,
    report_file: Option<AtomicFile>,
    epd_file: Option<EpdFile>,
    /// Games in this part of the match.
    total: usize,
    date: String,
    bar: ProgressBar,
    health: MatchHealth,
    error: Option<anyhow::Error>,
}

impl<'a> Match<'a> {
    fn new(plan: &'a Plan) -> Result<Match<'a>> {
        let mut earlier_games = EarlierGames::default();
        let open_games = |out| GameFile::open(out, plan, &mut earlier_games);
        let file = plan.settings.pgnout.as_ref().map(open_games).transpose().context("-pgnout")?;
        let EarlierGames { outcomes, endings, final_positions } = earlier_games;
        let open = |path: &PathBuf| EpdFile::open(path, &final_positions);
        let epd_file = plan.settings.epdout.as_ref().map(open).transpose().context("-epdout")?;
        // A resumed match overwrites its own report.
        let overwrite = Overwrite { overwrite: plan.settings.resume || plan.settings.overwrite };
        let begin = |path: &PathBuf| {
            check_not_compressed(path).and_then(|()| overwrite.begin(path, "")).context("-report")
        };
        let report_file = plan.settings.report.as_ref().map(begin).transpose()?;
        let bar = match plan.settings.debug {
            true => ProgressBar::hidden(),
            false => terminal::bar("{bar:24} {pos}/{len} games, {per_sec}, {eta} left  {msg}"),
        };
        let total = plan.games(&outcomes).len();
        let health = MatchHealth::new(&plan.tournament.contestants, &[]);
        Ok(Match {
            plan,
            outcomes,
            endings,
            file,
            epd_file,
            report_file,
            total,
            date: today(),
            bar,
            health,
            error: None,
        })
    }

    /// Plays until all games are played, the match is decided, or `stop` is set.
    fn play(mut self, preflights: &[PreflightReport], stop: &Arc<AtomicBool>) -> Result<()> {
        let plan = self.plan;
        self.health = MatchHealth::new(&plan.tournament.contestants, preflights);
        if let Some(file) = &mut self.file {
            file.begin(&plan.conditions).context("-pgnout")?;
        }
        if let Some(file) = &mut self.epd_file {
            file.begin().context("-epdout")?;
        }
        // Write a report early, so that an interrupted match has one too. Another match's report
        // stays until there is something to replace it with.
        let report = plan.settings.report.as_deref();
        let is_kept = !plan.settings.resume && report.is_some_and(is_nonempty_file);
        if !is_kept {
            self.write_report()?;
        }
        if !plan.is_over(&self.outcomes) {
            self.bar.set_length(self.total as u64);
            self.bar.set_position(self.outcomes.len() as u64);
            if let Err(error) = self.run(stop) {
                self.error = Some(error.into());
            }
        }
        self.bar.finish_and_clear();
        self.health.worst_delay_ms =
            1e3 * plan.tournament.supervision.wakeups.worst().as_secs_f64();
        if !is_kept || !self.outcomes.is_empty() {
            self.write_report()?;
        }
        let (times, problems) = (self.health.times(), self.health.problems());
        let text = self.report().text(plan.settings.crosstable);
        let endings = self.endings_if(|interval| interval > 0).map(|text| text + "\n");
        let endings = endings.unwrap_or_default();
        print_result(
            format_args!("{times}{problems}{endings}{text}"),
            plan.settings.has_output_files(),
        )?;
        if let Some(error) = self.error {
            return Err(error);
        }
        if stop.load(Ordering::Relaxed) && !plan.is_over(&self.outcomes) {
            let (done, all) = (self.outcomes.len(), self.total);
            return Err(Interrupted(format!("interrupted after {done} of {all} games")).into());
        }
        Ok(())
    }

    fn run(&mut self, stop: &Arc<AtomicBool>) -> Result<(), OpeningError> {
        let (plan, date, earlier) = (self.plan, self.date.clone(), self.outcomes.clone());
        let (playing, ended) = mpsc::channel();
        std::thread::scope(|scope| {
            if let Some(live) = &plan.tournament.supervision.live {
                scope.spawn(move || show_live_games(plan, live, &date, &ended));
            }
            let mut on_finished = |game: &_, finished: &_| match self.on_finished(game, finished) {
                Ok(()) => !plan.are_all_decided(&self.outcomes),
                Err(error) => {
                    self.error = Some(error);
                    false
                }
            };
            let played = plan.tournament.run(plan, earlier, stop, &mut on_finished);
            drop(playing);
            played
        })
    }

    fn on_finished(&mut self, game: &ScheduledGame, finished: &FinishedGame) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.write(self.plan, game, finished, &self.date).context("cannot write the games")?;
        }
        if let Some(file) = &mut self.epd_file {
            file.write(finished).context("cannot write the last positions")?;
        }
        if let Some(live) = &self.plan.tournament.supervision.live {
            live.end(game.number);
        }
        let warnings = self.health.add(game, finished);
        let outcome = finished.outcome(game);
        self.outcomes.add(outcome);
        self.endings.add(&outcome, &finished.reason);
        if self.plan.schedule.kind.is_paired_by_results() {
            self.total = self.plan.games(&self.outcomes).len();
            self.bar.set_length(self.total as u64);
        }
        let name = |player: usize| &self.plan.tournament.contestants[player].name;
        let line = format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            game.number + 1,
            name(game.white),
            name(game.black),
            finished.result.text(),
            finished.reason
        );
        let done = self.outcomes.len();
        let settings = &self.plan.settings;
        let is_due = |interval: Option<usize>, default: usize| {
            let interval = interval.unwrap_or(default);
            interval > 0 && done.is_multiple_of(interval)
        };
        let score =
            is_due(settings.scoreinterval, DEFAULT_SCORE_INTERVAL).then(|| self.score_of(game));
        let report = is_due(settings.ratinginterval, DEFAULT_RATING_INTERVAL) && done < self.total;
        let report = report.then(|| self.report().text(false));
        let endings = self.endings_if(|interval| is_due(Some(interval), 0) && done < self.total);
        self.bar.suspend(|| {
            for warning in &warnings {
                print_to_stderr(warning);
            }
            if let Some(fault) = &finished.fault {
                let loser = name([game.white, game.black][fault.loser.index()]);
                print_engine_stderr(&format!("game {}: {loser}", game.number + 1), &fault.fault);
            }
            let mut texts = [line].into_iter().chain(score).chain(endings).chain(report);
            texts.try_for_each(|text| print_result(text, settings.has_output_files()))
        })?;
        self.bar.set_position(done as u64);
        let total = self.outcomes.head_to_head(0, None);
        let estimate = total.estimate(self.plan.schedule.is_paired());
        let elo = estimate.map_or(String::new(), |estimate| format!("Elo {:.1}", estimate.elo));
        self.bar.set_message(format!("{}: {elo}", name(0)));
        match self.health.reason_to_stop() {
            Some(reason) => bail!("{reason}: {}", finished.reason),
            None => Ok(()),
        }
    }

    /// The score of this game's players as cutechess writes it: the first player's wins, losses,
    /// draws and share of points, and the number of games.
    fn score_of(&self, game: &ScheduledGame) -> String {
        let [first, second] = [game.white.min(game.black), game.white.max(game.black)];
        let games = self.outcomes.head_to_head(first, Some(second)).games;
        let name = |player: usize| &self.plan.tournament.contestants[player].name;
        format!(
            "Score of {} vs {}: {} - {} - {}  [{:.3}] {}",
            name(first),
            name(second),
            games.wins,
            games.losses,
            games.draws,
            games.points() / games.games().max(1) as f64,
            games.games()
        )
    }

    /// How the games of each engine ended, if that is to be shown at this interval.
    fn endings_if(&self, is_due: impl Fn(usize) -> bool) -> Option<String> {
        self.plan.settings.outcomeinterval.filter(|&interval| is_due(interval))?;
        let contestants = self.plan.tournament.contestants.iter();
        Some(self.endings.text(contestants.map(|contestant| contestant.name.as_str())))
    }

    fn report(&self) -> Report {
        let players = self.plan.tournament.contestants.iter().map(|contestant| PlayerReport {
            name: contestant.name.clone(),
            time_control: contestant.control.describe(),
        });
        let schedule = self.plan.schedule.clone();
        let (sprt, conditions) = (self.plan.sprt.as_ref(), self.plan.conditions.clone());
        let mut report = Report::new(players.collect(), schedule, sprt, conditions, &self.outcomes);
        report.health = Some(self.health.clone());
        report
    }

    fn write_report(&mut self) -> Result<()> {
        let Some(mut file) = self.report_file.take() else { return Ok(()) };
        let text = serde_json::to_string_pretty(&self.report())?;
        file.write_version(format!("{text}\n").as_bytes()).context("-report")?;
        self.report_file = Some(file);
        Ok(())
    }
}
