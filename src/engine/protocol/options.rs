//! The engine's options: one table for both protocols, with name, type, bounds and setter.

use std::time::Duration;

use once_cell::sync::Lazy;

use super::CommandError;
use super::connection::LOG_OPTION;
use crate::load_book::load_book;
use crate::{ELO_RANGE, Engine, FULL_SKILL, MAX_BOOK_DEPTH, Settings};
use qirkat_evaluation::AnyEvaluation;
use qirkat_evaluation::load_network::{EMBEDDED, load_evaluation};
use qirkat_game::text::{Excerpt, read_number};
use qirkat_rules::chesquerque::MAX_MOVES;
use qirkat_rules::variant::Variant;
use qirkat_search::{DEFAULT_HASH_MEGABYTES, MAX_THREADS};
use qirkat_system::machine::megabytes_of_memory;
use qirkat_tablebase::load_tables::load_tables;

pub(super) struct EngineOption {
    /// The name, matched case-insensitively.
    pub name: &'static str,
    pub kind: OptionKind,
    /// What it does, for `help options` and the generated page of the guide.
    pub help: &'static str,
    /// The only protocol with this option, unless both have it.
    only: Option<Protocol>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Protocol {
    Uci,
    /// The Chess Engine Communication Protocol, which has its own commands for some options.
    Cecp,
}

impl EngineOption {
    pub fn is_for(&self, protocol: Protocol) -> bool {
        self.only.is_none_or(|only| only == protocol)
    }
}

/// All options with their values and help, two lines each.
pub(super) fn describe_options() -> String {
    let describe = |option: &EngineOption| {
        let EngineOption { name, kind, help, .. } = option;
        let only = match option.only {
            Some(Protocol::Uci) => " (UCI only)",
            Some(Protocol::Cecp) => " (XBoard's protocol only)",
            None => "",
        };
        let accepted = kind.accepted();
        let default = kind.default().map(|value| format!("; {value}")).unwrap_or_default();
        format!("{name}{only}: {accepted}{default}\n    {help}")
    };
    OPTIONS.iter().map(describe).collect::<Vec<_>>().join("\n")
}

/// The type of an option, with its default and its setter.
pub(super) enum OptionKind {
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: NumberSetter,
    },
    Check {
        default: bool,
        set: fn(&mut Settings, bool),
    },
    Combo {
        default: &'static str,
        choices: Vec<&'static str>,
        set: fn(&mut Engine, &str) -> Result<(), CommandError>,
    },
    Text {
        default: &'static str,
        accepted: &'static str,
        set: fn(&mut Engine, &str) -> Result<(), CommandError>,
    },
    Button {
        press: fn(&mut Engine) -> Result<(), CommandError>,
    },
}

impl OptionKind {
    pub fn accepted(&self) -> String {
        match self {
            OptionKind::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            OptionKind::Text { accepted, .. } => (*accepted).to_owned(),
            OptionKind::Button { .. } => "a button".to_owned(),
        }
    }

