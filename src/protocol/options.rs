//! The engine's options: one table with name, kind, bounds and setter, from
//! which each protocol makes its own announcement.

use std::time::Duration;

use once_cell::sync::Lazy;
use thiserror::Error;

use super::Engine;
use super::strength::{ELO_RANGE, FULL_SKILL};
use crate::chesquerque::MAX_MOVES;
use crate::load_network::EMBEDDED;
use crate::machine::MEGABYTES_OF_MEMORY;
use crate::search::MAX_THREADS;
use crate::text::{Excerpt, read_number};

/// An option that a user can set.
pub struct EngineOption {
    /// The name, found whatever its case.
    pub name: &'static str,
    /// What values it takes, and what setting it does.
    pub kind: OptionKind,
    /// The only protocol that announces it, if not all do.
    pub only: Option<Protocol>,
}

/// A language in which programs set options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Chess Engine Communication Protocol, which has commands of its own
    /// for some things.
    Cecp,
}

impl EngineOption {
    /// Whether it is announced in this protocol.
    pub fn is_for(&self, protocol: Protocol) -> bool {
        self.only.is_none_or(|only| only == protocol)
    }
}

/// What values an option takes, and what setting it does.
pub enum OptionKind {
    /// A whole number.
    Spin {
        /// The value it starts with.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Puts a value within the bounds into force.
        set: NumberSetter,
    },
    /// On or off.
    Check {
        /// The value it starts with.
        default: bool,
        /// Puts a value into force.
        set: fn(&mut Engine, bool),
    },
    /// One of several words.
    Combo {
        /// The value it starts with.
        default: &'static str,
        /// All values.
        choices: &'static [&'static str],
    },
    /// Any text.
    Text {
        /// The value it starts with.
        default: &'static str,
        /// Puts a value into force.
        set: fn(&mut Engine, &str) -> Result<(), OptionError>,
    },
    /// Something to be done once.
    Button {
        /// Does it.
        press: fn(&mut Engine) -> Result<(), OptionError>,
    },
}

/// Puts a number into force.
pub type NumberSetter = Box<dyn Fn(&mut Engine, i64) -> Result<(), OptionError> + Send + Sync>;

/// Why an option was not set, or not as asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option `{0}`")]
    Unknown(Excerpt),
    /// The value is not of the option's kind.
    #[error("option {option}: `{value}` is not {wanted}")]
    Value {
        /// The option's name.
        option: &'static str,
        /// What was given.
        value: Excerpt,
        /// What it takes.
        wanted: String,
    },
    /// The option needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The machine could not do it.
    #[error("{0}")]
    Refused(String),
}

/// What setting an option has led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionOutcome {
    /// It is as asked.
    Set {
        /// The option's name as the table has it.
        name: &'static str,
    },
    /// The number was out of bounds; the nearest one is in force.
    Clamped {
        /// The option's name.
        name: &'static str,
        /// The value in force.
        value: i64,
    },
}

/// On and off, in UCI and in the other protocol.
const TRUE: [&str; 2] = ["true", "1"];
const FALSE: [&str; 2] = ["false", "0"];

/// Names of the games that can be played, the first by default.
pub const VARIANTS: &[&str] = &["chesquerque"];

/// Table size at the start, in megabytes.
pub const DEFAULT_HASH_MEGABYTES: usize = 16;
/// What a thread and its memory take, and the one before it until it stands.
const MEGABYTES_OF_A_THREAD: usize = 12;
/// Time lost on the way to the other side, in milliseconds.
pub const DEFAULT_MOVE_OVERHEAD: u32 = 20;
const MAX_MOVE_OVERHEAD: i64 = 5000;

/// All options, in the order they are announced.
pub static OPTIONS: Lazy<Vec<EngineOption>> = Lazy::new(|| {
    use OptionKind::*;
    let option = |name, kind| EngineOption { name, kind, only: None };
    let uci_option = |name, kind| EngineOption { name, kind, only: Some(Protocol::Uci) };
    let cecp_option = |name, kind| EngineOption { name, kind, only: Some(Protocol::Cecp) };
    let mut options = vec![
        uci_option(
            "Hash",
            Spin {
                default: DEFAULT_HASH_MEGABYTES as i64,
                min: 1,
                max: *MEGABYTES_OF_MEMORY as i64,
                set: Box::new(|engine, value| engine.set_hash(value as usize)),
            },
        ),
        option("Clear Hash", Button { press: Engine::clear }),
        uci_option(
            "Threads",
            Spin {
                default: 1,
                min: 1,
                max: (*MEGABYTES_OF_MEMORY / MEGABYTES_OF_A_THREAD).clamp(1, MAX_THREADS) as i64,
                set: Box::new(|engine, value| engine.set_threads(value as usize)),
            },
        ),
        option(
            "MultiPV",
            Spin {
                default: 1,
                min: 1,
                max: MAX_MOVES as i64,
                set: Box::new(|engine, value| {
                    engine.settings.multi_pv = value as usize;
                    Ok(())
                }),
            },
        ),
        // Pondering is up to the GUI; the engine only has to know that it may.
        uci_option(
            "Ponder",
            Check { default: false, set: |engine, on| engine.settings.ponder = on },
        ),
        option(
            "Move Overhead",
            Spin {
                default: i64::from(DEFAULT_MOVE_OVERHEAD),
                min: 0,
                max: MAX_MOVE_OVERHEAD,
                set: Box::new(|engine, value| {
                    engine.settings.move_overhead = Duration::from_millis(value as u64);
                    Ok(())
                }),
            },
        ),
        option(
            "Skill Level",
            Spin {
                default: i64::from(FULL_SKILL),
                min: 0,
                max: i64::from(FULL_SKILL),
                set: Box::new(|engine, value| {
                    engine.settings.skill_level = value as u32;
                    Ok(())
                }),
            },
        ),
        option(
            "UCI_LimitStrength",
            Check { default: false, set: |engine, on| engine.settings.limit_strength = on },
        ),
        option(
            "UCI_Elo",
            Spin {
                default: i64::from(ELO_RANGE.1),
                min: i64::from(ELO_RANGE.0),
                max: i64::from(ELO_RANGE.1),
                set: Box::new(|engine, value| {
                    engine.settings.elo = value as u32;
                    Ok(())
                }),
            },
        ),
        option("EvalFile", Text { default: EMBEDDED, set: Engine::set_network }),
        uci_option("UCI_Variant", Combo { default: VARIANTS[0], choices: VARIANTS }),
        uci_option(
            "UCI_AnalyseMode",
            Check { default: false, set: |engine, on| engine.settings.analyse_mode = on },
        ),
        uci_option(
            "UCI_ShowWDL",
            Check { default: false, set: |engine, on| engine.settings.show_chances = on },
        ),
        cecp_option(
            "Resign",
            Check { default: false, set: |engine, on| engine.settings.resign = on },
        ),
    ];
    options.extend(param_options());
    options
});

