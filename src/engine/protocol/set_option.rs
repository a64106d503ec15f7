//! Setting an option by its name and the text of its value.

use crate::Engine;
use qirkat_game::text::{Excerpt, read_number};

use super::option_table::{OPTIONS, OptionError, OptionKind};

/// The outcome of setting an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OptionOutcome {
    Set {
        /// The option's name as the table has it.
        name: &'static str,
    },
    /// The number was out of bounds; the nearest one is in force.
    Clamped { name: &'static str, value: i64 },
}

/// On and off, in UCI and in the other protocol.
const TRUE: [&str; 2] = ["true", "1"];
const FALSE: [&str; 2] = ["false", "0"];

/// The target under which options are logged: `qirkat::protocol` is for the lines alone.
const LOG_TARGET: &str = "qirkat::options";

/// Sets the option of this name, whatever its case, from its text, after
/// stopping any running search.
///
/// # Errors
/// When there is no such option, or it cannot take the value.
pub(super) fn set_option(
    engine: &mut Engine,
    name: &str,
    value: Option<&str>,
) -> Result<OptionOutcome, OptionError> {
    engine.stop();
    let outcome = set(engine, name, value);
    match &outcome {
        Ok(OptionOutcome::Set { name }) => {
            let value = value.unwrap_or("pressed").escape_debug();
            log::info!(target: LOG_TARGET, "option {name}: {value}");
        }
        Ok(OptionOutcome::Clamped { name, value }) => {
            log::warn!(target: LOG_TARGET, "option {name}: out of bounds, set to {value}");
        }
        Err(error) => log::warn!(target: LOG_TARGET, "option not set: {error}"),
    }
    outcome
}

fn set(engine: &mut Engine, name: &str, value: Option<&str>) -> Result<OptionOutcome, OptionError> {
    let option = OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(Excerpt::of(name)))?;
    let name = option.name;
    let text = || value.filter(|text| !text.is_empty()).ok_or(OptionError::NoValue(name));
    let wrong = |value: &str| OptionError::Value {
        option: name,
        value: Excerpt::of(value),
        wanted: option.kind.wanted(),
    };
    match &option.kind {
        OptionKind::Spin { min, max, set, .. } => {
            let text = text()?;
            let number = read_number(text).ok_or_else(|| wrong(text))?;
            let value = number.clamp(*min, *max);
            set(engine, value)?;
            if value != number {
                return Ok(OptionOutcome::Clamped { name, value });
            }
        }
        OptionKind::Check { set, .. } => {
            let text = text()?;
            let on = read_switch(text).ok_or_else(|| wrong(text))?;
            set(&mut engine.settings, on);
        }
        OptionKind::Combo { choices, set, .. } => {
            let text = text()?;
            if !is_one_of(choices, text) {
                return Err(wrong(text));
            }
            set(engine, text)?;
        }
        OptionKind::Text { set, .. } => match value.unwrap_or_default() {
            "<empty>" => set(engine, "")?,
            text => set(engine, text)?,
        },
        OptionKind::Button { press } => press(engine)?,
    }
    Ok(OptionOutcome::Set { name })
}

fn read_switch(text: &str) -> Option<bool> {
    if is_one_of(&TRUE, text) {
        Some(true)
    } else if is_one_of(&FALSE, text) {
        Some(false)
    } else {
        None
    }
}

fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
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
                Ok(OptionOutcome::Set { .. }) => "set".to_owned(),
                Ok(OptionOutcome::Clamped { value, .. }) => format!("clamped to {value}"),
                Err(_) => "refused".to_owned(),
            };
            assert_eq!(outcome, expected, "{name} {value:?}");
        }
        assert_eq!(engine.settings.multi_pv, 974);
        assert!(engine.settings.ponder);
    }
}
