//! The engine's options: one table with name, kind, bounds and setter, from
//! which each protocol makes its own announcement.

use std::time::Duration;

use once_cell::sync::Lazy;

use super::option_error::OptionError;
use qirkat_engine::{ELO_RANGE, Engine, FULL_SKILL, Settings};
use qirkat_evaluation::AnyEvaluation;
use qirkat_evaluation::load_network::{EMBEDDED, load_evaluation};
use qirkat_rules::chesquerque::MAX_MOVES;
use qirkat_rules::variant::Variant;
use qirkat_search::{DEFAULT_HASH_MEGABYTES, MAX_THREADS};
use qirkat_system::machine::megabytes_of_memory;
use qirkat_tablebase::load_tables::load_tables;

/// An option that a user can set.
pub(super) struct EngineOption {
    /// The name, found whatever its case.
    pub name: &'static str,
    /// What values it takes, and what setting it does.
    pub kind: OptionKind,
    /// The only protocol that announces it, if not all do.
    only: Option<Protocol>,
}

/// A protocol in which programs set options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Protocol {
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

    fn new(name: &'static str, kind: OptionKind) -> EngineOption {
        EngineOption { name, kind, only: None }
    }

    fn uci(name: &'static str, kind: OptionKind) -> EngineOption {
        EngineOption { name, kind, only: Some(Protocol::Uci) }
    }

    fn cecp(name: &'static str, kind: OptionKind) -> EngineOption {
        EngineOption { name, kind, only: Some(Protocol::Cecp) }
    }
}

/// What values an option takes, and what setting it does.
pub(super) enum OptionKind {
    /// A whole number.
    Spin {
        /// The value it starts with.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
        /// Applies a value within the bounds.
        set: NumberSetter,
    },
    /// On or off.
    Check {
        /// The value it starts with.
        default: bool,
        /// Applies a value.
        set: fn(&mut Settings, bool),
    },
    /// One of several words.
    Combo {
        /// The value it starts with.
        default: &'static str,
        /// All values.
        choices: Vec<&'static str>,
        /// Applies one of them.
        set: fn(&mut Engine, &str) -> Result<(), OptionError>,
    },
    /// Any text.
    Text {
        /// The value it starts with.
        default: &'static str,
        /// Applies a value.
        set: fn(&mut Engine, &str) -> Result<(), OptionError>,
    },
    /// A button: an action without a value.
    Button {
        /// Performs the action.
        press: fn(&mut Engine) -> Result<(), OptionError>,
    },
}

/// Applies a number.
pub(super) type NumberSetter =
    Box<dyn Fn(&mut Engine, i64) -> Result<(), OptionError> + Send + Sync>;

/// The option that chooses the game.
pub(super) const VARIANT_OPTION: &str = "UCI_Variant";
/// The options behind the commands `memory` and `cores`.
pub(super) const HASH_OPTION: &str = "Hash";
pub(super) const THREADS_OPTION: &str = "Threads";

/// Memory of a thread, and of the thread before it while it is replaced.
const MEGABYTES_OF_A_THREAD: usize = 12;
/// The largest `Move Overhead`, in milliseconds.
const MAX_MOVE_OVERHEAD: i64 = 5000;

/// All options, in the order they are announced.
pub(super) static OPTIONS: Lazy<Vec<EngineOption>> = Lazy::new(|| {
    let defaults = Settings::default();
    let groups = [
        resources(),
        play(&defaults),
        strength(&defaults),
        evaluation(),
        tables(),
        conventions(&defaults),
        search_params(),
    ];
    groups.into_iter().flatten().collect()
});

fn resources() -> Vec<EngineOption> {
    let most_threads = (megabytes_of_memory() / MEGABYTES_OF_A_THREAD).clamp(1, MAX_THREADS);
    let hash = OptionKind::Spin {
        default: DEFAULT_HASH_MEGABYTES as i64,
        min: 1,
        max: megabytes_of_memory() as i64,
        set: Box::new(|engine, value| Ok(engine.set_hash(value as usize)?)),
    };
    let threads = OptionKind::Spin {
        default: 1,
        min: 1,
        max: most_threads as i64,
        set: Box::new(|engine, value| Ok(engine.set_threads(value as usize)?)),
    };
    let clear = OptionKind::Button { press: |engine| Ok(engine.clear_hash()?) };
    vec![
        EngineOption::uci(HASH_OPTION, hash),
        EngineOption::new("Clear Hash", clear),
        EngineOption::uci(THREADS_OPTION, threads),
    ]
}

