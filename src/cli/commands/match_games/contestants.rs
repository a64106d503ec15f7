//! Creates a match's players and openings from its settings.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use once_cell::unsync::OnceCell;

use super::settings::{EngineList, EngineSettings, MatchSettings, OpeningSettings};
use crate::shared::run_conditions::network_checksum;
use qirkat_arena::{
    ClockRule, Contestant, EngineSetup, OpeningBook, OpeningCache, OpeningFormat, Program,
    Protocol, RandomOpenings, TimeControl,
};
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::variant::Variant;
use qirkat_system::compression::compression_extension;
use qirkat_system::time_text::LONGEST_TIME;

pub(super) fn contestants(settings: &MatchSettings) -> Result<Vec<Contestant>> {
    if settings.engine.len() < 2 {
        bail!("a match needs two engines: -engine cmd=A -engine cmd=B");
    }
    for (given, what) in [(&settings.each.name, "name"), (&settings.each.conf, "conf")] {
        if given.is_some() {
            bail!("-each: {what}: every engine needs one of its own");
        }
    }
    let list = OnceCell::new();
    let contestants: Vec<Contestant> = (1..)
        .zip(&settings.engine)
        .map(|(number, engine)| {
            let listed = match &engine.conf {
                Some(name) => list
                    .get_or_try_init(EngineList::read)
                    .and_then(|list| list.find(name))
                    .with_context(|| format!("engine {number}: conf"))?,
                None => &EngineSettings::default(),
            };
            let whole = engine.over(listed).over(&settings.each);
            contestant(&whole, settings.variant, number)
        })
        .collect::<Result<_>>()?;
    let mut names: Vec<&str> = contestants.iter().map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twins) = names.windows(2).find(|two| two[0] == two[1]) {
        bail!("two engines are called `{}`: give them different names with name=", twins[0]);
    }
    Ok(contestants)
}

fn contestant(engine: &EngineSettings, variant: Variant, number: usize) -> Result<Contestant> {
    let Some(command) = engine.cmd.clone() else {
        bail!("engine {number}: needs cmd= or conf=");
    };
    let file = command.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = engine.name.clone().or(file).unwrap_or_else(|| format!("engine {number}"));
    // Such a name could not be matched again in the PGN file.
    if name.contains(char::is_control) {
        bail!("engine {number}: name= has a control character");
    }
    let restart = match engine.restart.as_deref() {
        None | Some("auto" | "off") => false,
        Some("on") => true,
        Some(other) => bail!("engine {name}: restart is on, off or auto, not `{other}`"),
    };
    let who = || format!("engine {name}");
    let protocol = engine.proto.unwrap_or_default();
    if protocol == Protocol::Xboard && engine.nodes.is_some() {
        bail!("engine {name}: the XBoard protocol has no nodes=");
    }
    let text = engine.args.as_deref().unwrap_or_default();
    let words = shlex::split(text)
        .with_context(|| format!("engine {name}: args: `{text}` ends in a quotation"))?;
    Ok(Contestant {
        control: time_control(engine).with_context(who)?,
        setup: EngineSetup {
            program: Program {
                command,
                arguments: engine.arg.iter().cloned().chain(words).collect(),
                directory: engine.dir.clone(),
                environment: engine.env.clone(),
            },
            protocol,
            options: options(engine, variant, protocol).with_context(who)?,
            restart,
            ponder: engine.ponder.unwrap_or(false),
        },
        name,
    })
}

pub(super) const VARIANT_OPTION: &str = "UCI_Variant";

/// An engine's options by case-insensitive name, plus the variant unless it is the default or the
/// protocol has a command for it.
fn options(
    engine: &EngineSettings,
    variant: Variant,
    protocol: Protocol,
) -> Result<Vec<(String, Option<String>)>> {
    let mut options = BTreeMap::new();
    for (name, value) in &engine.option {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        // An empty text presses a button.
        let text = Some(text).filter(|text| !text.is_empty());
        if options.insert(name.to_lowercase(), (name.clone(), text)).is_some() {
            bail!("option.{name}: given twice");
        }
    }
    // The variant first, since a network belongs to a variant.
    let game = options.remove(&VARIANT_OPTION.to_lowercase()).or_else(|| {
        let game = || (VARIANT_OPTION.to_owned(), Some(variant.name().to_owned()));
        (variant != Variant::default() && protocol == Protocol::Uci).then(game)
    });
    Ok(game.into_iter().chain(options.into_values()).collect())
}

fn time_control(engine: &EngineSettings) -> Result<TimeControl> {
    let margin = engine.timemargin.unwrap_or(0);
    let control = TimeControl {
        clock: clock(engine)?,
        move_time: move_time(engine)?,
        nodes: engine.nodes,
        depth: engine.depth,
        margin: Duration::from_millis(margin).min(LONGEST_TIME),
    };
    if control.nodes == Some(0) || control.depth == Some(0) {
        bail!("nodes= and depth= begin at 1");
    }
    if control.clock.is_some() && control.move_time.is_some() {
        bail!("tc= and st= do not go together");
    }
    if !control.is_bounded() {
        bail!("needs a limit: tc=, st=, nodes= or depth=, here or in -each");
    }
    Ok(control)
}

