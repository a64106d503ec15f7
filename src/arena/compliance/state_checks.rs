//! The checks of the greeting, options, malformed lines, resource use and clean exit.

use std::collections::BTreeSet;
use std::process::ExitStatus;
use std::time::Duration;

use qirkat_rules::variant::Variant;

use super::engine_under_test::{Ending, EngineUnderTest};
use super::examiner::{CheckError, Finding, Outcome, PROMPT, SEARCH, SET_UP, WATCH, quoted};
use super::positions::{Setup, good_after_bad, openings};
use super::search_checks::allow_pondering;
use crate::announced_option::{AnnouncedOption, OptionKind};
use crate::engine_process::{Line, set_option_command};

const ANSWERS: [&str; 6] = ["id", "option", "uciok", "readyok", "bestmove", "info"];

/// The types of the options that the protocol and common extensions define.
const KNOWN_OPTIONS: [(&str, &str); 11] = [
    ("Hash", "spin"),
    ("Clear Hash", "button"),
    ("Threads", "spin"),
    ("MultiPV", "spin"),
    ("Ponder", "check"),
    ("OwnBook", "check"),
    ("UCI_Variant", "combo"),
    ("UCI_AnalyseMode", "check"),
    ("UCI_LimitStrength", "check"),
    ("UCI_Elo", "spin"),
    ("UCI_ShowWDL", "check"),
];

/// The largest hash size that an engine is asked for, in megabytes.
const MOST_MEGABYTES: i64 = 64;
const MOST_THREADS: i64 = 4;

const EMPTY_SETTINGS: [&str; 6] = [
    "setoption",
    "setoption name",
    "setoption name value",
    "setoption value 3",
    "setoption name No Such Option",
    "setoption name No Such Option value 7",
];

pub(super) const GARBAGE: [&str; 16] = [
    "",
    "   ",
    "\t",
    "joho",
    "xyzzy plugh 12 -7 e2e4",
    "isreadynow",
    "UCIOK",
    "uciok",
    "readyok",
    "bestmove e2e4",
    "info depth 3 score cp 1 pv e2e4",
    "id name Somebody",
    "ponderhit",
    "#!/bin/sh",
    "{\"position\": [\"startpos\"]}",
    "%s%n%x%d \\n \\0 ${HOME} $(ls) `ls`",
];
pub(super) const DEBUG: [&str; 4] = ["debug on", "register later", "debug off", "debug"];
/// Bytes that are not UTF-8, in various places.
pub(super) const BYTES: [&[u8]; 5] = [
    b"\xff\xfe\x80",
    b"\0\0\0",
    b"setoption name \xff value \xc3\x28",
    b"position startpos moves \xe2\x28\xa1",
    b"joho \xf0\x9f\x92 \x1b[31m",
];
/// Length of an overlong line.
pub(super) const LONG_LINE: usize = 1_000_000;

/// How long an idle engine is watched, and the CPU time it may use meanwhile.
const IDLE: Duration = Duration::from_millis(500);
const IDLE_WORK: Duration = Duration::from_millis(20);

/// Short games that show whether memory grows: their number, moves each, and the first that counts.
const GAMES: usize = 40;
const GAME_MOVES: usize = 4;
const FIRST_COUNTED: usize = 10;
/// The hash size for these games, in megabytes.
const HASH: i64 = 16;
/// The largest growth of memory beyond the hash table, in megabytes.
const GROWTH: u64 = 32;
/// The same for an engine whose hash size is unknown.
const UNKNOWN_HASH: u64 = 256;
const MEGABYTE: u64 = 1 << 20;

/// How long a search or pondering runs before `stop` or `quit`.
const RUN: Duration = Duration::from_millis(100);

