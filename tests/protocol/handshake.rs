//! `uci`, `isready` and what must not be said unasked.

use std::collections::HashMap;
use std::process::Command;

use crate::engine::{Engine, binary};
use crate::limits::WATCH;
use qirkat_testing::games::{Game, START};

/// Name, type and, where the protocol fixes it, the default value.
const OPTIONS: [(&str, &str, Option<&str>); 14] = [
    ("Hash", "spin", None),
    ("Clear Hash", "button", None),
    ("Threads", "spin", Some("1")),
    ("MultiPV", "spin", Some("1")),
    ("Ponder", "check", Some("false")),
    ("Move Overhead", "spin", None),
    ("Skill Level", "spin", Some("20")),
    ("UCI_LimitStrength", "check", Some("false")),
    ("UCI_Elo", "spin", None),
    ("EvalFile", "string", Some("<embedded>")),
    ("TablePath", "string", Some("<embedded>")),
    ("UCI_Variant", "combo", Some("chesquerque")),
    ("UCI_AnalyseMode", "check", Some("false")),
    ("UCI_ShowWDL", "check", Some("false")),
];

/// The answer to `uci`, with `uciok` as its last line.
fn greeting(engine: &mut Engine) -> Vec<String> {
    engine.say("uci");
    let lines = engine.until("uciok", |line| line == "uciok");
    lines.into_iter().map(|line| line.text).collect()
}

/// Cuts an `option` line into its name and its other fields.
fn option(line: &str) -> (String, HashMap<String, Vec<String>>) {
    let rest = line.strip_prefix("option name ").unwrap_or_else(|| panic!("no option: {line}"));
    let (name, rest) = rest.split_once(" type ").unwrap_or_else(|| panic!("no type: {line}"));
    let mut fields: HashMap<String, Vec<String>> = HashMap::new();
    let mut words = rest.split(' ');
    let kind = words.next().expect("split yields one part at least");
    fields.insert("type".to_owned(), vec![kind.to_owned()]);
    while let Some(key) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{key} has no value: {line}"));
        fields.entry(key.to_owned()).or_default().push(value.to_owned());
    }
    (name.to_owned(), fields)
}

/// Name with version, author, every option with sensible bounds, `uciok`, and
/// nothing else.
#[test]
fn uci_tells_name_author_and_options() {
    let mut engine = Engine::shared();
    let said = greeting(&mut engine);
    let asked = Command::new(binary()).arg("--version").output().expect("the binary starts");
    let version = String::from_utf8(asked.stdout).expect("a text");
    assert_eq!(said[0], format!("id name Qirkat {}", version.trim().trim_start_matches("qirkat ")));
    let version = concat!("id name Qirkat ", env!("CARGO_PKG_VERSION"), " (");
    assert!(said[0].starts_with(version) && said[0].contains("network "), "{}", said[0]);
    let author = said[1].strip_prefix("id author ").expect("the author comes second");
    assert!(!author.trim().is_empty(), "the author has a name");

    let listed: Vec<_> = said[2..said.len() - 1].iter().map(|line| option(line)).collect();
    for (name, fields) in &listed {
        let one = |key: &str| fields.get(key).map(|values| values[0].as_str());
        let number = |key: &str| -> i64 {
            let value = one(key).unwrap_or_else(|| panic!("{name} has no {key}"));
            value.parse().unwrap_or_else(|_| panic!("{name} has {key} {value}"))
        };
        match one("type").expect("every option has a type") {
            "spin" => {
                assert!(number("min") <= number("default"), "{name}: {fields:?}");
                assert!(number("default") <= number("max"), "{name}: {fields:?}");
            }
            "check" => assert!(matches!(one("default"), Some("true" | "false")), "{name}"),
            "combo" => assert!(fields["var"].contains(&fields["default"][0]), "{name}"),
            "button" => assert_eq!(fields.len(), 1, "{name} is a button only"),
            "string" => assert!(one("default").is_some(), "{name}"),
            other => panic!("{name} is of unknown type {other}"),
        }
    }
    for (name, kind, default) in OPTIONS {
        let found: Vec<_> = listed.iter().filter(|(listed, _)| listed == name).collect();
        assert_eq!(found.len(), 1, "{name} is listed once");
        assert_eq!(found[0].1["type"], [kind], "{name}");
        if let Some(default) = default {
            assert_eq!(found[0].1["default"], [default], "{name}");
        }
        if matches!(name, "Hash" | "Threads" | "MultiPV") {
            assert_eq!(found[0].1["min"], ["1"], "{name}");
        }
        if name == "UCI_Variant" {
            assert_eq!(found[0].1["var"], ["chesquerque", "masonic", "alquerque"]);
        }
    }
}

/// `uci` says the same again, also after play.
#[test]
fn uci_can_be_asked_again() {
    let mut engine = Engine::shared();
    let first = greeting(&mut engine);
    engine.search(&Game::start(), "go depth 2");
    assert_eq!(greeting(&mut engine), first);
    engine.begin(&Game::start(), "go infinite");
    engine.still_searching(WATCH);
    engine.say("uci");
    engine.expect("uciok during a search", |line| line == "uciok");
    engine.say("stop");
    engine.sync();
}

/// Nothing comes before it is asked for, and commands without an answer have
/// none.
#[test]
fn nothing_is_said_unasked() {
    let mut engine = Engine::shared();
    let early = engine.listen(WATCH);
    assert!(early.is_empty(), "said before anything was asked: {}", early[0].text);
    let silent = [
        "",
        "   \t ",
        "stop\nstop\nstop",
        "ponderhit",
        "ucinewgame",
        "position startpos moves e2e4 e8e6",
        "debug off",
        "register name Somebody code 4711",
        "setoption name Ponder value true",
        "setoption name Clear Hash",
        "ucinewgame\nposition startpos\nstop",
    ];
    for line in silent {
        engine.silently(line);
    }
    let late = engine.listen(WATCH);
    assert!(late.is_empty(), "said when idle: {}", late[0].text);
}

/// The line that describes the board to a relay comes after the variant was
/// set, every time, and at no other moment.
#[test]
fn the_variant_line_follows_the_option_only() {
    let mut engine = Engine::shared();
    let line =
        format!("variant chesquerque files 9 ranks 9 pocket 0 template fairy startpos {START}");
    let unasked = greeting(&mut engine);
    assert!(unasked.iter().all(|line| !line.starts_with("info")), "{unasked:?}");
    for _ in 0..2 {
        assert_eq!(engine.notice("setoption name UCI_Variant value chesquerque"), line);
    }
    engine.silently("ucinewgame");
    let refused = engine.notice("setoption name UCI_Variant value chess");
    assert!(!refused.contains("template"), "{refused}");
    engine.search(&Game::start(), "go depth 1");
}

/// With `debug on` there may be more to read, but the protocol holds.
#[test]
fn debug_changes_nothing_but_notices() {
    let mut engine = Engine::shared();
    engine.say("debug on");
    for line in engine.sync() {
        assert!(line.starts_with("info string "), "{line}");
    }
    engine.search(&Game::start(), "go depth 2");
    engine.say("debug off");
    engine.sync();
    engine.silently("position startpos");
}
