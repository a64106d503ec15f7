//! The plan of a match: validated settings, ready to be played.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use log::Level;

use super::conditions::{conditions, resolve_path};
use super::contestants::{contestants, openings};
use super::settings::{EngineList, LogSettings, MatchSettings};
use crate::shared::files::{AtPath, NamedFiles, Overwrite, is_nonempty_file};
use crate::shared::options;
use crate::shared::run_conditions::Conditions;
use qirkat_arena::statistics::{Sprt, SprtState};
use qirkat_arena::{
    AdjudicationRules, Contestant, CoreShares, CrossTable, LiveGames, MatchLog, Outcomes, Pairings,
    Schedule, ScheduledGame, Shard, Supervision, Tournament, TournamentKind, cores,
};
use qirkat_game::text::counted;
use qirkat_system::machine;
use qirkat_system::output_file::{AtomicFile, open_exclusive};
use qirkat_system::time_text::LONGEST_TIME;
use qirkat_tablebase::AllTables;

pub(super) struct Plan {
    pub tournament: Tournament,
    pub schedule: Schedule,
    pub shard: Shard,
    pub first_opening: usize,
    pub sprt: Option<Sprt>,
    pub settings: MatchSettings,
    pub conditions: Conditions,
    /// The log file that replaces an old one when the match begins.
    pub new_log: Option<AtomicFile>,
    pub notices: Vec<String>,
}

impl Pairings for Plan {
    fn games(&self, outcomes: &Outcomes) -> Vec<ScheduledGame> {
        let mut games = self.schedule.games(outcomes);
        games.retain(|game| self.shard.has(game));
        for game in &mut games {
            game.opening += self.first_opening;
        }
        games
    }

    /// False once the sequential test of these players is decided.
    fn is_needed(&self, game: &ScheduledGame, outcomes: &Outcomes) -> bool {
        let players = (game.white.min(game.black), game.white.max(game.black));
        self.sprt.is_none() || !self.is_decided(&outcomes.cross_table(), players)
    }
}

impl Plan {
    /// Whether there is a sequential test of these players that is decided.
    pub fn is_decided(&self, meetings: &CrossTable, (first, second): (usize, usize)) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| {
            let total = meetings.between(first, second);
            sprt.state(total.llr(sprt, self.schedule.is_paired())) != SprtState::Continue
        })
    }

    /// Whether there are sequential tests and all are decided.
    pub fn are_all_decided(&self, outcomes: &Outcomes) -> bool {
        // This is asked after each game, and counting all games takes time.
        if self.sprt.is_none() {
            return false;
        }
        let meetings = outcomes.cross_table();
        let all = self.schedule.meetings(outcomes);
        all.into_iter().all(|players| self.is_decided(&meetings, players))
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self, outcomes: &Outcomes) -> bool {
        self.are_all_decided(outcomes)
            || self.games(outcomes).iter().all(|game| outcomes.has(game.number))
    }
}

/// Upper limit of games, low enough to keep their schedule in memory.
const MAX_GAMES: usize = 10_000_000;
const MAX_AT_A_TIME: usize = 1024;

pub(super) fn plan(settings: &MatchSettings) -> Result<Plan> {
    let contestants = contestants(settings)?;
    let sprt = settings.sprt.map(Sprt::checked).transpose().context("-sprt")?;
    let schedule = schedule(settings, contestants.len())?;
    if sprt.is_some() && schedule.kind.is_paired_by_results() {
        bail!("-sprt is not for -tournament {}", schedule.kind);
    }
    check_games_file(settings)?;
    named_files(settings, &contestants).check_no_overlap()?;
    let seed = settings.srand.unwrap_or(0);
    let opening_settings = settings.openings.clone().unwrap_or_default();
    let mut openings = openings(&opening_settings, settings.variant, seed)?;
    let mut notices: Vec<String> = openings.notice.take().into_iter().collect();
    if sprt.is_some() && !schedule.is_paired() {
        notices.push("-sprt counts single games here, not pairs".to_owned());
    }
    if let Some(count) = openings.book.count()
        && openings.first + schedule.openings() > count
    {
        notices.push(format!(
            "-openings: {} are needed from number {} on, but the file has {count}: it is repeated",
            schedule.openings(),
            openings.first + 1
        ));
    }
    let concurrency = concurrency(settings, &contestants, &mut notices)?;
    let mut shares = CoreShares::default();
    if let Some(list) = &settings.use_affinity {
        let cores = cores(list).map_err(Error::msg).context("-use-affinity")?;
        let each = threads_of_game(&contestants);
        if concurrency.saturating_mul(each) > cores.len() {
            notices.push(format!(
                "-use-affinity: {concurrency} games at a time with {each} threads thinking in each \
                 share {} cores",
                cores.len()
            ));
        }
        shares = CoreShares { cores, each };
    }
    let shard = shard(settings.shard.as_deref())?;
    if shard != Shard::WHOLE && schedule.kind.is_paired_by_results() {
        bail!("--shard: the parts of a {} depend on each other", schedule.kind);
    }
    // Only if saved: conditions need checksums of the engines' programs, tens of megabytes each.
    let is_saved = settings.pgnout.is_some() || settings.report.is_some();
    let saved = || conditions(settings, &contestants, &schedule, shard, &openings, sprt.as_ref());
    let conditions = is_saved.then(saved).unwrap_or_default();
    let adjudication = adjudication(settings)?;
    let tablebases = settings.tb.as_deref().map(tables).transpose()?;
    // The log is opened last, when all settings have been found good.
    let open = |log| open_log(log, settings.overwrite).context("-log");
    let (mut log, new_log) = settings.log.as_ref().map(open).transpose()?.unwrap_or_default();
    if settings.debug {
        log = log.and(MatchLog::on_stderr().context("-debug")?);
    }
    let tournament = Tournament {
        openings: openings.book,
        contestants,
        adjudication,
        tablebases,
        concurrency,
        wait: Duration::from_millis(settings.wait.unwrap_or(0)).min(LONGEST_TIME),
        supervision: Supervision {
            pv_check: settings.pvcheck,
            cores: shares,
            log,
            live: settings.live.then(LiveGames::default),
            ..Supervision::default()
        },
    };
    Ok(Plan {
        conditions,
        tournament,
        schedule,
        shard,
        first_opening: openings.first,
        sprt,
        settings: settings.clone(),
        new_log,
        notices,
    })
}

