//! `qirkat analyse` from outside: where it looks, and how it shows what it has found.
//! More of it is tested with the other commands in `tests/protocol/command_line.rs`.

use std::process::Output;

use serde_json::Value;

use crate::files::{folder, write};
use crate::run::{good_output, interrupted_at, qirkat, text, with_input};

/// A broken game, then one with a free rook before its end.
const GAMES: &str = "[Event \"a\"]\n\n1. e4 Ke5 *\n\n[Event \"b\"]\n\
                     [FEN \"4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1\"]\n\n1. Ra5 Rxa5 2. Ke2 *\n";
const MATED: &str = "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60";

fn run(arguments: &[&str]) -> Output {
    let arguments = [&["analyse", "--hash", "1"], arguments].concat();
    qirkat(arguments).output().expect("the binary runs")
}

/// Runs what has to succeed, without a word on stderr.
fn good(arguments: &[&str]) -> String {
    good_output(&run(arguments), &arguments)
}

#[test]
fn a_game_in_a_file_is_looked_at_anywhere() {
    let folder = folder();
    let file = write(&folder, "games.pgn", GAMES);
    let at =
        |more: &[&str]| good(&[&["--pgn", &file, "--game", "2", "--depth", "4"], more].concat());
    assert!(at(&[]).contains("4k4/9/9/9/r8/9/9/4K4/9 b - - 1 2"));
    assert!(at(&["--ply", "1"]).contains("Best move: Rxa5"));
    let start = at(&["--ply", "0"]);
    assert!(start.contains("Best move: Rxa6") && start.contains("for White, who is to move"));
    // Moves go on from there.
    assert!(at(&["--ply", "0", "--moves", "Rxa6"]).contains("4k4/9/9/R8/9/9/9/9/4K4 b"));
    // The word in American English.
    let output = qirkat(["analyze", "--depth", "1"]).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn lines_fit_and_mates_are_whole() {
    let ladder = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";
    let out = good(&["--fen", ladder, "--depth", "12", "--multipv", "3"]);
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let first = out.lines().find(|line| line.starts_with("   1 ")).expect("a first line");
    assert!(first.contains('#'), "{out}");
    let rest: String = out.split_once(first).expect("it is there").1.to_owned();
    let whole = first.to_owned() + rest.split("\n   2 ").next().unwrap_or_default();
    assert!(whole.trim_end().ends_with('#'), "the line goes on to the mate: {out}");
    let start = good(&["--depth", "9"]);
    assert!(start.lines().all(|line| line.chars().count() <= 80), "{start}");
}

#[test]
fn mates_are_found_or_excluded() {
    let ladder = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";
    assert!(good(&["--fen", ladder, "--mate", "2"]).contains("#2"));
    assert!(good(&["--fen", ladder, "--mate", "1"]).contains("There is no mate in 1."));
    let only = good(&["--fen", ladder, "--searchmoves", "Ke2", "e1d1", "--depth", "3"]);
    assert!(only.contains("Best move: Ke2") || only.contains("Best move: Kd1"), "{only}");
}

#[test]
fn threats_are_those_of_the_other_side() {
    let hanging = "4k4/9/9/r8/9/9/9/9/R3K4 b - - 0 1";
    let out = good(&["--fen", hanging, "--depth", "5", "--threat"]);
    assert!(out.contains("Threat of White, ") && out.contains("Rxa6"), "{out}");
    let json = good(&["--fen", hanging, "--depth", "5", "--threat", "--json"]);
    let first: Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["threat"]["san"][0], "Rxa6", "{json}");
    let check = "4k4/9/9/9/4r4/9/9/9/4K4 w - - 0 1";
    for (arguments, words) in [
        (vec!["--fen", check], "No threat can be shown: the side to move is in check."),
        (vec!["--game", "alquerque"], "Threat of Black, "),
    ] {
        let out = good(&[arguments.as_slice(), &["--depth", "2", "--threat"]].concat());
        assert!(out.contains(words), "{out}");
    }
}

