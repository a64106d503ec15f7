//! How engines and machine are watched, by the settings.

use anyhow::{Context, Result, bail};
use log::Level;

use super::match_plan::Plan;
use super::thinking_threads::threads_of_game;
use crate::match_games::settings::{LogSettings, MatchSettings};
use qirkat_arena::{CoreShares, LineCheck, LiveGames, MatchLog, Supervision, cores};

/// Sets the plan's supervision. Opens the log, so this comes last.
pub(in crate::match_games) fn supervise(settings: &MatchSettings, plan: &mut Plan) -> Result<()> {
    let line_check = line_check(settings.pvcheck.as_deref())?;
    let cores = core_shares(settings, plan)?;
    let log = settings.log.as_ref().map(log).transpose().context("-log")?.unwrap_or_default();
    let live = settings.live.then(LiveGames::default);
    plan.tournament.supervision =
        Supervision { line_check, cores, log, live, ..Supervision::default() };
    Ok(())
}

fn line_check(text: Option<&str>) -> Result<LineCheck> {
    Ok(match text {
        Some("off") => LineCheck::Off,
        None | Some("warn") => LineCheck::Warn,
        Some("lose") => LineCheck::Lose,
        Some(other) => bail!("-pvcheck is off, warn or lose, not `{other}`"),
    })
}

fn core_shares(settings: &MatchSettings, plan: &mut Plan) -> Result<CoreShares> {
    let Some(list) = &settings.use_affinity else { return Ok(CoreShares::default()) };
    let cores = cores(list).context("-use-affinity")?;
    let each = threads_of_game(&plan.tournament.contestants);
    let games = plan.tournament.concurrency;
    if games.saturating_mul(each) > cores.len() {
        plan.notices.push(format!(
            "-use-affinity: {games} games at a time with {each} threads thinking in each share {} cores",
            cores.len()
        ));
    }
    Ok(CoreShares { cores, each })
}

fn log(settings: &LogSettings) -> Result<MatchLog> {
    let Some(path) = &settings.file else { bail!("needs file=") };
    // A user who writes no level wants to see what the engines say.
    let level = match settings.level.as_deref() {
        Some("trace") => Level::Trace,
        None | Some("debug") => Level::Debug,
        Some("info") => Level::Info,
        Some("warn") => Level::Warn,
        Some("err" | "error" | "fatal") => Level::Error,
        Some(other) => bail!("level is trace, debug, info, warn or err, not `{other}`"),
    };
    let log = MatchLog::create(path, level, settings.append.unwrap_or(true));
    log.with_context(|| path.display().to_string())
}