fn check_games_file(settings: &MatchSettings) -> Result<()> {
    match &settings.pgnout {
        None if settings.resume => {
            bail!("--resume continues the file of -pgnout: name it")
        }
        None if settings.live => {
            bail!("-live writes a file beside that of -pgnout: name it")
        }
        Some(pgn) if pgn.file.as_os_str().is_empty() => bail!("-pgnout: needs file="),
        _ => Ok(()),
    }
}

fn named_files(settings: &MatchSettings, contestants: &[Contestant]) -> NamedFiles {
    let mut files = NamedFiles::default();
    for (option, file) in [
        ("--config", settings.config.as_ref()),
        ("-openings", settings.openings.as_ref().and_then(|openings| openings.file.as_ref())),
        ("-tb", settings.tb.as_ref().map(PathBuf::from).as_ref()),
    ] {
        file.into_iter().for_each(|file| files.read(option, file));
    }
    if settings.engine.iter().any(|engine| engine.conf.is_some()) {
        files.read("conf=", EngineList::path());
    }
    for Contestant { name, setup, .. } in contestants {
        let program = &setup.program;
        let option = |what: &str| format!("{what} of {name}");
        files.read(option("cmd="), resolve_path(program, &program.command));
        for argument in &program.arguments {
            files.read(option("arg="), resolve_path(program, Path::new(argument)));
        }
        for (name, value) in &setup.options {
            if let Some(value) = value {
                files.read(
                    option(&format!("option.{name}=")),
                    resolve_path(program, Path::new(value)),
                );
            }
        }
    }
    for (option, file) in [
        ("-pgnout", settings.pgnout.as_ref().map(|pgn| &pgn.file)),
        ("-epdout", settings.epdout.as_ref()),
        ("-report", settings.report.as_ref()),
        ("-log", settings.log.as_ref().and_then(|log| log.file.as_ref())),
    ] {
        file.into_iter().for_each(|file| files.write(option, file));
    }
    files
}

fn schedule(settings: &MatchSettings, players: usize) -> Result<Schedule> {
    let kind = settings.tournament.unwrap_or(TournamentKind::RoundRobin);
    let by_results = kind.is_paired_by_results();
    if by_results && (settings.noswap || settings.reverse) {
        bail!("-noswap and -reverse are not for -tournament {kind}");
    }
    let schedule = Schedule {
        players,
        kind,
        rounds: rounds(settings, kind, players)?,
        games_per_meeting: settings.games.unwrap_or(2),
        seeds: seeds(settings, kind, players)?,
        swaps: !settings.noswap,
        reversed: settings.reverse,
        policy: settings.openings.as_ref().map(|openings| openings.policy).unwrap_or_default(),
    };
    if settings.noswap && settings.repeat {
        bail!("-noswap and -repeat do not go together: no opening is played twice with one colour");
    }
    check_game_count(&schedule)?;
    if schedule.is_empty() {
        bail!("-games and -rounds leave no game to play");
    }
    Ok(schedule)
}

fn rounds(settings: &MatchSettings, kind: TournamentKind, players: usize) -> Result<usize> {
    // More would make some meet twice.
    let most = if players.is_multiple_of(2) { players - 1 } else { players };
    match (kind, settings.rounds) {
        (TournamentKind::Knockout, Some(_)) => {
            bail!("-rounds is not for -tournament knockout, which ends when one is left")
        }
        (TournamentKind::Swiss, Some(rounds)) if rounds > most => {
            let most = counted(most as u64, "round");
            bail!("-rounds: {players} engines can meet once each in {most} at most")
        }
        (TournamentKind::Swiss, None) => Ok(players.next_power_of_two().ilog2() as usize),
        (_, rounds) => Ok(rounds.unwrap_or(1)),
    }
}