#[test]
fn positions_come_back_with_what_was_found() {
    let folder = folder();
    let positions = format!(
        "# two rooks\n4k4/9/9/9/9/9/R8/1R7/4K4 w - - id \"ladder\"; bm Ra8; ce 5;\n\nnonsense\n\
         {MATED} c0 \"over; lost\";\n9/9/9/k8/9/9/9/r8/4K4 b - -\n"
    );
    let file = write(&folder, "positions.epd", &positions);
    let output = run(&["--epd", &file, "--depth", "6"]);
    let out = text(&output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    let [ladder, mated, other] = lines[..] else { panic!("{out}") };
    let begin = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - id \"ladder\"; bm Ra8; acd 6; acn ";
    assert!(ladder.starts_with(begin), "{out}");
    assert!(ladder.contains("; ce 32764; pm ") && ladder.contains("; pv "), "{out}");
    assert_eq!(mated, "9/9/8Q/9/9/9/9/8k/7K1 b - - c0 \"over; lost\"; ce -32767;");
    assert!(other.contains("; bm ") && other.contains(" b - - acd 1;"), "tables: {out}");
    let errors = text(&output.stderr);
    assert!(errors.contains("positions.epd, line 4: ") && errors.lines().count() == 1, "{errors}");
    assert_eq!(output.status.code(), Some(1));

    // What comes out goes in again; `-` is standard input.
    let output = with_input(qirkat(["analyse", "--epd", "-", "--json", "--depth", "2"]), &out);
    let found: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(found.len(), 3);
    assert_eq!((&found[0]["id"], &found[0]["depth"]), (&"ladder".into(), &2.into()));
    assert!(found[1]["outcome"].is_string() && found[2]["pv"].is_array(), "{found:?}");
}

/// Ctrl-C is the way to end it, piped or not, and no fault.
#[test]
fn an_infinite_analysis_ends_with_its_table() {
    let command = qirkat(["analyse", "--infinite", "--multipv", "2"]);
    let output = interrupted_at(command, "White to move");
    let rest = text(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{rest}");
    assert!(rest.contains("Line    Score") && rest.contains("Best move: "), "{rest}");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn misuse_is_told_in_a_line() {
    let folder = folder();
    let file = write(&folder, "games.pgn", GAMES);
    let empty = write(&folder, "empty.pgn", "");
    for (arguments, complaint) in [
        (vec!["--game", "2"], "the number of a game goes with --pgn"),
        (vec!["--game", "go"], "not a game played here"),
        (vec!["--pgn", &file, "--game", "masonic"], "the number of the game"),
        (vec!["--pgn", &file, "--game", "3"], "holds 2"),
        (vec!["--pgn", &file, "--game", "0"], "holds 2"),
        (vec!["--pgn", &file, "--game", "1"], "not a legal move here"),
        (vec!["--pgn", &file, "--game", "2", "--ply", "9"], "has 3"),
        (vec!["--pgn", &empty], "holds no game"),
        (vec!["--epd", &empty], "there is no position in "),
        (vec!["--pgn", "/nowhere"], "/nowhere"),
        (vec!["--epd", "/nowhere"], "/nowhere"),
        (vec!["--ply", "3"], "--pgn"),
        (vec!["--pgn", &file, "--fen", MATED], "cannot be used with"),
        (vec!["--searchmoves", "e5"], "--searchmoves: `e5` is not legal"),
        (vec!["--infinite", "--depth", "3"], "cannot be used with"),
        (vec!["--mate", "0"], "--mate"),
        (vec!["--pgn", "/dev/zero"], "/dev/zero: not a text, and no PGN"),
        (vec!["--eval-file", ""], "--eval-file"),
        (vec!["--table-path", ""], "--table-path"),
    ] {
        let output = run(&arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(complaint) && errors.lines().count() == 1, "{errors}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
}

/// A pawn and its king against a king: tables know each line, so nothing is left to chance.
#[test]
fn chances_are_certain_where_tables_know_the_result() {
    let (won, drawn) = ("9/9/9/4k4/9/9/9/4P4/4K4 w - - 0 1", "9/9/9/4k4/9/4P4/9/9/4K4 b - - 0 1");
    for (game, fen, expected) in [
        ("chesquerque", won, [Some([1000, 0, 0]), Some([0, 1000, 0]), None]),
        ("chesquerque", drawn, [Some([0, 1000, 0]), Some([0, 0, 1000]), None]),
        ("masonic", "8/8/3k4/8/8/8/4P3/4K3 w - - 0 1", [None, None, None]),
    ] {
        let output = qirkat([
            "analyse",
            "--game",
            game,
            "--fen",
            fen,
            "--depth",
            "6",
            "--multipv",
            "9",
            "--json",
        ])
        .output()
        .expect("the binary runs");
        let lines: Vec<Value> = text(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .filter(|line: &Value| line["wdl"].is_array())
            .collect();
        assert!(!lines.is_empty(), "{fen}");
        let all = lines.iter().map(|line| line["wdl"].clone()).collect::<Vec<_>>();
        for wdl in &all {
            let certain = [[1000, 0, 0], [0, 1000, 0], [0, 0, 1000]];
            assert!(certain.iter().any(|known| *wdl == serde_json::json!(known)), "{fen}: {wdl}");
        }
        for expected in expected.into_iter().flatten() {
            assert!(all.contains(&serde_json::json!(expected)), "{fen}: {all:?}");
        }
    }
    // Without tables it is a guess.
    let output =
        qirkat(["analyse", "--fen", drawn, "--depth", "3", "--json", "--table-path", "<none>"])
            .output()
            .expect("the binary runs");
    assert!(!text(&output.stdout).contains("[0,1000,0]"), "{}", text(&output.stdout));
}
