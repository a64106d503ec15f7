//! From what was written down to what will be played.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::settings::{EngineSettings, MatchSettings, OpeningSettings};
use crate::arena::{
    AdjudicationRules, Contestant, DrawRule, EngineSetup, LONGEST_TIME, OpeningBook, OpeningFormat,
    Patience, Program, RandomOpenings, ResignRule, Schedule, Shard, TimeControl, Tournament,
    TournamentKind, Weighers,
};
use crate::network::Network;
use crate::search;
use crate::statistics::{EloModel, Sprt};

/// A match that can be played.
pub(super) struct Plan {
    pub tournament: Tournament,
    pub schedule: Schedule,
    pub shard: Shard,
    /// Numbers of openings begin here.
    pub first_opening: usize,
    pub sprt: Option<Sprt>,
    pub pgn: Option<PathBuf>,
    pub report: Option<PathBuf>,
    pub resume: bool,
    pub rating_interval: usize,
    pub event: String,
    pub site: String,
    /// What the player should hear of.
    pub notices: Vec<String>,
}

const DEFAULT_RATING_INTERVAL: usize = 10;
/// Plies of random openings when nothing is said.
const DEFAULT_OPENING_PLIES: usize = 8;

/// More games than any match has, and few enough to keep their schedule.
const MOST_GAMES: usize = 10_000_000;
/// More than any machine plays at a time.
const MOST_AT_A_TIME: usize = 1024;

/// Looks whether the settings make sense and turns them into a plan.
pub(super) fn plan(settings: &MatchSettings) -> Result<Plan> {
    if settings.engine.len() < 2 {
        bail!("a match needs two engines: -engine cmd=A -engine cmd=B");
    }
    let contestants: Vec<Contestant> = settings
        .engine
        .iter()
        .enumerate()
        .map(|(index, engine)| contestant(engine, &settings.each, index))
        .collect::<Result<_>>()?;
    let mut names: Vec<&str> = contestants.iter().map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twins) = names.windows(2).find(|two| two[0] == two[1]) {
        bail!("two engines are called `{}`: tell them apart with name=", twins[0]);
    }
    let sprt = sprt(settings)?;
    if sprt.is_some() && contestants.len() != 2 {
        bail!("-sprt tests two engines, not {}", contestants.len());
    }
    let schedule = Schedule {
        players: contestants.len(),
        kind: tournament_kind(settings.tournament.as_deref())?,
        rounds: settings.rounds.unwrap_or(1),
        games_per_meeting: settings.games.unwrap_or(2),
    };
    let count = [schedule.rounds, schedule.games_per_meeting, schedule.meetings().len()]
        .into_iter()
        .try_fold(1, usize::checked_mul);
    if count.is_none_or(|count| count > MOST_GAMES) {
        bail!("games are too many: {MOST_GAMES} can be played");
    }
    if schedule.is_empty() {
        bail!("-games and -rounds leave no game to play");
    }
    if settings.resume && settings.pgnout.is_none() {
        bail!("--resume goes on where the file of -pgnout ends: name it");
    }
    if let Some(games) = settings.concurrency.filter(|&games| games > MOST_AT_A_TIME) {
        bail!("-concurrency: {MOST_AT_A_TIME} games at a time at most, not {games}");
    }
    let mut notices = Vec::new();
    let concurrency = concurrency(settings, &contestants, &mut notices);
    let opening_settings = settings.openings.clone().unwrap_or_default();
    Ok(Plan {
        tournament: Tournament {
            openings: openings(&opening_settings, settings.srand.unwrap_or(0))?,
            contestants,
            adjudication: adjudication(settings)?,
            concurrency,
        },
        schedule,
        shard: shard(settings.shard.as_deref())?,
        first_opening: opening_settings.start.unwrap_or(1).saturating_sub(1),
        sprt,
        pgn: settings.pgnout.clone(),
        report: settings.report.clone(),
        resume: settings.resume,
        rating_interval: settings.ratinginterval.unwrap_or(DEFAULT_RATING_INTERVAL),
        event: settings.event.clone().unwrap_or_else(|| "Engine match".to_owned()),
        site: settings.site.clone().unwrap_or_else(|| "?".to_owned()),
        notices,
    })
}

fn contestant(engine: &EngineSettings, each: &EngineSettings, index: usize) -> Result<Contestant> {
    let number = index + 1;
    let Some(command) = engine.cmd.clone().or_else(|| each.cmd.clone()) else {
        bail!("engine {number}: needs cmd=");
    };
    let file = command.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = engine.name.clone().or(file).unwrap_or_else(|| format!("engine {number}"));
    let mut options = each.option.clone();
    options.extend(engine.option.clone());
    let mut environment = each.env.clone();
    environment.extend(engine.env.clone());
    let arguments = if engine.arg.is_empty() { &each.arg } else { &engine.arg };
    let restart = match engine.restart.as_deref().or(each.restart.as_deref()) {
        None | Some("auto" | "off") => false,
        Some("on") => true,
        Some(other) => bail!("engine {name}: restart is on, off or auto, not `{other}`"),
    };
    let control = time_control(engine, each).with_context(|| format!("engine {name}"))?;
    Ok(Contestant {
        setup: EngineSetup {
            program: Program {
                command,
                arguments: arguments.clone(),
                directory: engine.dir.clone().or_else(|| each.dir.clone()),
                environment,
            },
            options: options
                .iter()
                .map(|(name, value)| (name.clone(), option_text(value)))
                .collect(),
            restart,
            ponder: engine.ponder.or(each.ponder).unwrap_or(false),
            patience: Patience::default(),
        },
        name,
        control,
    })
}

