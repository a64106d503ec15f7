//! Matches that are broken off, and go on.

use std::fs;

use crate::arbiter::Folder;
use crate::games::{expect_each_once, tags};
use crate::script::{Behaviour, GOOD};

const GAMES: usize = 120;

fn line(more: &str) -> String {
    format!(
        "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT nodes=150 \
         -each nodes=300 option.Hash=1 -rounds {} -concurrency 2 -pgnout games.pgn \
         -report report.json {more}",
        GAMES / 2
    )
}

fn finished(folder: &Folder) -> usize {
    tags(&folder.read("games.pgn"), "GameNumber").len()
}

/// Breaks a match off after some games.
fn break_off(folder: &Folder, signal: &str, after: usize) -> (String, String, Option<i32>) {
    let more = if finished(folder) > 0 { "--resume" } else { "" };
    let mut running = folder.start(&line(more));
    running.wait_until("enough games", || finished(folder) >= after);
    running.signal(signal);
    folder.finish(running)
}

#[test]
fn a_killed_match_goes_on() {
    let folder = Folder::new();
    break_off(&folder, "KILL", 20);
    let killed = finished(&folder);
    assert!(killed < GAMES, "nothing was left to do");
    break_off(&folder, "KILL", killed + 20);
    let out = folder.play(&line("--resume"));
    expect_each_once(&folder, "games.pgn", GAMES);
    assert!(out.contains(&format!("Games: {GAMES}, ")), "{out}");
    // Once more: there is nothing to do, and the report is the same.
    let report = results(&folder);
    let again = folder.play(&line("--resume"));
    assert!(out.ends_with(&again), "{out}\n{again}");
    assert_eq!(report, results(&folder));
    // And the same as of a match that nobody broke off.
    fs::remove_file(folder.file("games.pgn")).expect("the games");
    folder.play(&line(""));
    assert_eq!(report, results(&folder));
}

/// The report without what is about one run only.
fn results(folder: &Folder) -> serde_json::Value {
    let text = folder.read("report.json");
    let mut report: serde_json::Value = serde_json::from_str(&text).expect("a report");
    let health = report.as_object_mut().expect("an object").remove("health");
    assert!(health.is_some());
    report
}

#[test]
fn a_game_cut_off_anywhere_is_played_again() {
    let folder = Folder::new();
    let line = |more: &str| {
        format!(
            "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT -each depth=1 \
             option.Hash=1 -games 2 -maxmoves 3 -concurrency 1 -pgnout games.pgn {more}"
        )
    };
    folder.play(&line(""));
    let whole = folder.read("games.pgn");
    let second = whole.rfind("[Event ").expect("a second game");
    let length = whole.len() - second;
    // Every byte would take long; all kinds of places do.
    for cut in (0..length).step_by(29).chain([1, length - 3, length - 2, length - 1, length]) {
        folder.write("games.pgn", &whole[..second + cut]);
        let out = folder.play(&line("--resume"));
        expect_each_once(&folder, "games.pgn", 2);
        assert!(out.contains("Games: 2, "), "{cut} bytes left\n{out}");
    }
}

#[test]
fn ctrl_c_ends_with_a_report() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = Folder::new();
        let (out, err, code) = break_off(&folder, signal, 3);
        assert_eq!(code, Some(2), "{out}\n{err}");
        let count = finished(&folder);
        expect_some(&folder, &out, count);
        assert!(err.contains(&format!("interrupted after {count} of {GAMES} games")), "{err}");
    }
}

fn expect_some(folder: &Folder, out: &str, count: usize) {
    folder.check_games("games.pgn");
    assert!((3..GAMES).contains(&count), "{count} games");
    assert!(out.contains(&format!("Games: {count}, ")), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("Finished game")).count(), count);
    assert_eq!(folder.read("report.json").matches("\"termination\"").count(), count);
}

#[test]
fn ctrl_c_gets_rid_of_those_who_do_not_listen() {
    let deaf = Behaviour {
        start: "trap '' TERM INT HUP; sleep 1000 &",
        go: "echo thinking > \"$0.asked\"; sleep 1000",
        ..GOOD
    };
    let folder = Folder::new();
    let engine = deaf.engine(&folder);
    let mut running = folder
        .start(&format!("match {engine} -engine name=B cmd=QIRKAT -each tc=1000 -concurrency 2"));
    running.wait_until("question", || !folder.read("engine.sh.asked").is_empty());
    running.signal("INT");
    let (out, err, code) = folder.finish(running);
    assert_eq!(code, Some(2), "{out}\n{err}");
    assert!(out.contains("Games: 0, "), "{out}");
}

#[test]
fn games_of_others_are_left_alone() {
    let folder = Folder::new();
    let line = |names: [&str; 2], more: &str| {
        let [a, b] = names;
        format!(
            "match -engine name={a} cmd=QIRKAT -engine name={b} cmd=QIRKAT -each depth=1 \
             -maxmoves 2 -concurrency 1 -pgnout games.pgn {more}"
        )
    };
    folder.play(&line(["A", "B"], ""));
    let games = folder.read("games.pgn");
    for (line, complaint) in [
        (line(["A", "B"], ""), "games.pgn holds games already"),
        (line(["A", "C"], "--resume"), "games.pgn: game 1 was played by others"),
        (line(["A", "B"], "-games 1 --resume"), "games.pgn: game 2 is not of this match"),
    ] {
        let (_, err, code) = folder.finish(folder.start(&line));
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(complaint), "{err}");
        assert_eq!(folder.read("games.pgn"), games);
    }
}
