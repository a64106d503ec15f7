//! `qirkat annotate` from outside.

use std::fs;
use std::io::Write;
use std::process::{Command, Output};

use serde_json::Value;

use crate::files::{folder, write};
use crate::run::{good_output, interrupted_at, qirkat, text};

/// A rook is put where it is taken; a game without moves; a game of men.
const GAMES: &str = r#"[Event "Test"]
[White "Anna"]
[Black "Bert"]
[Result "0-1"]
[FEN "4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1"]

{Rooks} 1. Ra5 $1 {[%clk 0:01:02] mine} Rxa5 2. Ke2 Ke8 0-1

[Event "Test"]
[White "Cleo"]
[Result "*"]

*

[Event "Test"]
[White "Dora"]
[Variant "Alquerque"]

1. d3c3 b3d3 *
"#;

fn command(arguments: &[&str]) -> Command {
    let mut command = qirkat([&["annotate", "--hash", "1"], arguments].concat());
    command.env("LC_ALL", "C");
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the binary runs")
}

/// Runs what has to succeed, without a word on stderr.
fn good(arguments: &[&str]) -> String {
    good_output(&run(arguments), &arguments)
}

#[test]
fn the_report_tells_the_turning_points() {
    let folder = folder();
    let file = write(&folder, "games.pgn", GAMES);
    let svg = folder.path().join("graph.svg");
    let svg = svg.to_str().expect("a path in UTF-8");
    let out = good(&[&file, "--depth", "6", "--svg", svg]);
    for words in [
        "Game 1: Anna - Bert, 0-1, Chesquerque, 4 plies",
        "1. Ra5??",
        "Black's Rxa5 then ",
        "Then:   Rxa5 ",
        "Better: Rxa6",
        "Game 2: Cleo - ?, *, Chesquerque, 0 plies",
        "There are no moves.",
        "Game 3: Dora - ?, *, Alquerque, 2 plies",
        "Then:   b3d3 ",
        "Given away",
    ] {
        assert!(out.contains(words), "no {words:?} in {out}");
    }
    assert!(out.is_ascii() && out.contains('#'), "{out}");
    assert!(out.lines().all(|line| line.len() <= 80), "{out}");
    for name in ["graph.svg", "graph-2.svg", "graph-3.svg"] {
        let picture = fs::read_to_string(folder.path().join(name)).expect(name);
        assert!(picture.starts_with("<svg"), "{picture}");
    }
    let listed = good(&[&file, "--depth", "6", "--game", "1", "--moves"]);
    assert!(listed.contains("Best line") && listed.contains("1...Rxa5"), "{listed}");
    assert!(!listed.contains("Game 2"), "{listed}");
}

#[test]
fn annotated_games_are_sound_pgn() {
    let folder = folder();
    let file = write(&folder, "games.pgn", GAMES);
    let pgn = good(&[&file, "--depth", "6", "--pgn"]);
    let flat = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "1. Ra5 $1 $4 {[%eval ",
        "] Blunder (",
        " [%wdl ",
        "] [%clk 0:01:02] mine} (1. Rxa6 {[%eval ",
    ] {
        assert!(flat.contains(words), "no {words:?} in {pgn}");
    }
    assert_eq!(pgn, good(&[&file, "--depth", "6", "--pgn"]), "the same every time");
    let annotated = write(&folder, "annotated.pgn", &pgn);
    let output = qirkat(["pgn", "check", &annotated]).output().expect("the binary runs");
    assert_eq!(text(&output.stdout), "3 games, 0 faults\n");
    let lan = good(&[&file, "--depth", "2", "--pgn", "--notation", "lan", "--drop-comments"]);
    assert!(lan.contains("1. a1a5") && !lan.contains("mine") && lan.contains("[%clk"), "{lan}");
}

/// The second review takes the place of the first, whatever that has found, and people's own
/// words and variations stay.
#[test]
fn annotating_again_is_annotating_once() {
    let folder = folder();
    let games = GAMES.replace("mine} Rxa5", "mine} (1. Kd1 {theirs} Rb6) (1. Rxa6) Rxa5");
    let games = games.replacen("[Event", "[Annotator \"Cleo\"]\n[Event", 1);
    let file = write(&folder, "games.pgn", &games);
    let once = good(&[&file, "--depth", "6", "--pgn"]);
    for words in ["[Annotator \"Cleo, Qirkat ", "mine}", "(1. Kd1 {theirs} 1... Rb6)", "(1. Rxa6)"]
    {
        assert!(once.contains(words), "no {words:?} in {once}");
    }
    let annotated = write(&folder, "once.pgn", &once);
    assert_eq!(good(&[&annotated, "--depth", "6", "--pgn"]), once);
    let shallow = good(&[&annotated, "--depth", "2", "--variation", "3", "--pgn"]);
    assert_eq!(shallow, good(&[&file, "--depth", "2", "--variation", "3", "--pgn"]));
    let shallow = write(&folder, "shallow.pgn", &shallow);
    assert_eq!(good(&[&shallow, "--depth", "6", "--pgn"]), once);
}

