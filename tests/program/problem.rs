//! `qirkat problem` from outside.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::run::{good_output, qirkat, text, with_input};

const MATE: &str = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1";
const LADDER: &str = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";

fn run(arguments: &[&str]) -> Output {
    qirkat(["problem"]).args(arguments).output().expect("the binary runs")
}

/// Runs what has to succeed, without a word on stderr.
fn good(arguments: &[&str]) -> String {
    good_output(&run(arguments), &arguments)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim()).expect("a JSON object")
}

#[test]
fn a_position_is_solved() {
    let out = good(&["--fen", LADDER, "--stipulation", "#2", "--set-play", "--tries"]);
    assert!(out.starts_with(&format!("#2, White to move\n{LADDER}\n")), "{out}");
    assert!(out.contains("\nSet play:") && out.contains("\n1.Ra8!"), "{out}");
    assert!(out.contains("\nCooked: 2 keys, Rb8, Ra8.\n"), "{out}");
}

#[test]
fn a_solution_for_programs() {
    let out = good(&["--fen", LADDER, "--stipulation", "dm2", "--json"]);
    let found = json(&out);
    assert_eq!(out.lines().count(), 1);
    assert_eq!(found["verdict"], "cooked");
    assert_eq!(found["stipulation"], "#2");
    assert_eq!(found["proved"], true);
    assert_eq!(found["keys"][0]["uci"], "b2b8");
    assert_eq!(found["keys"][1]["san"], "Ra8");
    let variations = found["tree"][0]["play"]["variations"].as_array().expect("variations");
    assert!(variations.iter().all(|it| it["continuations"][0]["moves"] == 1), "{out}");
}

#[test]
fn files_are_solved_line_by_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("problems.epd");
    let lines = "# three\n\nk8/9/K8/9/9/9/9/8R/9 w - - dm 1; bm Ri9; id \"one\";\n\
                 4k4/9/9/9/9/9/R8/1R7/4K4 w - - dm 2; bm b2b8;\n\
                 k8/9/K8/9/9/9/9/8R/9 w - - hm 0.5; id \"help\";\n";
    fs::write(&path, lines).expect("written");
    let path = path.display().to_string();
    let out = good(&[&path, "--epd"]);
    let lines: Vec<&str> = out.lines().collect();
    let [one, cooked, help] = lines[..] else { panic!("{out}") };
    assert!(one.starts_with("k8/9/K8/9/9/9/9/8R/9 w - - dm 1; bm Ri9; id \"one\"; acn "), "{one}");
    assert!(one.ends_with(" c9 \"Sound: one key, Ri9#.\";"), "{one}");
    assert!(cooked.ends_with(" c9 \"Cooked: Ra8 also solves.\";"), "{cooked}");
    assert!(help.contains(" hm 0.5;") && help.contains("Sound: one solution."), "{help}");
    // The option goes before what the file says.
    let out = good(&[&path, "--epd", "--stipulation", "#1"]);
    assert!(out.lines().nth(2).is_some_and(|line| line.contains("c9 \"Sound")), "{out}");
}

#[test]
fn what_cannot_be_read_is_told_and_left_out() {
    let board = "4k4/9/9/9/9/9/9/9/R3K4 w Q -";
    let input = format!(
        "nonsense dm 2;\n{board} id \"x\";\n{board} dm many;\n{board} dm;\n{board} dm 2; sm 2;\n\
         {board} dm 2.5;\n{board} dm 1; bm Qd4;\n{board} dm 1; id \"x;\n{board} dm 0;\n\
         k8/9/K8/9/9/9/9/8R/9 w - - dm 1;\n"
    );
    let output = with_input(qirkat(["problem", "-", "--json"]), &input);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert_eq!(json(&out)["verdict"], "sound");
    let complaints: Vec<&str> = err.lines().collect();
    let expected = [
        "-, line 1: board: 1 rank instead of 9",
        "-, line 2: no `dm`, `hm` or `sm` with the number of moves",
        "-, line 3: dm: `many` is no stipulation",
        "-, line 4: dm: no number of moves",
        "-, line 5: both `dm` and `sm`",
        "-, line 6: dm: `2.5`: only helpmates have half a move",
        "-, line 7: bm Qd4: ",
        "-, line 8: no closing quotation mark",
        "-, line 9: dm: `0`: a stipulation has 1 to 64 moves",
    ];
    assert_eq!(complaints.len(), expected.len(), "{err}");
    for (complaint, expected) in complaints.iter().zip(expected) {
        assert!(complaint.starts_with(&format!("qirkat: {expected}")), "{complaint}");
        assert!(complaint.ends_with(", left out"), "{complaint}");
    }
}