pub(super) fn silence(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let early = engine.listen(WATCH)?;
    engine.greet()?;
    // An engine that starts slowly may print it later. A note before `uci` is fine then.
    let late = engine.greeting.preamble.iter().filter(|text| !text.starts_with("info "));
    let early = early.iter().map(|line| &line.text);
    let said: Vec<&String> = early.chain(late).filter(|text| !text.is_empty()).collect();
    let is_answer = |text: &&&String| {
        text.split_ascii_whitespace().next().is_some_and(|word| ANSWERS.contains(&word))
    };
    let finding = |text| engine.finding("silence until `uci`", quoted(text));
    match (said.iter().find(is_answer), said.first()) {
        (Some(text), _) => Err(CheckError::Fault(finding(text))),
        // A greeting disturbs few programs.
        (None, Some(text)) => Err(CheckError::Warning(finding(text))),
        (None, None) => Ok(()),
    }
}

pub(super) fn identity(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let greeting = &engine.greeting;
    for (word, texts) in [("name", &greeting.names), ("author", &greeting.authors)] {
        let (expected, got) = match texts.as_slice() {
            [text] if !text.is_empty() => continue,
            [] => (format!("`id {word} …`"), "none before `uciok`".to_owned()),
            [_] => (format!("`id {word} …`"), format!("`id {word}` without a text")),
            several => (format!("one `id {word}`"), format!("{} of them", several.len())),
        };
        return Err(engine.fault(expected, got));
    }
    Ok(())
}

pub(super) fn options(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let mut names = BTreeSet::new();
    for option in &engine.greeting.options {
        let wrong = |reason: &str| {
            engine
                .fault("a well-formed `option` line", format!("{}: {reason}", quoted(&option.text)))
        };
        let announced = match (&option.option, &option.error) {
            (Some(announced), None) => announced,
            (_, error) => return Err(wrong(error.as_deref().unwrap_or_default())),
        };
        if !names.insert(announced.name.to_ascii_lowercase()) {
            return Err(wrong("an option of this name was announced before"));
        }
        let known =
            KNOWN_OPTIONS.iter().find(|(name, _)| announced.name.eq_ignore_ascii_case(name));
        if let Some((name, word)) = known
            && announced.kind.word() != *word
        {
            return Err(wrong(&format!("{name} is a {word} elsewhere")));
        }
    }
    Ok(())
}

pub(super) fn variant(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let ours = Variant::Chesquerque.name();
    let expected = format!("`option name UCI_Variant type combo … var {ours}`");
    match engine.greeting.option("UCI_Variant").map(|option| &option.kind) {
        Some(OptionKind::Combo(choices)) if choices.iter().any(|choice| choice == ours) => Ok(()),
        Some(OptionKind::Combo(choices)) => {
            let choices = choices.join(", ");
            Err(engine.fault(expected, format!("the choices {}", quoted(&choices))))
        }
        Some(kind) => Err(engine.fault(expected, format!("an option of type {}", kind.word()))),
        // An engine for a single variant does not need it, but a program with many games cannot
        // tell what the engine plays.
        None => Err(CheckError::Warning(engine.finding(expected, "no such option"))),
    }
}

pub(super) fn ready(engine: &mut EngineUnderTest<'_>) -> Outcome {
    engine.ready(SET_UP)?;
    engine.ready(PROMPT)?;
    engine.send_bytes(b"isready\nisready\n")?;
    for _ in 0..2 {
        engine.expect_readyok(PROMPT)?;
    }
    let more = engine.listen(WATCH)?;
    if more.iter().any(|line| line.begins_with("readyok")) {
        return Err(engine.fault("one `readyok` for each `isready`", "another `readyok`"));
    }
    Ok(())
}

pub(super) fn option_values(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let options: Vec<AnnouncedOption> = engine.greeting.sound_options().cloned().collect();
    for option in &options {
        for value in good_values(option) {
            engine.send(&set_option_command(&option.name, value.as_deref()))?;
            engine.ready(SET_UP)?;
        }
    }
    engine.ready(SET_UP)?;
    // An unreadable file may leave it without an evaluation; the defaults restore it.
    engine.think(&Setup::start()).map(drop)
}

