//! `qirkat puzzles` from outside, with its answers through a pipe.

use std::process::{Command, Output, Stdio};

use crate::files::{folder, write};
use crate::run::{good_output, interrupted_at, qirkat, text, with_input};

/// A mate in one, a mate in two, a rook to be won, and a mate that `bm` does not know.
const PUZZLES: &str = "9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60 bm h7i7 Qh2; dm 1; id \"mate-1-01\";\n\
    4k4/9/9/9/9/9/R8/1R7/4K4 w - - bm Ra8 b2b8; dm 2; id \"mate-2-01\";\n\
    4k4/9/9/r8/9/9/9/9/R3K4 w - - bm Rxa6; id \"win-01\"; c0 \"wins a rook.\";\n\
    9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60 bm Qi7; id \"any-01\"\n";
const SUITE: &str = include_str!("../../src/analysis/suite/tactics.epd");

fn command(arguments: &[&str]) -> Command {
    qirkat([&["puzzles", "--hash", "1"], arguments].concat())
}

fn solve(arguments: &[&str], answers: &str) -> Output {
    with_input(command(arguments), answers)
}

/// Runs what has to succeed, without a word on stderr.
fn good(arguments: &[&str], answers: &str) -> String {
    good_output(&solve(arguments, answers), &arguments)
}

#[test]
fn answers_are_judged_and_explained() {
    let folder = folder();
    let file = write(&folder, "puzzles.epd", PUZZLES);
    let clean = "Solved 1 of 1, at the first try and without a hint.\n";
    let later = "Solved 1 of 1, 0 of them at the first try and without a hint.\n";
    let none = "Solved 0 of 1.\n";
    for (id, answers, told) in [
        ("mate-1-01", "Qh2\n", vec!["White to move mates in 1.", "Right: Qh2# is mate.", clean]),
        ("mate-1-01", "  h7i7  \r\n", vec!["Right: Qi7# is mate.", clean]),
        ("any-01", "Qh2", vec!["has one best idea.", "Right too: Qh2# mates in 1.", clean]),
        ("mate-2-01", "a3a7\n", vec!["Wrong. It mates only in 3.", "After Ra7: ", none]),
        (
            "win-01",
            "Ra5\nRxa6\n",
            vec![
                "Wrong. Black's Rxa5 then wins a rook.",
                "After Ra5: Rxa5",
                "Right: Rxa6 wins a rook.",
                later,
            ],
        ),
        (
            "win-01",
            "hint\nhint\nHINT\nhint\nsolution\nquit\n",
            vec![
                "The solution wins a rook.",
                "The rook on a1 moves.",
                "It goes to a6.",
                "That was all",
                "\nRxa6 wins a rook.",
                "Best play: Rxa6 ",
                none,
            ],
        ),
        ("win-01", "hint\nRxa6\n", vec![later]),
        (
            "win-01",
            "Rc4\ne3e4\n\nx\u{1b}[2J\nskip\n",
            vec![
                "`Rc4` is no legal move: a rook on a diagonal point moves orthogonally any\ndistance, ",
                "`e3e4` is no legal move: no piece stands on e3.",
                "`x\\u{1b}",
                none,
            ],
        ),
        ("win-01", "board\nhelp\nquit\n", vec!["Type a move", "Solved 0 of 0.\n"]),
        ("win-01", "", vec!["Puzzle 1 of 1: win-01", "Solved 0 of 0.\n"]),
    ] {
        let out = good(&[&file, "--id", id, "--nodes", "20000"], answers);
        for words in told {
            assert!(out.contains(words), "{id}, {answers:?}: no {words:?} in {out}");
        }
        assert!(out.lines().all(|line| line.len() <= 80), "{out}");
        assert!(!out.contains('\u{1b}'), "{out}");
    }
}

#[test]
fn who_leaves_gets_no_further_puzzle() {
    for answers in ["hint\nquit\n", "hint\n"] {
        let out = good(&["--nodes", "100"], answers);
        assert!(!out.contains("Puzzle 2"), "{answers:?}: {out}");
        assert!(out.ends_with("\nSolved 0 of 1.\n"), "{answers:?}: {out}");
    }
}