    fn default(&self) -> Option<String> {
        match self {
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Check { default, .. } => Some(default.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::Text { default, .. } => {
                Some((*default).to_owned())
            }
            OptionKind::Button { .. } => None,
        }
    }
}

type NumberSetter = Box<dyn Fn(&mut Engine, i64) -> Result<(), CommandError> + Send + Sync>;

pub(super) const VARIANT_OPTION: &str = "UCI_Variant";
pub(super) const NODESTIME_OPTION: &str = "nodestime";
/// The options behind the commands `memory` and `cores`.
pub(super) const HASH_OPTION: &str = "Hash";
pub(super) const THREADS_OPTION: &str = "Threads";

/// Megabytes for each thread: its histories, twice, since the old ones exist until new ones replace
/// them.
const MEMORY_PER_THREAD: usize = 12;
const FILE_EMBEDDED_OR_NONE: &str = "a file, <embedded> or <none>";
/// How UCI writes an empty text: for a log no file, elsewhere the embedded one.
pub(super) const EMPTY_TEXT: &str = "<empty>";
const FOLDER_EMBEDDED_OR_NONE: &str = "a folder, <embedded> or <none>";
/// In milliseconds.
const MAX_MOVE_OVERHEAD: i64 = 5000;
const MAX_NODES_PER_MS: i64 = 10_000;
/// In centipawns.
const MAX_BOOK_VARIETY: i64 = 1000;

/// All options, in the order in which they are announced.
pub(super) static OPTIONS: Lazy<Vec<EngineOption>> = Lazy::new(|| {
    let option = |only| move |name, kind, help| EngineOption { name, kind, help, only };
    let (both, uci, cecp) =
        (option(None), option(Some(Protocol::Uci)), option(Some(Protocol::Cecp)));
    let defaults = Settings::default();
    let max_memory = megabytes_of_memory();
    let max_threads = (max_memory / MEMORY_PER_THREAD).clamp(1, MAX_THREADS);
    let hash = spin(DEFAULT_HASH_MEGABYTES as i64, 1, max_memory as i64, |engine, value| {
        Ok(engine.set_hash(value as usize)?)
    });
    let threads =
        spin(1, 1, max_threads as i64, |engine, value| Ok(engine.set_threads(value as usize)?));
    let multi_pv = number(defaults.multi_pv as i64, 1, MAX_MOVES as i64, |settings, value| {
        settings.multi_pv = value as usize;
    });
    let overhead = defaults.move_overhead.as_millis() as i64;
    let overhead = number(overhead, 0, MAX_MOVE_OVERHEAD, |settings, value| {
        settings.move_overhead = Duration::from_millis(value as u64);
    });
    let skill = number(defaults.skill_level.into(), 0, FULL_SKILL.into(), |settings, value| {
        settings.skill_level = value as u32;
    });
    let elo =
        number(defaults.elo.into(), ELO_RANGE.0.into(), ELO_RANGE.1.into(), |settings, value| {
            settings.elo = value as u32;
        });
    let variant = OptionKind::Combo {
        default: Variant::default().name(),
        choices: Variant::ALL.map(Variant::name).to_vec(),
        set: set_variant,
    };
    let clear = OptionKind::Button { press: |engine| Ok(engine.clear_hash()?) };
    let network =
        OptionKind::Text { default: EMBEDDED, accepted: FILE_EMBEDDED_OR_NONE, set: set_network };
    let tables = OptionKind::Text {
        default: EMBEDDED,
        accepted: FOLDER_EMBEDDED_OR_NONE,
        set: set_tablebases,
    };
    let nodestime =
        number(0, 0, MAX_NODES_PER_MS, |settings, value| settings.nodestime = value as u64);
    let book =
        OptionKind::Text { default: EMBEDDED, accepted: "a file or <embedded>", set: set_book };
    let book_depth =
        number(defaults.book_depth.into(), 0, MAX_BOOK_DEPTH.into(), |settings, value| {
            settings.book_depth = value as u32;
        });
    let variety = number(defaults.book_variety.into(), 0, MAX_BOOK_VARIETY, |settings, value| {
        settings.book_variety = value as i32;
    });
    // A UCI session handles this option itself, since it owns input and output.
    let log = OptionKind::Text {
        default: EMPTY_TEXT,
        accepted: "a file or <empty>",
        set: |_, file| match file {
            "" => Ok(()),
            _ => Err(format!("option {LOG_OPTION}: only a UCI session can log").into()),
        },
    };
    let limited = check(defaults.limit_strength, |it, on| it.limit_strength = on);
    let mut options = vec![
        uci(
            LOG_OPTION,
            log,
            "append all input and output to this file, which is new, empty or an earlier log; <empty>: no log",
        ),
        uci(HASH_OPTION, hash, "size of the transposition table in MB, up to the memory there is"),
        both("Clear Hash", clear, "clear the transposition table and the histories"),
        uci(THREADS_OPTION, threads, "search threads, up to 1024 where there is memory for them"),
        both("MultiPV", multi_pv, "lines to report"),
        uci(
            "Ponder",
            check(defaults.ponder, |settings, on| settings.ponder = on),
            "the GUI may let the engine think on the opponent's time",
        ),
        both("Move Overhead", overhead, "milliseconds lost on each move on its way to the GUI"),
        both(
            "Skill Level",
            skill,
            "play like a weaker person: see fewer plies, overlook long moves, overvalue captures",
        ),
        both("UCI_LimitStrength", limited, "play as strong as UCI_Elo says"),
        both("UCI_Elo", elo, "the strength to play with; only differences mean something"),
        both(
            "EvalFile",
            network,
            "the network of the game that UCI_Variant has set; <none>: material and placement alone. \
             Another variant resets this to <embedded>",
        ),
        both(
            "TablePath",
            tables,
            "folder of more endgame tables, besides the embedded ones (three pieces, or four men in \
             Alquerque); <none>: no tables",
        ),
        both(
            "OwnBook",
            check(defaults.own_book, |it, on| it.own_book = on),
            "play from the opening book, whatever the strength is limited to; not in analyses",
        ),
        both(
            "BookFile",
            book,
            "the opening book of the game that UCI_Variant has set. Another game goes back to \
             <embedded>",
        ),
        both("BookDepth", book_depth, "play this many plies of a game from the book"),
        both(
            "BookVariety",
            variety,
            "play any move of the book that loses at most so many centipawns against the best, at \
             random; 0: always the best",
        ),
        uci(
            VARIANT_OPTION,
            variant,
            "the game; choosing another one sets up its start. Setting it describes the board for \
             uci2wb",
        ),
        uci(
            "UCI_AnalyseMode",
            check(defaults.analyse_mode, |it, on| it.analyse_mode = on),
            "search even a single legal reply",
        ),
        uci(
            "UCI_ShowWDL",
            check(defaults.show_wdl, |it, on| it.show_wdl = on),
            "report chances to win, draw and lose",
        ),
        uci(
            NODESTIME_OPTION,
            nodestime,
            "nodes counted as one millisecond, for reproducible games; 0: use the clock",
        ),
        cecp("Resign", check(defaults.resign, |it, on| it.resign = on), "give up lost games"),
    ];
    options.extend(search_params().map(|(name, kind)| both(name, kind, "for tuning the search")));
    options
});

fn check(default: bool, set: fn(&mut Settings, bool)) -> OptionKind {
    OptionKind::Check { default, set }
}

fn set_network(engine: &mut Engine, name: &str) -> Result<(), CommandError> {
    let evaluation = load_evaluation(engine.variant(), name)
        .map_err(|error| format!("option EvalFile: {error}; nothing is changed"))?;
    Ok(engine.set_evaluation(evaluation)?)
}

fn set_book(engine: &mut Engine, name: &str) -> Result<(), CommandError> {
    let book = load_book(engine.variant(), name)
        .map_err(|error| format!("option BookFile: {error}; nothing is changed"))?;
    engine.set_book(book);
    Ok(())
}

fn set_tablebases(engine: &mut Engine, name: &str) -> Result<(), CommandError> {
    let (tablebases, fault) = load_tables(name)
        .map_err(|error| format!("option TablePath: {error}; nothing is changed"))?;
    engine.set_tablebases(tablebases);
    fault.map_or(Ok(()), |fault| Err(format!("option TablePath: {fault}; left out").into()))
}

/// Switches to another game, with its embedded evaluation.
fn set_variant(engine: &mut Engine, name: &str) -> Result<(), CommandError> {
    match Variant::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(name)) {
        Some(variant) if variant != engine.variant() => {
            Ok(engine.set_evaluation(AnyEvaluation::embedded(variant))?)
        }
        _ => Ok(()),
    }
}

