//! The contestants, made from the settings.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::arena::{ClockRule, Contestant, EngineSetup, Patience, Program, TimeControl};
use crate::cli::match_games::settings::{EngineSettings, MatchSettings};
use crate::time_text::LONGEST_TIME;
use crate::variant::Variant;

/// All contestants, each with a name of its own.
pub(in crate::cli::match_games) fn contestants(
    settings: &MatchSettings,
) -> Result<Vec<Contestant>> {
    if settings.engine.len() < 2 {
        bail!("a match needs two engines: -engine cmd=A -engine cmd=B");
    }
    if settings.each.name.is_some() {
        bail!("-each: name: every engine needs one of its own");
    }
    let contestants: Vec<Contestant> = (1..)
        .zip(&settings.engine)
        .map(|(number, engine)| contestant(engine, settings, number))
        .collect::<Result<_>>()?;
    let mut names: Vec<&str> = contestants.iter().map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twins) = names.windows(2).find(|two| two[0] == two[1]) {
        bail!("two engines are called `{}`: tell them apart with name=", twins[0]);
    }
    Ok(contestants)
}

fn contestant(
    engine: &EngineSettings,
    settings: &MatchSettings,
    number: usize,
) -> Result<Contestant> {
    let each = &settings.each;
    let Some(command) = engine.cmd.clone().or_else(|| each.cmd.clone()) else {
        bail!("engine {number}: needs cmd=");
    };
    let file = command.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = engine.name.clone().or(file).unwrap_or_else(|| format!("engine {number}"));
    // It could not be found again in the file of the games.
    if name.contains(char::is_control) {
        bail!("engine {number}: name= holds a control character");
    }
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
            options: options(engine, each, settings.variant)
                .with_context(|| format!("engine {name}"))?,
            restart,
            ponder: engine.ponder.or(each.ponder).unwrap_or(false),
            patience: Patience::default(),
        },
        name,
        control,
    })
}

/// The option that says which game is played.
pub(in crate::cli::match_games) const VARIANT_OPTION: &str = "UCI_Variant";

/// An engine's options over those for each, by names that case does not tell
/// apart, and the game if it is not the one that needs no word.
fn options(
    engine: &EngineSettings,
    each: &EngineSettings,
    variant: Variant,
) -> Result<Vec<(String, Option<String>)>> {
    let mut options = BTreeMap::new();
    if variant != Variant::default() {
        let game = Some(variant.name().to_owned());
        options.insert(VARIANT_OPTION.to_lowercase(), (VARIANT_OPTION.to_owned(), game));
    }
    for settings in [each, engine] {
        let mut own = BTreeMap::new();
        for (name, value) in &settings.option {
            if own.insert(name.to_lowercase(), (name.clone(), option_text(value))).is_some() {
                bail!("option.{name}: given twice");
            }
        }
        options.append(&mut own);
    }
    // The game first, since a network belongs to a game.
    let game = options.remove_entry(&VARIANT_OPTION.to_lowercase()).map(|(_, option)| option);
    Ok(game.into_iter().chain(options.into_values()).collect())
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
    let margin = engine.timemargin.or(each.timemargin).unwrap_or(0);
    let control = TimeControl {
        clock: clock(from)?,
        move_time: move_time(from)?,
        nodes: from.nodes,
        depth: from.depth,
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

fn clock(from: &EngineSettings) -> Result<Option<ClockRule>> {
    let text = match from.tc.as_deref() {
        None | Some("inf") => return Ok(None),
        Some(text) => text,
    };
    let rule: ClockRule = text.parse()?;
    if rule.base.is_zero() {
        bail!("tc: `{text}` leaves no time for the first move");
    }
    Ok(Some(rule))
}

fn move_time(from: &EngineSettings) -> Result<Option<Duration>> {
    let Some(seconds) = from.st else { return Ok(None) };
    let time = Duration::try_from_secs_f64(seconds).context("st: seconds for each move")?;
    if time.is_zero() {
        bail!("st: leaves no time for a move");
    }
    if time > LONGEST_TIME {
        bail!("st: more than {} seconds", LONGEST_TIME.as_secs());
    }
    Ok(Some(time))
}
