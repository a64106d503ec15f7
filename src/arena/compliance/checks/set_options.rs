//! Options and their values.

use crate::compliance::examiner::Examiner;
use crate::compliance::finding::Outcome;
use crate::compliance::greeting::{Announced, Kind};
use crate::compliance::setup::Setup;

/// The largest table that an engine is asked to make, in megabytes.
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
    let options: Vec<Announced> = engine.greeting.announced().cloned().collect();
    for option in &options {
        for value in good_values(option) {
            engine.send(&setting(option, value.as_deref()))?;
            engine.ready(examiner.patience.set_up())?;
        }
    }
    engine.ready(examiner.patience.set_up())?;
    // A file that cannot be read may leave it without its evaluation, but the
    // defaults can.
    engine.think(&Setup::start()).map(drop)
}

pub(super) fn errors(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let options: Vec<Announced> = engine.greeting.announced().cloned().collect();
    for line in EMPTY_SETTINGS {
        engine.survive(format!("{line}\n").as_bytes())?;
    }
    for option in &options {
        for value in bad_values(option) {
            engine.send(&setting(option, Some(&value)))?;
            engine.ready(examiner.patience.set_up())?;
        }
    }
    engine.ready(examiner.patience.set_up()).map(drop)
}

fn setting(option: &Announced, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {} value {value}", option.name),
        None => format!("setoption name {}", option.name),
    }
}

/// Values that an option says it takes, its default last.
fn good_values(option: &Announced) -> Vec<Option<String>> {
    let texts = match &option.kind {
        // Another game would be another examination.
        Kind::Combo { .. } if option.name.eq_ignore_ascii_case("UCI_Variant") => Vec::new(),
        Kind::Combo { default, choices } => {
            choices.iter().chain([default]).map(String::clone).collect()
        }
        Kind::Check { default } => vec![(!default).to_string(), default.to_string()],
        Kind::Spin { default, min, max } => {
            let most = most(option).map_or(*max, |most| most.clamp(*min, *max));
            [*min, most, *default].map(|value| value.to_string()).to_vec()
        }
        Kind::Text { default } => {
            let default = default.as_deref().filter(|text| !text.is_empty());
            vec![default.unwrap_or("<empty>").to_owned()]
        }
        Kind::Button => return vec![None],
    };
    texts.into_iter().map(Some).collect()
}

/// Values that it should not take. A text may be the name of any file, so
/// nothing is wrong there.
fn bad_values(option: &Announced) -> Vec<String> {
    let texts: &[&str] = match &option.kind {
        Kind::Check { .. } => &["", "perhaps", "2"],
        Kind::Combo { .. } => &["", "no such choice"],
        // Not every engine clamps a number, and some would take it.
        Kind::Spin { .. } if most(option).is_some() => &["", "many"],
        Kind::Spin { .. } => &["", "many", "1.5", "-99999999999999999999", "99999999999999999999"],
        Kind::Button => &["pressed"],
        Kind::Text { .. } => &[],
    };
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The largest number to try where a large one takes much of the machine.
fn most(option: &Announced) -> Option<i64> {
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
        let spin = |name: &str, min| Announced {
            name: name.to_owned(),
            kind: Kind::Spin { default: 300, min, max: 33_554_432 },
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