/// Every answer that the suite in the program knows is right.
#[test]
fn all_puzzles_of_the_suite_can_be_solved() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/src/analysis/suite/tactics.epd");
    let best = SUITE.lines().filter_map(|line| Some(line.split_once(" bm ")?.1));
    let answers: Vec<&str> = best.filter_map(|rest| rest.split([' ', ';']).next()).collect();
    let all = answers.len();
    assert!(all > 100, "a small suite");
    let out = good(&["--nodes", "100", suite], &answers.join("\n"));
    assert!(out.contains(&format!("Puzzle {all} of {all}: ")), "{out}");
    let score = format!("\nSolved {all} of {all}, at the first try and without a hint.\n");
    assert!(out.ends_with(&score), "{out}");
}

/// Puzzles are the same with any number of threads and after a break, and a file is neither
/// replaced nor gone on with otherwise than it was begun.
#[test]
fn puzzles_are_mined() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mine = |file: &str, more: &[&str]| {
        let usual = ["puzzles", "mine", "--game", "alquerque", "--output", file];
        qirkat([&usual[..], more].concat()).output().expect("the program starts")
    };
    let (first, second) = (path("first.epd"), path("second.epd"));
    let out = good_output(&mine(&first, &["--count", "3", "--threads", "1"]), &first);
    assert!(out.starts_with(&format!("{first}: 3 puzzles of ")), "{out}");
    good_output(&mine(&second, &["--count", "1", "--threads", "2"]), &second);
    let text_of = |path: &str| std::fs::read_to_string(path).expect("it was written");
    // A line that was cut off, as by a power cut, is mined again.
    std::fs::write(&second, text_of(&second) + "5/5/1m1").expect("a file of our own");
    let resumed = mine(&second, &["--count", "3", "--resume"]);
    let told = format!("qirkat: {second}: cut off 7 bytes of an unfinished line\n");
    assert_eq!((resumed.status.code(), text(&resumed.stderr)), (Some(0), told));
    assert_eq!(text_of(&first), text_of(&second));
    let posed = good(&["--game", "alquerque", "--theme", "ending", &first], "skip\n");
    assert!(posed.contains("Puzzle 1 of "), "{posed}");
    for (more, complaint) in [
        (&["--count", "4"][..], "first.epd exists already; continue it with --resume"),
        (&["--resume", "--eval-file", "<none>"], "was made otherwise: network of --eval-file was"),
    ] {
        let output = mine(&first, more);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(complaint) && errors.lines().count() == 1, "{errors}");
    }
}

#[test]
fn puzzles_are_chosen() {
    let order = |arguments: &[&str]| -> Vec<String> {
        let out = good(arguments, &"skip\n".repeat(200));
        let heads = out.lines().filter(|line| line.starts_with("Puzzle "));
        heads.filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect()
    };
    assert_eq!(order(&["--theme", "mate-3", "--level", "0-2", "--count", "2"]).len(), 2);
    assert_eq!(order(&["--id", "win-07", "--id", "mate-2-03"]), ["win-07", "mate-2-03"]);
    let easy = order(&["--game", "masonic", "--level", "4"]);
    assert!(easy.len() > 20 && easy.iter().all(|id| id.starts_with('m')), "{easy:?}");
    let random = |seed: &str| order(&["--random", "--seed", seed, "--count", "20"]);
    assert_eq!(random("7"), random("7"));
    assert_ne!(random("7"), random("8"));
    let out = good(&["--random", "--count", "1"], "");
    assert!(out.contains("In random order; --seed "), "{out}");
}

#[test]
fn ctrl_c_ends_it_with_the_score() {
    let mut command = command(&["--id", "mate-2-01"]);
    command.stdin(Stdio::piped());
    let output = interrupted_at(command, "to move mates in 2");
    let rest = text(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{rest}");
    assert_eq!(rest, "\nSolved 0 of 0.\n");
}

#[test]
fn misuse_is_told_in_a_line() {
    for (arguments, complaint) in [
        (vec!["--theme", "mate-9"], "no puzzle is of `mate-9`; there are "),
        (vec!["--theme", "mat"], "no puzzle is of `mat`"),
        (vec!["--id", "x"], "no puzzle is called `x`; they are "),
        (vec!["--id", "x", "--theme", "win"], "cannot be used with"),
        (vec!["--seed", "3"], "--random"),
        (vec!["--count", "0"], "--count"),
        (vec!["--level", "8-4"], "not a level from 0 to 20, nor two such as 4-8"),
        (vec!["--level", "1"], "no puzzle is of a level from 1 to 1"),
        (vec!["missing.epd"], "missing.epd: No such file"),
    ] {
        let output = solve(&arguments, "");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(complaint) && errors.lines().count() == 1, "{errors}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
}
