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

/// Alquerque has tables too, of as many men as one likes.
#[test]
fn tables_of_alquerque_are_built_and_asked() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_str().expect("a path in UTF-8").to_owned();
    let (tables, survey) = (at("tables"), at("survey"));
    let game = ["--game", "alquerque"];
    let of_game = |arguments: &[&str]| good(&[&arguments[..1], &game, &arguments[1..]].concat());
    let built = of_game(&["build", "--men", "3", "--output", &tables]);
    assert_eq!(built.lines().count(), 3, "{built}");
    assert_eq!(of_game(&["check", "--path", &tables, "2v1"]), "2v1: 46291 entries, all right\n");
    of_game(&["survey", "--output", &survey, "2v2", "3v1"]);
    let found = fs::read_to_string(&survey).expect("written");
    let mut lines: Vec<&str> = found.split_inclusive('\n').collect();
    lines.sort_unstable();
    assert_eq!(lines.concat(), ["2v2", "3v1"].map(|it| of_game(&["stats", "--json", it])).concat());
    let probe = |fen: &str| of_game(&["probe", "--path", &tables, "--fen", fen]);
    let told = probe("5/2m2/5/2M2/5 w - - 0 1");
    assert!(told.contains("Plies\nc2b2       loss            16\n"), "{told}");
    // The same without the time for it.
    let told = probe("5/2m2/5/2M2/5 w - - 99 100");
    assert!(told.contains("c2b2       blessed-loss    16\n"), "{told}");
    let told = probe("5/5/5/5/2m2 w - - 0 1");
    assert!(told.contains("The game is over: ") && !told.contains("Move "), "{told}");
    for (arguments, complaint) in [
        (["probe", "--fen", "5/2mmm/5/2M2/1M3 w - - 0 1"], "no table for 3v2 and what it leads to"),
        (["check", "--men", "12"], "invalid value '12'"),
        (["stats", "--path", "nowhere"], "nowhere: "),
    ] {
        let output = run(&[&arguments[..1], &game, &arguments[1..]].concat());
        let error = text(&output.stderr);
        assert!(error.contains(complaint) && error.lines().count() == 1, "{error}");
        assert!(!output.status.success());
    }
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

/// A check fails where a file of the folder is left out, whatever tables are right, and so does
/// a folder without tables.
#[test]
fn a_check_fails_for_files_that_are_left_out() {
    let folder = folder();
    let path = folder.path().to_str().expect("a path in UTF-8");
    let told = |command: &str, status: i32| {
        let output = run(&[command, "--path", path, "KNvK"]);
        assert_eq!(output.status.code(), Some(status), "{command}");
        text(&output.stderr).to_owned()
    };
    for command in ["check", "stats"] {
        assert_eq!(told(command, 2), format!("qirkat: {path}: no tables there\n"));
    }
    write(&folder, "KNvK.qtb", "not a table");
    for (command, status) in [("check", 1), ("stats", 0)] {
        let expected = format!("qirkat: {path}/KNvK.qtb: not a table of Qirkat\n");
        assert_eq!(told(command, status), expected);
    }
}

/// A last line that was cut off, by a kill or a full disk, is told, taken away and solved again.
#[test]
fn a_survey_goes_on_behind_a_torn_line() {
    let folder = folder();
    let path = folder.path().join("survey.jsonl");
    let name = path.to_str().expect("a plain path").to_owned();
    let survey = ["survey", "--men", "3", "--threads", "1", "--output", &name];
    assert!(run(&survey).status.success());
    let whole = fs::read_to_string(&path).expect("there");
    let last = whole.trim_end().rfind('\n').expect("several lines") + 1;
    for (left, torn) in [
        (whole.as_bytes()[..last + 9].to_vec(), 9),
        (whole.trim_end().as_bytes().to_vec(), whole.len() - 1 - last),
        ([&whole.as_bytes()[..last], &[0; 40], b"\xFF"].concat(), 41),
        (whole.as_bytes()[..last].to_vec(), 0),
        (b"{".to_vec(), 1),
    ] {
        fs::write(&path, left).expect("room on the disk");
        let output = run(&survey);
        let told = text(&output.stderr);
        assert!(output.status.success(), "{told}");
        let unit = if torn == 1 { "byte" } else { "bytes" };
        let cut = format!("qirkat: {name}: cut off {torn} {unit} of an unfinished line\n");
        assert_eq!(told, if torn > 0 { cut } else { String::new() });
        let mut lines: Vec<String> = Vec::new();
        let text = fs::read_to_string(&path).expect("there");
        lines.extend(text.lines().map(str::to_owned));
        let mut expected: Vec<&str> = whole.lines().collect();
        lines.sort_unstable();
        expected.sort_unstable();
        assert_eq!(lines, expected);
    }
}

/// What cannot be surveyed is refused in a line, before anything is written.
#[test]
fn a_survey_refuses_what_it_cannot_do() {
    let folder = folder();
    let odd = write(&folder, "odd.jsonl", "KRvK 19\n");
    let fresh = folder.path().join("fresh.jsonl");
    let fresh = fresh.to_str().expect("a path in UTF-8");
    for (arguments, complaint) in [
        (vec!["--output", "/dev/full", "KRvK"], "/dev/full: is special, not a file to add to"),
        (vec!["--output", &odd, "KRvK"], "odd.jsonl, line 1: not what a survey has written"),
        (vec!["--output", fresh, "KPvK"], "KPvK has pawns or more than 5 pieces"),
        (vec!["--output", fresh, "KQQQvKQ"], "KQQQvKQ has pawns or more than 5 pieces"),
        (vec!["--output", fresh, "--memory", "1", "KQQvK"], "MB of memory, where 1 MB are allowed"),
        (vec!["--game", "masonic", "--output", fresh], "there is no survey of Masonic chess"),
        (vec!["--game", "alquerque", "--output", fresh, "3v0"], "`3v0` is no table such as 3v2"),
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