#[test]
fn faulty_games_are_kept_beside_the_output() {
    let folder = folder();
    let faulty = "[Event \"x\"]\n\n1. e4 Ke5 {no} *";
    let file = write(&folder, "games.pgn", &format!("{faulty}\n\n{GAMES}"));
    let output = folder.path().join("out.pgn");
    let output = output.to_str().expect("UTF-8");
    for more in [&[][..], &["--resume"]] {
        let done = run(&[&[&file, "--depth", "1", "--output", output], more].concat());
        let errors = text(&done.stderr);
        assert!(errors.ends_with(&format!(", kept in {output}.rejected.pgn\n")), "{errors}");
        assert_eq!((errors.lines().count(), done.status.code()), (1, Some(1)), "{errors}");
        let kept = fs::read_to_string(format!("{output}.rejected.pgn")).expect("what was kept");
        assert_eq!(kept, format!("{faulty}\n\n"));
    }
}

#[test]
fn programs_get_an_object_for_each_game() {
    let folder = folder();
    let file = write(&folder, "games.pgn", GAMES);
    let out = good(&[&file, "--depth", "6", "--json"]);
    let games: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(games.len(), 3);
    let first = &games[0]["moves"][0];
    assert_eq!((&first["san"], &first["mark"]), (&"Ra5".into(), &"blunder".into()), "{first}");
    assert_eq!(first["best"]["pv"][0], "a1a6");
    assert!(first["loss"].as_f64() > Some(0.4) && first["reason"].is_string(), "{first}");
    assert_eq!(games[0]["accuracy"]["white"]["game"]["blunders"], 1);
    let wdl = first["wdl"].as_array().expect("three numbers");
    assert_eq!(wdl.iter().filter_map(Value::as_u64).sum::<u64>(), 1000);
    assert_eq!(games[2]["variant"], "alquerque");
}

/// Broken off by Ctrl-C after some games, then by a torn end, and gone on with: the file
/// is the one of a run without a break.
#[test]
fn a_review_goes_on_where_it_was_broken_off() {
    let folder = folder();
    let file = write(&folder, "games.pgn", &GAMES.repeat(12));
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (whole, part) = (path("whole.pgn"), path("part.pgn"));
    good(&[&file, "--nodes", "1000", "--output", &whole]);

    let begun = command(&[&file, "--nodes", "1000", "--output", &part]);
    let output = interrupted_at(begun, "Game 4");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("stopped in game ") && errors.contains("--resume"), "{errors}");

    for (arguments, complaint) in [
        (vec!["--nodes", "1000"], "exists already: go on with --resume"),
        (vec!["--nodes", "1001", "--resume"], "--nodes was `1000`, is now `1001`"),
        (vec!["--nodes", "1000", "--resume", "--game", "2"], "--game was not set, is now `2`"),
    ] {
        let all = [&[file.as_str(), "--output", &part], arguments.as_slice()].concat();
        let output = run(&all);
        let errors = text(&output.stderr);
        assert!(errors.contains(complaint) && errors.lines().count() == 1, "{errors}");
        assert_eq!(output.status.code(), Some(2), "{all:?}");
    }

    let mut torn = fs::OpenOptions::new().append(true).open(&part).expect("the output");
    torn.write_all(b"[Event \"Test\"]\n\n1. e4 {[%eva").expect("room on the disk");
    good(&[&file, "--nodes", "1000", "--output", &part, "--resume"]);
    let read = |path: &str| fs::read_to_string(path).expect("the output");
    assert!(read(&whole) == read(&part), "{}", read(&part));
    // Once more, and nothing is left to do.
    let out = good(&[&file, "--nodes", "1000", "--output", &part, "--resume"]);
    assert!(out.ends_with(": 36 games annotated\n") && out.lines().count() == 1, "{out}");
}

#[test]
fn misuse_is_told_in_a_line() {
    let folder = folder();
    let file = write(&folder, "games.pgn", GAMES);
    let empty = write(&folder, "empty.pgn", "\n");
    let program = write(&folder, "program", &"\0\u{1}ELF * *\n".repeat(5000));
    let folder_name = folder.path().to_str().expect("UTF-8").to_owned();
    for (arguments, complaint) in [
        (vec!["/nowhere/games.pgn"], "/nowhere/games.pgn: "),
        (vec![&folder_name], "is a folder"),
        (vec![&file, "--game", "9", "--depth", "1"], "--game 9: there are no more than 3"),
        (vec![&file, "--depth", "1", "--nodes", "5"], "cannot be used with"),
        (vec![&file, "--total-time", "0"], "no time at all"),
        (vec![&file, "--output", "/nowhere/a.pgn"], "there is no such folder"),
        (vec![&file, "--svg", "/nowhere/a.svg"], "there is no such folder"),
        (vec![&file, "--resume"], "--output"),
        (vec!["-", "--total-time", "5"], "--total-time needs files"),
        (vec![&empty], "there is no game in "),
        (vec![&program], "program: not a text, and no PGN"),
    ] {
        let output = run(&arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(complaint) && errors.lines().count() == 1, "{errors}");
    }
    // A faulty game is left out, the others are still reviewed.
    let faulty = write(&folder, "faulty.pgn", &format!("1. e4 Ke5 *\n\n{GAMES}"));
    let output = run(&[&faulty, "--depth", "2", "--json"]);
    assert_eq!(text(&output.stdout).lines().count(), 3);
    assert!(text(&output.stderr).contains("game 1, line 1: move 1... Ke5"));
    assert_eq!(output.status.code(), Some(1));
}