fn clock(engine: &EngineSettings) -> Result<Option<ClockRule>> {
    let text = match engine.tc.as_deref() {
        None | Some("inf") => return Ok(None),
        Some(text) => text,
    };
    let rule: ClockRule = text.parse()?;
    if rule.base.is_zero() {
        bail!("tc: `{text}` leaves no time for the first move");
    }
    Ok(Some(rule))
}

fn move_time(engine: &EngineSettings) -> Result<Option<Duration>> {
    let Some(seconds) = engine.st else { return Ok(None) };
    if seconds.is_nan() || seconds < 0.0 {
        bail!("st: needs seconds for each move, not {seconds}");
    }
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    if time.is_zero() {
        bail!("st: leaves no time for a move");
    }
    if time > LONGEST_TIME {
        bail!("st: more than {} seconds", LONGEST_TIME.as_secs());
    }
    Ok(Some(time))
}

const DEFAULT_PLIES: usize = 8;
const MAX_PLIES: usize = 200;

pub(super) struct Openings {
    pub book: OpeningBook,
    pub first: usize,
    /// What determines the openings, by name.
    pub conditions: Vec<(&'static str, String)>,
    pub notice: Option<String>,
}

pub(super) fn openings(
    settings: &OpeningSettings,
    variant: Variant,
    seed: u64,
) -> Result<Openings> {
    let first = match settings.start {
        Some(0) => bail!("-openings: start= begins at 1"),
        start => start.unwrap_or(1) - 1,
    };
    let mut openings = match format(settings)? {
        None => random(settings, variant, first, seed)?,
        Some(format) => from_file(settings, variant, format, first, seed)?,
    };
    openings.conditions.push(("start", (first + 1).to_string()));
    Ok(openings)
}

/// The file format; `None` for random openings.
fn format(settings: &OpeningSettings) -> Result<Option<OpeningFormat>> {
    Ok(match (settings.format.as_deref(), &settings.file) {
        (Some("random") | None, None) => None,
        (Some("random"), Some(_)) => bail!("-openings: format=random reads no file="),
        (Some("epd" | "fen"), _) => Some(OpeningFormat::Epd),
        (Some("pgn"), _) => Some(OpeningFormat::Pgn),
        (Some(other), _) => bail!("-openings: format is epd, pgn or random, not `{other}`"),
        (None, Some(file)) => {
            let unpacked = compression_extension(file).map(|_| file.with_extension(""));
            let ending = unpacked.as_deref().unwrap_or(file).extension();
            let is_pgn = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
            Some(if is_pgn { OpeningFormat::Pgn } else { OpeningFormat::Epd })
        }
    })
}

fn random(
    settings: &OpeningSettings,
    variant: Variant,
    first: usize,
    seed: u64,
) -> Result<Openings> {
    if settings.order.is_some() {
        bail!("-openings: order= is for a file; random openings come from -srand");
    }
    let plies = settings.plies.unwrap_or(DEFAULT_PLIES);
    if plies > MAX_PLIES {
        bail!("-openings: {MAX_PLIES} random plies at most, not {plies}");
    }
    let balance = settings.balance.unwrap_or(RandomOpenings::BALANCE);
    if balance < 0 {
        bail!("-openings: balance= is a distance from 0, not {balance}");
    }
    let evaluation = AnyEvaluation::embedded(variant);
    let network = network_checksum(&evaluation);
    let nodes = RandomOpenings::NODES;
    let conditions = vec![
        ("format", "random".to_owned()),
        ("plies", plies.to_string()),
        ("balance", balance.to_string()),
        ("network", network),
    ];
    let cache = OpeningCache::default();
    let book =
        OpeningBook::Random(RandomOpenings { plies, balance, nodes, evaluation, seed, cache });
    Ok(Openings { book, first, conditions, notice: None })
}

fn from_file(
    settings: &OpeningSettings,
    variant: Variant,
    format: OpeningFormat,
    first: usize,
    seed: u64,
) -> Result<Openings> {
    let Some(file) = &settings.file else { bail!("-openings: needs file=") };
    if settings.balance.is_some() {
        bail!("-openings: balance= is for format=random, not for a file");
    }
    let (mut book, over) =
        OpeningBook::read(file, format, settings.plies, variant).context("-openings")?;
    let name = file.display();
    if let Some(count) = book.count().filter(|&count| first >= count) {
        bail!("-openings: start={}, but {name} ends at {count}", first + 1);
    }
    let notice = over.first().map(|number| {
        let (count, unit) = (over.len(), format.unit());
        format!(
            "-openings: {count} left out because the game is over: first {name}, {unit} {number}"
        )
    });
    // The checksum of the openings, since the file may be a pipe.
    let checksum = checksum(&book);
    let order = settings.order.as_deref().unwrap_or("sequential");
    match order {
        "sequential" => {}
        "random" => book.shuffle(seed),
        other => bail!("-openings: order is sequential or random, not `{other}`"),
    }
    let conditions = vec![("order", order.to_owned()), ("checksum", checksum)];
    Ok(Openings { book, first, conditions, notice })
}

fn checksum(book: &OpeningBook) -> String {
    let OpeningBook::List(openings) = book else { return String::new() };
    let mut hasher = crc32fast::Hasher::new();
    for opening in openings {
        hasher.update(opening.start().fen().as_bytes());
        for mv in opening.moves() {
            hasher.update(mv.to_string().as_bytes());
        }
    }
    format!("{:08x} of {} openings", hasher.finalize(), openings.len())
}