pub(super) fn check_game_count(schedule: &Schedule) -> Result<()> {
    if schedule.len() > MAX_GAMES {
        bail!("too many games: {MAX_GAMES} at most");
    }
    Ok(())
}

fn seeds(settings: &MatchSettings, kind: TournamentKind, players: usize) -> Result<usize> {
    match settings.seeds {
        None => Ok(1),
        Some(_) if kind != TournamentKind::Gauntlet => {
            bail!("-seeds is for -tournament gauntlet")
        }
        Some(seeds) if (1..players).contains(&seeds) => Ok(seeds),
        Some(seeds) => bail!("-seeds: 1 to {} of {players} engines, not {seeds}", players - 1),
    }
}

fn adjudication(settings: &MatchSettings) -> Result<AdjudicationRules> {
    if settings.maxmoves == Some(0) {
        bail!("-maxmoves begins at 1");
    }
    if settings.draw.is_some_and(|draw| draw.moves_in_a_row == 0 || draw.score < 0) {
        bail!("-draw: needs movecount= and score=");
    }
    if settings.resign.is_some_and(|resign| resign.moves_in_a_row == 0 || resign.score <= 0) {
        bail!("-resign: needs movecount= and score=");
    }
    let MatchSettings { draw, resign, maxmoves: max_moves, .. } = *settings;
    Ok(AdjudicationRules { draw, resign, max_moves })
}

fn tables(name: &str) -> Result<AllTables> {
    let tables = options::tables(name).context("-tb")?;
    tables.with_context(|| format!("-tb: `{name}` means no tables"))
}

pub(super) fn shard(text: Option<&str>) -> Result<Shard> {
    let Some(text) = text else { return Ok(Shard::WHOLE) };
    let numbers = text.split_once('/').and_then(|(index, count)| {
        Some((index.parse::<usize>().ok()?, count.parse::<usize>().ok()?))
    });
    match numbers {
        Some((index, count)) if (1..=count).contains(&index) => {
            Ok(Shard { index: index - 1, count })
        }
        _ => bail!("--shard is a part such as 1/4, not `{text}`"),
    }
}

/// Concurrent games: as requested, or as many as there are cores for.
fn concurrency(
    settings: &MatchSettings,
    contestants: &[Contestant],
    notices: &mut Vec<String>,
) -> Result<usize> {
    let threads = threads_of_game(contestants);
    let cores = machine::cores();
    let Some(games) = settings.concurrency else { return Ok((cores / threads).max(1)) };
    if !(1..=MAX_AT_A_TIME).contains(&games) {
        bail!("-concurrency: 1 to {MAX_AT_A_TIME} games at a time, not {games}");
    }
    if games.saturating_mul(threads) > cores {
        notices.push(format!(
            "{games} games at a time with {threads} threads thinking in each on {cores} cores: \
             the engines slow each other down"
        ));
    }
    Ok(games)
}

/// Opens the log. If it replaces an old one, it is a file beside that until the match begins.
fn open_log(settings: &LogSettings, overwrite: bool) -> Result<(MatchLog, Option<AtomicFile>)> {
    let Some(path) = &settings.file else { bail!("needs file=") };
    // The default level includes engines' messages.
    let level = match settings.level.as_deref().unwrap_or("debug") {
        "err" | "fatal" => Level::Error,
        other => other
            .parse()
            .map_err(|_| anyhow!("level is trace, debug, info, warn or err, not `{other}`"))?,
    };
    let (file, new) = if !settings.append.unwrap_or(true) && is_nonempty_file(path) {
        let begun = Overwrite { overwrite }.begin(path, "add to it without append=false, ")?;
        (begun.content.get_ref().try_clone(), Some(begun))
    } else {
        (open_exclusive(path, OpenOptions::new().create(true).append(true)), None)
    };
    let log = file.and_then(|file| MatchLog::new(file, level)).at_path(path)?;
    Ok((log, new))
}

/// The option of UCI, and that of the XBoard protocol.
const THREADS: [&str; 2] = ["threads", "cores"];

/// Threads in use at a time per game. Only one engine searches unless one ponders.
fn threads_of_game(contestants: &[Contestant]) -> usize {
    let threads = |contestant: &Contestant| {
        let options = &contestant.setup.options;
        let option = options
            .iter()
            .find(|(name, _)| THREADS.iter().any(|known| name.eq_ignore_ascii_case(known)));
        option.and_then(|(_, value)| value.as_ref()?.parse().ok()).unwrap_or(1_usize)
    };
    let ponders = contestants.iter().any(|contestant| contestant.setup.ponder);
    let thinking = if ponders { 2 } else { 1 };
    contestants.iter().map(threads).max().unwrap_or(1).max(1).saturating_mul(thinking)
}