fn play(defaults: &Settings) -> Vec<EngineOption> {
    let multi_pv = number(defaults.multi_pv as i64, 1, MAX_MOVES as i64, |settings, value| {
        settings.multi_pv = value as usize;
    });
    let ponder =
        OptionKind::Check { default: defaults.ponder, set: |settings, on| settings.ponder = on };
    let overhead = defaults.move_overhead.as_millis() as i64;
    let overhead = number(overhead, 0, MAX_MOVE_OVERHEAD, |settings, value| {
        settings.move_overhead = Duration::from_millis(value as u64);
    });
    vec![
        EngineOption::new("MultiPV", multi_pv),
        EngineOption::uci("Ponder", ponder),
        EngineOption::new("Move Overhead", overhead),
    ]
}

fn strength(defaults: &Settings) -> Vec<EngineOption> {
    let skill = number(defaults.skill_level.into(), 0, FULL_SKILL.into(), |settings, value| {
        settings.skill_level = value as u32;
    });
    let limited = OptionKind::Check {
        default: defaults.limit_strength,
        set: |settings, on| settings.limit_strength = on,
    };
    let (least, most) = ELO_RANGE;
    let elo = number(defaults.elo.into(), least.into(), most.into(), |settings, value| {
        settings.elo = value as u32;
    });
    vec![
        EngineOption::new("Skill Level", skill),
        EngineOption::new("UCI_LimitStrength", limited),
        EngineOption::new("UCI_Elo", elo),
    ]
}

fn evaluation() -> Vec<EngineOption> {
    let set = |engine: &mut Engine, name: &str| {
        let evaluation = load_evaluation(engine.variant(), name).map_err(OptionError::Network)?;
        Ok(engine.set_evaluation(evaluation)?)
    };
    vec![EngineOption::new("EvalFile", OptionKind::Text { default: EMBEDDED, set })]
}

fn tables() -> Vec<EngineOption> {
    let set = |engine: &mut Engine, name: &str| {
        let (tables, fault) = load_tables(name).map_err(OptionError::Tables)?;
        engine.set_tablebases(tables);
        fault.map_or(Ok(()), |fault| Err(OptionError::Tables(fault)))
    };
    vec![EngineOption::new("TablePath", OptionKind::Text { default: EMBEDDED, set })]
}

/// Options of only one protocol.
fn conventions(defaults: &Settings) -> Vec<EngineOption> {
    let analyse = OptionKind::Check {
        default: defaults.analyse_mode,
        set: |settings, on| settings.analyse_mode = on,
    };
    let wdl = OptionKind::Check {
        default: defaults.show_wdl,
        set: |settings, on| settings.show_wdl = on,
    };
    let resign =
        OptionKind::Check { default: defaults.resign, set: |settings, on| settings.resign = on };
    vec![
        EngineOption::uci(
            VARIANT_OPTION,
            OptionKind::Combo {
                default: Variant::default().name(),
                choices: Variant::ALL.map(Variant::name).to_vec(),
                set: set_variant,
            },
        ),
        EngineOption::uci("UCI_AnalyseMode", analyse),
        EngineOption::uci("UCI_ShowWDL", wdl),
        EngineOption::cecp("Resign", resign),
    ]
}

/// Switches to another game, with the evaluation that the program carries for it.
fn set_variant(engine: &mut Engine, name: &str) -> Result<(), OptionError> {
    match Variant::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(name)) {
        Some(variant) if variant != engine.variant() => {
            Ok(engine.set_evaluation(AnyEvaluation::embedded(variant))?)
        }
        _ => Ok(()),
    }
}

/// The parameters of the search, in a build for tuning them.
fn search_params() -> Vec<EngineOption> {
    #[cfg(feature = "tuning")]
    let options = qirkat_search::SEARCH_PARAMS.iter().map(|param| {
        let set: NumberSetter = Box::new(|engine, value| {
            engine.change_params(|params| *(param.place)(params) = value as i32);
            Ok(())
        });
        let (default, min, max) = (param.default.into(), param.min.into(), param.max.into());
        EngineOption::new(param.name, OptionKind::Spin { default, min, max, set })
    });
    #[cfg(not(feature = "tuning"))]
    let options = std::iter::empty();
    options.collect()
}

/// A number among the settings.
fn number(default: i64, min: i64, max: i64, set: fn(&mut Settings, i64)) -> OptionKind {
    let set: NumberSetter = Box::new(move |engine, value| {
        set(engine.settings_mut(), value);
        Ok(())
    });
    OptionKind::Spin { default, min, max, set }
}
