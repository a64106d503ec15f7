//! `qirkat tables` from outside.

use std::fs;
use std::process::Output;

use crate::files::{folder, write};
use crate::run::{good_output, qirkat, text};

fn run(arguments: &[&str]) -> Output {
    qirkat([&["tables"], arguments].concat()).output().expect("the binary runs")
}

/// Runs what has to succeed, without a word on stderr.
fn good(arguments: &[&str]) -> String {
    good_output(&run(arguments), &arguments)
}

/// A survey finds what the tables in the program come to, and goes on where it ended.
#[test]
fn a_survey_writes_what_tables_come_to() {
    let folder = folder();
    let path = folder.path().join("survey.jsonl");
    let path = path.to_str().expect("a path in UTF-8");
    good(&["survey", "--output", path, "KRvK"]);
    let lines = good(&["survey", "--output", path, "KRvK", "KBvK", "KNvK", "--threads", "1"]);
    assert_eq!(lines.lines().count(), 2, "{lines}");
    let stats = |table: &str| good(&["stats", "--json", table]);
    let expected = ["KRvK", "KBvK", "KNvK"].map(stats).concat();
    assert_eq!(fs::read_to_string(path).expect("written"), expected);
    assert_eq!(
        good(&["survey", "--output", path, "KNvK"]),
        format!("{path} has all of these tables already\n")
    );
}

/// A position that has ended is told so, in place of moves that there are not.
#[test]
fn a_probe_tells_that_the_game_is_over() {
    for (fen, end) in [
        ("R3k4/9/4K4/9/9/9/9/9/9 b - - 0 1", "The game is over: White mates."),
        ("k8/9/KQ7/9/9/9/9/9/9 b - - 0 1", "The game is over: draw by stalemate."),
    ] {
        let told = good(&["probe", "--fen", fen]);
        assert!(told.ends_with(&format!("{end}\n")) && !told.contains("Move "), "{told}");
    }
    let told = good(&["probe", "--fen", "4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1"]);
    assert!(told.contains("Ra9#") && !told.contains("over"), "{told}");
}

/// What cannot be surveyed is refused in a line, before anything is written.
#[test]
fn a_survey_refuses_what_it_cannot_do() {
    let folder = folder();
    let odd = write(&folder, "odd.jsonl", "KRvK 19\n");
    let fresh = folder.path().join("fresh.jsonl");
    let fresh = fresh.to_str().expect("a path in UTF-8");
    for (arguments, complaint) in [
        (vec!["--output", &odd, "KRvK"], "odd.jsonl, line 1: not what a survey has written"),
        (vec!["--output", fresh, "KPvK"], "KPvK has pawns or more than 5 pieces"),
        (vec!["--output", fresh, "KQQQvKQ"], "KQQQvKQ has pawns or more than 5 pieces"),
        (vec!["--output", fresh, "--memory", "1", "KQQvK"], "MB of memory, where 1 MB are allowed"),
    ] {
        let output = run(&[&["survey"], &*arguments].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(complaint) && error.lines().count() == 1, "{error}");
        assert_eq!(text(&output.stdout), "");
    }
    assert!(fs::read_to_string(fresh).unwrap_or_default().is_empty());
    assert_eq!(fs::read_to_string(&odd).expect("there"), "KRvK 19\n");
}
