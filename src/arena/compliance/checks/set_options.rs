//! Options and their values.

use crate::announced_option::{AnnouncedOption, OptionKind};
use crate::compliance::engine_under_test::Setup;
use crate::compliance::examiner::{Examiner, Outcome, SET_UP};
use crate::engine_process::set_option_command;

/// The largest transposition table that an engine is asked to make, in megabytes.
const MOST_MEGABYTES: i64 = 64;
/// The most threads that it is asked to start.
const MOST_THREADS: i64 = 4;

/// Lines that set nothing.
const EMPTY_SETTINGS: [&str; 6] = [
    "setoption",
    "setoption name",
    "setoption name value",
    "setoption value 3",
    "setoption name No Such Option",
    "setoption name No Such Option value 7",
];

pub(super) fn values(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let options: Vec<AnnouncedOption> = engine.greeting.sound_options().cloned().collect();
    for option in &options {
        for value in good_values(option) {
            engine.send(&set_option_command(&option.name, value.as_deref()))?;
            engine.ready(examiner.within(SET_UP))?;
        }
    }
    engine.ready(examiner.within(SET_UP))?;
    // A file that cannot be read may leave it without its evaluation, but the
    // defaults can.
    engine.think(&Setup::start()).map(drop)
}

pub(super) fn errors(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let options: Vec<AnnouncedOption> = engine.greeting.sound_options().cloned().collect();
    for line in EMPTY_SETTINGS {
        engine.survive(format!("{line}\n").as_bytes())?;
    }
    for option in &options {
        for value in bad_values(option) {
            engine.send(&set_option_command(&option.name, Some(&value)))?;
            engine.ready(examiner.within(SET_UP))?;
        }
    }
    engine.ready(examiner.within(SET_UP)).map(drop)
}

/// Values that an option says it takes, its default last.
fn good_values(option: &AnnouncedOption) -> Vec<Option<String>> {
    let default = option.default.clone().unwrap_or_default();
    let texts = match &option.kind {
        // Another game would be another examination.
        OptionKind::Combo(_) if option.name.eq_ignore_ascii_case("UCI_Variant") => Vec::new(),
        OptionKind::Combo(choices) => choices.iter().cloned().chain([default]).collect(),
        OptionKind::Check => vec![(default != "true").to_string(), default],
        OptionKind::Spin { min, max } => {
            let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
            let most = most(option).map_or(max, |most| most.clamp(min, max));
            vec![min.to_string(), most.to_string(), default]
        }
        OptionKind::Text if default.is_empty() => vec!["<empty>".to_owned()],
        OptionKind::Text => vec![default],
        OptionKind::Button | OptionKind::Other(_) => return vec![None],
    };
    texts.into_iter().map(Some).collect()
}

/// Values that it should not take. A text may be the name of any file, so
/// nothing is wrong there.
fn bad_values(option: &AnnouncedOption) -> Vec<String> {
    let texts: &[&str] = match &option.kind {
        OptionKind::Check => &["", "perhaps", "2"],
        OptionKind::Combo(_) => &["", "no such choice"],
        // Not every engine clamps a number, and some would take it.
        OptionKind::Spin { .. } if most(option).is_some() => &["", "many"],
        OptionKind::Spin { .. } => {
            &["", "many", "1.5", "-99999999999999999999", "99999999999999999999"]
        }
        OptionKind::Button => &["pressed"],
        OptionKind::Text | OptionKind::Other(_) => &[],
    };
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The largest number to try where a large one takes much of the machine.
fn most(option: &AnnouncedOption) -> Option<i64> {
    let name = option.name.to_ascii_lowercase();
    let is_named = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if is_named(&["hash", "cache", "memory", "buffer"]) {
        Some(MOST_MEGABYTES)
    } else if is_named(&["thread", "core", "cpu", "process"]) {
        Some(MOST_THREADS)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_takes_the_whole_machine() {
        let spin = |name: &str, min| AnnouncedOption {
            name: name.to_owned(),
            kind: OptionKind::Spin { min: Some(min), max: Some(33_554_432) },
            default: Some("300".to_owned()),
        };
        for (name, min, expected) in [
            ("Hash", 1, ["1", "64", "300"]),
            ("SyzygyCache", 100, ["100", "100", "300"]),
            ("Threads", 1, ["1", "4", "300"]),
            ("Contempt", -5, ["-5", "33554432", "300"]),
        ] {
            let values: Vec<String> = good_values(&spin(name, min)).into_iter().flatten().collect();
            assert_eq!(values, expected, "{name}");
        }
        let long = |value: &String| value.len() > 9;
        assert!(!bad_values(&spin("Hash", 1)).iter().any(long));
        assert!(bad_values(&spin("MultiPV", 1)).iter().any(long));
    }
}
