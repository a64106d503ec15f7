use std::process::Command;

use crate::engine::{Engine, binary};
use crate::limits::WATCH;
use qirkat_testing::games::{Game, START};

/// The options, where `*` depends on the machine. Their syntax is tested with `qirkat compliance`.
const OPTIONS: [&str; 20] = [
    "Debug Log File type string default <empty>",
    "Hash type spin default 16 min 1 max *",
    "Clear Hash type button",
    "Threads type spin default 1 min 1 max *",
    "MultiPV type spin default 1 min 1 max 974",
    "Ponder type check default false",
    "Move Overhead type spin default 20 min 0 max 5000",
    "Skill Level type spin default 20 min 0 max 20",
    "UCI_LimitStrength type check default false",
    "UCI_Elo type spin default 2550 min 500 max 2550",
    "EvalFile type string default <embedded>",
    "TablePath type string default <embedded>",
    "OwnBook type check default false",
    "BookFile type string default <embedded>",
    "BookDepth type spin default 255 min 0 max 255",
    "BookVariety type spin default 0 min 0 max 1000",
    "UCI_Variant type combo default chesquerque var chesquerque var masonic var alquerque",
    "UCI_AnalyseMode type check default false",
    "UCI_ShowWDL type check default false",
    "nodestime type spin default 0 min 0 max 10000",
];

fn greeting(engine: &mut Engine) -> Vec<String> {
    engine.say("uci");
    let lines = engine.until("uciok", |line| line == "uciok");
    lines.into_iter().map(|line| line.text).collect()
}

#[test]
fn uci_reports_name_author_and_options() {
    let mut engine = Engine::shared();
    let said = greeting(&mut engine);
    let asked = Command::new(binary()).arg("--version").output().expect("the binary starts");
    let version = String::from_utf8(asked.stdout).expect("a text");
    assert_eq!(said[0], format!("id name Qirkat {}", version.trim().trim_start_matches("qirkat ")));
    let version = concat!("id name Qirkat ", env!("CARGO_PKG_VERSION"), " (");
    assert!(said[0].starts_with(version) && said[0].contains("network "), "{}", said[0]);
    let author = said[1].strip_prefix("id author ").expect("the author comes second");
    assert!(!author.trim().is_empty(), "the author has a name");

    assert_eq!(said.len(), 2 + OPTIONS.len() + 1, "{said:?}");
    for (line, option) in said[2..].iter().zip(OPTIONS) {
        let told = line.strip_prefix("option name ").expect(line);
        let is_same = match option.strip_suffix('*') {
            Some(start) => told.strip_prefix(start).is_some_and(|max| max.parse::<u64>().is_ok()),
            None => told == option,
        };
        assert!(is_same, "{line} is not {option}");
    }
}

#[test]
fn uci_can_be_repeated() {
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

#[test]
fn there_is_no_unsolicited_output() {
    let mut engine = Engine::shared();
    let early = engine.listen(WATCH);
    assert!(early.is_empty(), "said before anything was asked: {}", early[0].text);
    for lines in [
        "\n   \t \nstop\nstop\nstop\nponderhit",
        "ucinewgame\nposition startpos moves e2e4 e8e6\ndebug off",
        "register name Somebody code 4711\nsetoption name Ponder value true",
        "setoption name Clear Hash\nucinewgame\nposition startpos\nstop",
    ] {
        engine.silently(lines);
    }
    let late = engine.listen(WATCH);
    assert!(late.is_empty(), "said when idle: {}", late[0].text);
}

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