/// The parameters of the search, in a build for tuning them.
#[cfg(feature = "tuning")]
fn param_options() -> impl Iterator<Item = EngineOption> {
    crate::search::SEARCH_PARAMS.iter().map(|param| EngineOption {
        name: param.name,
        kind: OptionKind::Spin {
            default: i64::from(param.default),
            min: i64::from(param.min),
            max: i64::from(param.max),
            set: Box::new(|engine, value| {
                *(param.place)(engine.searcher().params_mut()) = value as i32;
                Ok(())
            }),
        },
        only: None,
    })
}

#[cfg(not(feature = "tuning"))]
fn param_options() -> [EngineOption; 0] {
    []
}

/// Sets the option of this name, whatever its case, from its text.
pub(super) fn set(
    engine: &mut Engine,
    name: &str,
    value: Option<&str>,
) -> Result<OptionOutcome, OptionError> {
    let outcome = set_silently(engine, name, value);
    match &outcome {
        Ok(OptionOutcome::Set { name }) => {
            log::info!("option {name}: {}", value.unwrap_or("pressed").escape_debug());
        }
        Ok(OptionOutcome::Clamped { name, value }) => {
            log::warn!("option {name}: out of bounds, set to {value}");
        }
        Err(error) => log::warn!("option not set: {error}"),
    }
    outcome
}

fn set_silently(
    engine: &mut Engine,
    name: &str,
    value: Option<&str>,
) -> Result<OptionOutcome, OptionError> {
    let option = OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(Excerpt::of(name)))?;
    let name = option.name;
    let text = || value.filter(|text| !text.is_empty()).ok_or(OptionError::NoValue(name));
    let wrong = |value: &str, wanted: String| OptionError::Value {
        option: name,
        value: Excerpt::of(value),
        wanted,
    };
    match &option.kind {
        OptionKind::Spin { min, max, set, .. } => {
            let text = text()?;
            let number = read_number(text)
                .ok_or_else(|| wrong(text, format!("a number from {min} to {max}")))?;
            let value = number.clamp(*min, *max);
            set(engine, value)?;
            if value != number {
                return Ok(OptionOutcome::Clamped { name, value });
            }
        }
        OptionKind::Check { set, .. } => {
            let text = text()?;
            let is_one_of =
                |words: [&str; 2]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
            match (is_one_of(TRUE), is_one_of(FALSE)) {
                (true, _) => set(engine, true),
                (_, true) => set(engine, false),
                _ => return Err(wrong(text, "true or false".to_owned())),
            }
        }
        OptionKind::Combo { choices, .. } => {
            let text = text()?;
            if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(text)) {
                return Err(wrong(text, format!("one of {}", choices.join(", "))));
            }
        }
        OptionKind::Text { set, .. } => match value.unwrap_or_default() {
            "<empty>" => set(engine, "")?,
            text => set(engine, text)?,
        },
        OptionKind::Button { press } => press(engine)?,
    }
    Ok(OptionOutcome::Set { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_clamped_or_refused() {
        let mut engine = Engine::new().expect("the default engine starts");
        for (name, value, expected) in [
            ("hash", Some("0"), "clamped to 1"),
            ("HASH", Some("2"), "set"),
            ("Hash", Some("many"), "refused"),
            ("Hash", None, "refused"),
            ("clear hash", None, "set"),
            ("MultiPV", Some("999999999999999999999"), "clamped to 974"),
            ("uci_variant", Some("Chesquerque"), "set"),
            ("uci_variant", Some("chess"), "refused"),
            ("Ponder", Some("TRUE"), "set"),
            ("Ponder", Some("yes"), "refused"),
            ("No Such", Some("1"), "refused"),
        ] {
            let outcome = match engine.set_option(name, value) {
                Ok(OptionOutcome::Set { .. }) => "set".to_owned(),
                Ok(OptionOutcome::Clamped { value, .. }) => format!("clamped to {value}"),
                Err(_) => "refused".to_owned(),
            };
            assert_eq!(outcome, expected, "{name} {value:?}");
        }
    }
}