#[test]
fn bad_calls_are_one_clear_line() {
    for (line, complaint) in [
        (vec!["--fen", MATE], "--stipulation <AIM>"),
        (vec!["--fen", MATE, "--stipulation", "2"], "`2` is no stipulation such as"),
        (vec!["--fen", MATE, "--stipulation", "#0"], "1 to 64 moves"),
        (vec!["--fen", MATE, "--stipulation", "#65"], "1 to 64 moves"),
        (vec!["--fen", "k8 w", "--stipulation", "#2"], "--fen: board: 1 rank instead of 9"),
        (vec!["missing.epd"], "missing.epd: No such file"),
        (vec![], "<FILE>"),
        (vec!["x.epd", "--fen", MATE], "cannot be used with"),
        (vec!["-"], "-: no position in it"),
        (vec!["--fen", MATE, "--stipulation", "#2", "--time", "0"], "above zero"),
        (vec!["--fen", MATE, "--stipulation", "#2", "--hash", "0"], "megabytes"),
        (vec!["--fen", MATE, "--stipulation", "#2", "--json", "--epd"], "cannot be used with"),
        (vec!["--game", "alquerque", "-"], "there is no mate in it"),
        (vec!["compose", "--fen", MATE], "--stipulation <AIM>"),
        (vec!["compose", "--stipulation", "#2"], "--fen <FEN>"),
    ] {
        let output = run(&line);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((out.as_str(), output.status.code()), ("", Some(2)), "{line:?}\n{err}");
        assert!(err.starts_with("qirkat: ") && err.contains(complaint), "{line:?}\n{err}");
        assert_eq!(err.lines().count(), 1, "{line:?}\n{err}");
    }
}

/// A mate in twelve from the start is not proved in a moment, and that is said.
#[test]
fn time_ends_a_proof_that_is_not_there() {
    let start = "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1";
    let arguments = ["--fen", start, "--stipulation", "#12", "--time", "0.2", "--json"];
    let found = json(&good(&arguments));
    assert_eq!(found["verdict"], "not proved");
    assert_eq!(found["proved"], false);
    assert!(!found["open"].as_array().expect("moves").is_empty());
}

#[test]
fn neighbours_with_one_solution_are_found() {
    let arguments = ["compose", "--fen", MATE, "--stipulation", "#1", "--json"];
    let out = good(&arguments);
    let found: Vec<Value> = out.lines().map(json).collect();
    assert!(found.len() > 10, "{out}");
    let is_one = |it: &Value| it["solution"].as_array().is_some_and(|moves| moves.len() == 1);
    assert!(found.iter().all(is_one), "{out}");
    assert!(found.iter().any(|it| it["change"] == "Ri2-h2"), "{out}");
    // Each of them is a sound problem by itself.
    let fen = found[0]["fen"].as_str().expect("a FEN");
    let solved = json(&good(&["--fen", fen, "--stipulation", "#1", "--json"]));
    assert_eq!(solved["verdict"], "sound");
    let out = good(&arguments[..5]);
    assert!(
        out.trim_end().lines().last().is_some_and(|line| line.contains(" neighbours")),
        "{out}"
    );
}