fn search_params() -> impl Iterator<Item = (&'static str, OptionKind)> {
    #[cfg(feature = "tuning")]
    return qirkat_search::SEARCH_PARAMS.iter().map(|param| {
        let (default, min, max) = (param.default.into(), param.min.into(), param.max.into());
        let kind = spin(default, min, max, |engine, value| {
            engine.change_params(|params| *(param.field)(params) = value as i32);
            Ok(())
        });
        (param.name, kind)
    });
    #[cfg(not(feature = "tuning"))]
    std::iter::empty()
}

fn number(default: i64, min: i64, max: i64, set: fn(&mut Settings, i64)) -> OptionKind {
    spin(default, min, max, move |engine, value| {
        set(&mut engine.settings, value);
        Ok(())
    })
}

fn spin(
    default: i64,
    min: i64,
    max: i64,
    set: impl Fn(&mut Engine, i64) -> Result<(), CommandError> + Send + Sync + 'static,
) -> OptionKind {
    OptionKind::Spin { default, min, max, set: Box::new(set) }
}

/// The log target for options: `qirkat::protocol` is only for lines.
const LOG_TARGET: &str = "qirkat::options";

/// Stops the running task and sets an option from text, matching its name case-insensitively.
/// Returns the name as in the table, and the value used if a number was out of bounds.
///
/// # Errors
/// If there is no such option, or it does not take the value.
pub fn set_option(
    engine: &mut Engine,
    name: &str,
    value: Option<&str>,
) -> Result<(&'static str, Option<i64>), CommandError> {
    engine.stop();
    let outcome = set(engine, name, value);
    match &outcome {
        Ok((name, None)) => {
            let value = value.unwrap_or("pressed").escape_debug();
            log::info!(target: LOG_TARGET, "option {name}: {value}");
        }
        Ok((name, Some(value))) => {
            log::warn!(target: LOG_TARGET, "option {name}: out of bounds, set to {value}");
        }
        Err(error) => log::warn!(target: LOG_TARGET, "option not set: {error}"),
    }
    outcome
}

