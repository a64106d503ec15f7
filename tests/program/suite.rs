//! `qirkat suite` from outside.

use std::fs;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{good_output, qirkat, text};

/// A mate in one, a mate in two, and a mate in one with a wrong solution.
const SUITE: &str = "# three positions\n\n\
    9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60 bm h7i7 Qh2; dm 1; id \"mate-1-01\";\n\
    4k4/9/9/9/9/9/R8/1R7/4K4 w - - bm Ra8 b2b8; id \"ladder-01\"; c0 \"two rooks; one king\";\n\
    9/9/7Q1/9/9/9/9/8k/7K1 w - - bm Qa7; id \"mate-1-02\"\n";

/// A folder that goes with the test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"))
    }

    fn file(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).expect("a file for the test");
    }

    fn run(&self, line: &str) -> Output {
        qirkat(["suite"])
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .expect("the binary runs")
    }

    /// Runs what has to succeed, without a word on stderr.
    fn good(&self, line: &str) -> String {
        good_output(&self.run(line), &line)
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn the_report_has_rows_and_a_table() {
    let folder = Folder::new();
    folder.file("three.epd", SUITE);
    let out = folder.good("three.epd --nodes 2000 --hash 1");
    let lines: Vec<&str> = out.lines().collect();
    let [head, first, second, third, "", table, mate, ladder, all] = lines[..] else {
        panic!("{out}")
    };
    assert_eq!(words(head), ["Position", "Solved", "Depth", "Nodes", "Time", "Move", "Best"]);
    let [id, solved, _, nodes, _, played, best, other] = words(first)[..] else {
        panic!("{first}")
    };
    assert_eq!([id, solved, best, other], ["mate-1-01", "yes", "Qi7#", "Qh2#"]);
    assert!([best, other].contains(&played), "{first}");
    assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes <= 2000), "{first}");
    let [id, "yes", .., best, other] = words(second)[..] else { panic!("{second}") };
    assert_eq!([id, best, other], ["ladder-01", "Ra8", "Rb8"]);
    let [id, solved, .., best] = words(third)[..] else { panic!("{third}") };
    assert_eq!([id, solved, best], ["mate-1-02", "no", "Qa7"]);
    let budgets = "Solved within 100 nodes 200 nodes 500 nodes 1000 nodes 2000 nodes of".split(' ');
    assert!(words(table).into_iter().eq(budgets), "{table}");
    let [name, counts @ .., problems] = &words(mate)[..] else { panic!("{mate}") };
    assert_eq!((*name, counts.last(), *problems), ("mate-1", Some(&"1"), "2"));
    assert_eq!(words(ladder).first(), Some(&"ladder"));
    let [name, counts @ .., problems] = &words(all)[..] else { panic!("{all}") };
    assert_eq!((*name, counts.last(), *problems), ("all", Some(&"2"), "3"));
}

/// Nothing in a suite under a node budget depends on the clock.
#[test]
fn the_same_nodes_find_the_same() {
    let folder = Folder::new();
    let found = || -> Vec<Value> {
        let out = folder.good("--nodes 300 --hash 1 --json");
        let mut lines: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for line in &mut lines {
            line.as_object_mut().expect("an object").remove("time_ms");
        }
        lines
    };
    let lines = found();
    assert!(lines == found(), "another run found something else");
    let (tally, attempts) = lines.split_last().expect("lines");
    let solved = attempts.iter().filter(|attempt| attempt["solved"] == true).count();
    assert!(attempts.len() >= 100, "a small suite");
    assert_eq!(tally["all"]["problems"], attempts.len());
    assert_eq!(tally["all"]["solved"][4], solved);
    assert_eq!(tally["budgets"][4], "300 nodes");
    for attempt in attempts {
        for key in ["id", "class", "bm", "move", "depth", "nodes"] {
            assert!(!attempt[key].is_null(), "no {key} in {attempt}");
        }
        assert!(attempt["cp"].is_null() != attempt["mate"].is_null(), "{attempt}");
    }
}

#[test]
fn budgets_are_kept() {
    let folder = Folder::new();
    folder.file("three.epd", SUITE);
    let out = folder.good("three.epd --depth 2 --threads 2 --hash 1");
    assert!(out.contains("Solved within   depth 1   depth 2 "), "{out}");
    let out = folder.good("three.epd --movetime 20 --hash 1");
    assert!(out.contains(" 1 ms      2 ms      5 ms     10 ms     20 ms"), "{out}");
}

#[test]
fn bad_input_is_one_clear_line() {
    let folder = Folder::new();
    let board = "4k4/9/9/9/9/9/9/9/R3K4 w Q -";
    folder.file("empty.epd", "# nothing\n");
    folder.file("fen.epd", &format!("\n{board} bm a1a9;\nnonsense w - - bm a1a9;\n"));
    folder.file("none.epd", &format!("{board} id \"x\";\n"));
    folder.file("illegal.epd", &format!("{board} bm a1b3;\n"));
    folder.file("san.epd", &format!("{board} bm Qd4;\n"));
    folder.file("open.epd", &format!("{board} bm a1a9; id \"x;\n"));
    folder.file("mate.epd", &format!("{board} bm a1a9; dm many;\n"));
    folder.file("twice.epd", &format!("{board} bm a1a9; id x;\n{board} bm a1a8; id x;\n"));
    for (line, complaint) in [
        ("missing.epd", "missing.epd: No such file"),
        ("empty.epd", "empty.epd: no position in it"),
        ("fen.epd", "fen.epd, line 3: board: 1 rank instead of 9"),
        ("none.epd", "none.epd, line 1: no `bm` with the best moves"),
        ("illegal.epd", "illegal.epd, line 1: bm a1b3: "),
        ("san.epd", "san.epd, line 1: bm Qd4: "),
        ("open.epd", "open.epd, line 1: no closing quotation mark behind `x;`"),
        ("mate.epd", "mate.epd, line 1: dm: `many` is not a number of moves"),
        ("twice.epd", "twice.epd, line 2: the id `x` was there before"),
    ] {
        let output = folder.run(line);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((out.as_str(), output.status.code()), ("", Some(2)), "{line}\n{err}");
        assert!(err.starts_with("qirkat: ") && err.contains(complaint), "{line}\n{err}");
        assert_eq!(err.lines().count(), 1, "{line}\n{err}");
    }
    for line in ["--movetime 0", "--nodes 5 --depth 5", "--depth 0", "--nodes many", "a b"] {
        let output = folder.run(line);
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(2)), "{line}");
        assert!(!output.stderr.is_empty(), "{line}");
    }
}