/// An option's value as text; an empty one presses a button.
fn option_text(value: &toml::Value) -> Option<String> {
    let text = match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    (!text.is_empty()).then_some(text)
}

fn time_control(engine: &EngineSettings, each: &EngineSettings) -> Result<TimeControl> {
    // An engine's own limits replace those for each as a whole.
    let own = engine.tc.is_some()
        || engine.st.is_some()
        || engine.nodes.is_some()
        || engine.depth.is_some();
    let from = if own { engine } else { each };
    let clock = match from.tc.as_deref() {
        None | Some("inf") => None,
        Some(text) => Some(text.parse()?),
    };
    let move_time = from
        .st
        .map(Duration::try_from_secs_f64)
        .transpose()
        .context("st: seconds for each move")?;
    if move_time.is_some_and(|time| time > LONGEST_TIME) {
        bail!("st: more than {} seconds", LONGEST_TIME.as_secs());
    }
    let margin = engine.timemargin.or(each.timemargin).unwrap_or(0);
    let margin = Duration::from_millis(margin).min(LONGEST_TIME);
    let control = TimeControl { clock, move_time, nodes: from.nodes, depth: from.depth, margin };
    if !control.is_bounded() {
        bail!("needs a limit: tc=, st=, nodes= or depth=, here or in -each");
    }
    Ok(control)
}

fn tournament_kind(text: Option<&str>) -> Result<TournamentKind> {
    Ok(match text {
        None | Some("round-robin" | "roundrobin") => TournamentKind::RoundRobin,
        Some("gauntlet") => TournamentKind::Gauntlet,
        Some(other) => bail!("-tournament is round-robin or gauntlet, not `{other}`"),
    })
}

fn sprt(settings: &MatchSettings) -> Result<Option<Sprt>> {
    let Some(sprt) = &settings.sprt else { return Ok(None) };
    let model = match sprt.model.as_deref() {
        None | Some("logistic") => EloModel::Logistic,
        Some("normalized") => EloModel::Normalized,
        Some(other) => bail!("-sprt: model is logistic or normalized, not `{other}`"),
    };
    let sprt = Sprt::new(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, model).context("-sprt")?;
    Ok(Some(sprt))
}

fn adjudication(settings: &MatchSettings) -> Result<AdjudicationRules> {
    if settings.draw.as_ref().is_some_and(|draw| draw.movecount == 0 || draw.score < 0) {
        bail!("-draw: needs movecount= and score=");
    }
    if settings.resign.as_ref().is_some_and(|resign| resign.movecount == 0 || resign.score <= 0) {
        bail!("-resign: needs movecount= and score=");
    }
    Ok(AdjudicationRules {
        draw: settings.draw.as_ref().map(|draw| DrawRule {
            after_moves: draw.movenumber,
            moves_in_a_row: draw.movecount,
            score: draw.score,
        }),
        resign: settings.resign.as_ref().map(|resign| ResignRule {
            moves_in_a_row: resign.movecount,
            score: resign.score,
            two_sided: resign.twosided,
        }),
        max_moves: settings.maxmoves,
    })
}

fn openings(settings: &OpeningSettings, seed: u64) -> Result<OpeningBook> {
    let format = match (settings.format.as_deref(), &settings.file) {
        (Some("random"), _) | (None, None) => {
            let plies = settings.plies.unwrap_or(DEFAULT_OPENING_PLIES);
            let balance = settings.balance.unwrap_or(RandomOpenings::BALANCE);
            let nodes = RandomOpenings::NODES;
            return Ok(OpeningBook::Random(RandomOpenings {
                plies,
                balance,
                nodes,
                network: Network::embedded().cloned(),
                seed,
                weighers: Weighers::default(),
            }));
        }
        (Some("epd" | "fen"), _) => OpeningFormat::Epd,
        (Some("pgn"), _) => OpeningFormat::Pgn,
        (Some(other), _) => bail!("-openings: format is epd, pgn or random, not `{other}`"),
        (None, Some(file)) if file.extension().is_some_and(|ending| ending == "pgn") => {
            OpeningFormat::Pgn
        }
        (None, Some(_)) => OpeningFormat::Epd,
    };
    let Some(file) = &settings.file else { bail!("-openings: needs file=") };
    let mut book = OpeningBook::read(file, format, settings.plies).context("-openings")?;
    match settings.order.as_deref() {
        None | Some("sequential") => {}
        Some("random") => book.shuffle(seed),
        Some(other) => bail!("-openings: order is sequential or random, not `{other}`"),
    }
    Ok(book)
}

fn shard(text: Option<&str>) -> Result<Shard> {
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

/// Games at a time: as asked, or as many as the machine has cores for. Only
/// one engine of a game thinks at a time, unless one ponders.
fn concurrency(
    settings: &MatchSettings,
    contestants: &[Contestant],
    notices: &mut Vec<String>,
) -> usize {
    let threads = |contestant: &Contestant| {
        let options = &contestant.setup.options;
        let option = options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.as_ref()?.parse().ok()).unwrap_or(1_usize)
    };
    let ponders = contestants.iter().any(|contestant| contestant.setup.ponder);
    let thinking = if ponders { 2 } else { 1 };
    let threads = contestants.iter().map(threads).max().unwrap_or(1).max(1) * thinking;
    let cores = search::cores();
    match settings.concurrency {
        Some(games) => {
            if games.saturating_mul(threads) > cores {
                notices.push(format!(
                    "{games} games at a time with {threads} threads thinking in each on {cores} cores: \
                     the engines get in each other's way"
                ));
            }
            games.max(1)
        }
        None => (cores / threads).max(1),
    }
}