fn set(
    engine: &mut Engine,
    name: &str,
    value: Option<&str>,
) -> Result<(&'static str, Option<i64>), CommandError> {
    let option = OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("there is no option `{}`", Excerpt::of(name)))?;
    let name = option.name;
    let no_value = || format!("option {name} needs a value");
    let text = || value.filter(|text| !text.is_empty()).ok_or_else(no_value);
    let wrong = |value: &str| -> CommandError {
        let (value, accepted) = (Excerpt::of(value), option.kind.accepted());
        format!("option {name}: `{value}` is not {accepted}").into()
    };
    match &option.kind {
        OptionKind::Spin { min, max, set, .. } => {
            let text = text()?;
            let number = read_number(text).ok_or_else(|| wrong(text))?;
            let value = number.clamp(*min, *max);
            set(engine, value)?;
            if value != number {
                return Ok((name, Some(value)));
            }
        }
        OptionKind::Check { set, .. } => {
            let text = text()?;
            // XBoard writes 1 and 0.
            let on = match text.to_ascii_lowercase().as_str() {
                "true" | "1" => true,
                "false" | "0" => false,
                _ => return Err(wrong(text)),
            };
            set(&mut engine.settings, on);
        }
        OptionKind::Combo { choices, set, .. } => {
            let text = text()?;
            if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(text)) {
                return Err(wrong(text));
            }
            set(engine, text)?;
        }
        OptionKind::Text { set, .. } => match value.unwrap_or_default() {
            EMPTY_TEXT => set(engine, "")?,
            text => set(engine, text)?,
        },
        OptionKind::Button { press } => press(engine)?,
    }
    Ok((name, None))
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
            let outcome = match set_option(&mut engine, name, value) {
                Ok((_, None)) => "set".to_owned(),
                Ok((_, Some(value))) => format!("clamped to {value}"),
                Err(_) => "refused".to_owned(),
            };
            assert_eq!(outcome, expected, "{name} {value:?}");
        }
        assert_eq!(engine.settings.multi_pv, 974);
        assert!(engine.settings.ponder);
    }
}