pub(super) fn option_errors(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let options: Vec<AnnouncedOption> = engine.greeting.sound_options().cloned().collect();
    engine.survive(EMPTY_SETTINGS)?;
    for option in &options {
        for value in bad_values(option) {
            engine.send(&set_option_command(&option.name, Some(&value)))?;
            engine.ready(SET_UP)?;
        }
    }
    engine.ready(SET_UP).map(drop)
}

/// Values that an option says it accepts, the default last.
fn good_values(option: &AnnouncedOption) -> Vec<Option<String>> {
    let default = option.default.clone().unwrap_or_default();
    let texts = match &option.kind {
        // Another variant would need a separate examination.
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

/// Values that it should not accept. A string may be any file name, so none is wrong there.
fn bad_values(option: &AnnouncedOption) -> Vec<String> {
    let texts: &[&str] = match &option.kind {
        OptionKind::Check => &["", "perhaps", "2"],
        OptionKind::Combo(_) => &["", "no such choice"],
        // Not every engine clamps numbers, and some would accept them.
        OptionKind::Spin { .. } if most(option).is_some() => &["", "many"],
        OptionKind::Spin { .. } => {
            &["", "many", "1.5", "-99999999999999999999", "99999999999999999999"]
        }
        OptionKind::Button => &["pressed"],
        OptionKind::Text | OptionKind::Other(_) => &[],
    };
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The largest number to try where a larger one would use too much memory or CPU.
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

pub(super) fn blanks(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for line in ["isready\r\n", "  isready\n", "isready  \n", "\tisready\t\r\n"] {
        engine.send_bytes(line.as_bytes())?;
        engine.expect_readyok(PROMPT)?;
    }
    let setup = Setup::start().moves("e2e4");
    engine.send_bytes(b" position  startpos \t moves   e2e4 \r\n")?;
    engine.send_bytes(b"go\tdepth  2   movetime 50\r\n")?;
    engine.legal_answer(&setup, SEARCH).map(drop)
}

pub(super) fn new_game(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for (round, setup) in openings().into_iter().enumerate() {
        for _ in 0..=round {
            engine.send("ucinewgame")?;
        }
        engine.ready(SET_UP)?;
        engine.think(&setup)?;
    }
    Ok(())
}

/// The engine survives each line, and then moves in valid positions.
pub(super) fn survive_and_move(
    engine: &mut EngineUnderTest<'_>,
    lines: impl Iterator<Item = String>,
) -> Outcome {
    engine.survive(lines)?;
    engine.think_in(good_after_bad())
}

pub(super) fn idle(engine: &mut EngineUnderTest<'_>) -> Outcome {
    engine.go(&Setup::start(), "go movetime 100")?;
    engine.answer(SEARCH)?;
    engine.quote_exchange();
    // Another check tests for extra answers.
    engine.listen(RUN)?;
    let before = engine.usage();
    let lines = engine.listen(IDLE)?;
    let after = engine.usage();
    if let Some(line) = lines.first() {
        return Err(engine.fault("silence after the answer", quoted(&line.text)));
    }
    if let (Some(before), Some(after)) = (before, after) {
        let work = after.time.saturating_sub(before.time);
        if work >= IDLE_WORK {
            let expected = "no work after the answer";
            let got =
                format!("{} ms of processor time in {} ms", work.as_millis(), IDLE.as_millis());
            return Err(engine.fault(expected, got));
        }
    }
    Ok(())
}

pub(super) fn memory(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let unknown = || CheckError::Skip("this system does not tell what a process takes".to_owned());
    let hash = match engine.greeting.option("Hash").map(|option| &option.kind) {
        Some(OptionKind::Spin { min: Some(min), max: Some(max) }) => Some(HASH.clamp(*min, *max)),
        _ => None,
    };
    if let Some(hash) = hash {
        engine.send(&format!("setoption name Hash value {hash}"))?;
        engine.ready(SET_UP)?;
    }
    let mut before = 0;
    for game in 0..GAMES {
        if game == FIRST_COUNTED {
            before = engine.usage().ok_or_else(unknown)?.memory;
        }
        engine.send("ucinewgame")?;
        engine.ready(SET_UP)?;
        for moves in 0..GAME_MOVES {
            engine.think(&Setup::start().wander(2 * moves, game as u64))?;
        }
    }
    let after = engine.usage().ok_or_else(unknown)?.memory;
    let grown = after.saturating_sub(before) / MEGABYTE;
    let allowed = GROWTH + hash.map_or(UNKNOWN_HASH, |hash| hash.unsigned_abs());
    if grown > allowed {
        let games = GAMES - FIRST_COUNTED;
        return Err(CheckError::Fault(Finding {
            sent: format!("{games} times `ucinewgame` and {GAME_MOVES} small searches"),
            expected: format!("memory to grow by {allowed} MB at most"),
            got: format!("{grown} MB more"),
        }));
    }
    Ok(())
}

pub(super) fn quit(fresh: &mut EngineUnderTest<'_>) -> Outcome {
    fresh.send("quit")?;
    // Another check tests for output before `uci`.
    let ending = fresh.ending()?;
    expect_all_gone(fresh, &ending)?;
    expect_success(fresh, ending.status)?;
    let mut engine = EngineUnderTest::start(fresh.examiner)?;
    engine.greet()?;
    engine.send("quit")?;
    expect_good_end(&mut engine, 0)
}

pub(super) fn quit_during(engine: &mut EngineUnderTest<'_>, go: &str) -> Outcome {
    engine.go(&Setup::start(), go)?;
    engine.listen(RUN)?;
    engine.send("quit")?;
    // The search may still be answered.
    expect_good_end(engine, 1)
}

pub(super) fn quit_pondering(engine: &mut EngineUnderTest<'_>) -> Outcome {
    allow_pondering(engine)?;
    quit_during(engine, "go ponder wtime 1000 btime 1000")
}

pub(super) fn end_searching(engine: &mut EngineUnderTest<'_>) -> Outcome {
    engine.go(&Setup::start(), "go infinite")?;
    engine.listen(RUN)?;
    hang_up(engine, 1)
}

pub(super) fn hang_up(engine: &mut EngineUnderTest<'_>, answers: usize) -> Outcome {
    engine.hang_up();
    expect_end(engine, answers).map(drop)
}

/// It exits as told, with status 0.
fn expect_good_end(engine: &mut EngineUnderTest<'_>, answers: usize) -> Outcome {
    let status = expect_end(engine, answers)?;
    expect_success(engine, status)
}

fn expect_success(engine: &EngineUnderTest<'_>, status: ExitStatus) -> Outcome {
    if status.success() { Ok(()) } else { Err(engine.fault("exit status 0", status.to_string())) }
}

/// It exits, leaves no process behind, and sends only this many answers with their `info` lines.
fn expect_end(engine: &mut EngineUnderTest<'_>, answers: usize) -> Outcome<ExitStatus> {
    let ending = engine.ending()?;
    expect_all_gone(engine, &ending)?;
    let is_answer = |line: &&Line| line.begins_with("bestmove");
    let is_of_search = |line: &Line| line.begins_with("info") || line.begins_with("bestmove");
    let may_come = |line: &Line| line.text.is_empty() || (answers > 0 && is_of_search(line));
    if let Some(line) = ending.lines.iter().find(|line| !may_come(line)) {
        return Err(engine.fault("nothing more", quoted(&line.text)));
    }
    let given = ending.lines.iter().filter(is_answer).count();
    if given > answers {
        return Err(engine.fault("one `bestmove` at most", given.to_string()));
    }
    Ok(ending.status)
}

fn expect_all_gone(engine: &EngineUnderTest<'_>, ending: &Ending) -> Outcome {
    if ending.left.is_empty() {
        return Ok(());
    }
    let got = format!("still running: {}", quoted(&ending.left.join(", ")));
    Err(engine.fault("all its processes to end", got))
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
