//! `qirkat` with arguments.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Room, wait};
use crate::json;
use crate::limits::BENCH;
use qirkat_testing::games::{Game, MIDDLE, START};
use qirkat_testing::pipes::HUNG;

const TRAP: &str = "1n7/b1b3r2/3k1p1p1/p2Ppr3/1pP1PnP1p/B7P/P5P2/2Q3BA1/1N3KR2 b - - 0 1";
const MATED: &str = "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60";

struct Ran {
    status: i32,
    out: String,
    errors: String,
}

fn run(room: &Room, arguments: &[&str], input: &str) -> Ran {
    run_for(room, arguments, input, HUNG)
}

fn run_for(room: &Room, arguments: &[&str], input: &str, patience: Duration) -> Ran {
    let mut command = room.command();
    command.args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut out = child.stdout.take().expect("stdout is piped");
    let mut errors = child.stderr.take().expect("stderr is piped");
    let reader = thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let complaints = thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).map(|_| text)
    });
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let Some(status) = wait(&mut child, patience) else {
        let _ = child.kill();
        panic!("{arguments:?} does not end");
    };
    let text = |thread: thread::JoinHandle<std::io::Result<String>>| {
        thread.join().expect("the reader ends").expect("the output is UTF-8")
    };
    Ran {
        status: status.code().unwrap_or_else(|| panic!("{arguments:?}: {status}")),
        out: text(reader),
        errors: text(complaints),
    }
}

/// Runs what has to succeed, without a word on stderr.
fn good(room: &Room, arguments: &[&str]) -> String {
    let ran = run(room, arguments, "");
    assert_eq!((ran.status, ran.errors.as_str()), (0, ""), "{arguments:?}");
    ran.out
}

/// The count in a last line `N nodes M nps`.
fn bench_count(out: &str) -> u64 {
    assert!(out.is_ascii(), "a bench is plain ASCII");
    let last = out.lines().rev().find(|line| !line.trim().is_empty()).expect("a last line");
    let words: Vec<&str> = last.split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else {
        panic!("the last line is {last:?}");
    };
    assert!(speed.parse::<u64>().is_ok(), "{last}");
    nodes.parse().expect("a count of nodes")
}

/// The same bench has the same count every time, and another depth has
/// another one.
#[test]
fn bench_counts_the_same_every_time() {
    let room = Room::shared();
    let count = |depth: &str| bench_count(&good(&room, &["bench", "--depth", depth]));
    let (first, second, deeper) = (count("1"), count("1"), count("2"));
    assert_eq!(first, second);
    assert!(first > 40 && deeper > first, "{first} nodes, {deeper} a ply deeper");
}

/// A bench at the end of the input, as in `echo bench | qirkat`, and one with
/// `quit` behind it run to their end and count the same.
#[test]
fn a_piped_bench_runs_to_its_end() {
    let room = Room::shared();
    let known = bench_count(&good(&room, &["bench", "--depth", "2"]));
    let inputs = [
        "bench 2\n",
        "bench 2",
        "bench 2\nquit\n",
        "bench 2\nisready\nquit",
        "bench 2\r\nquit\r\n",
    ];
    for input in inputs {
        let ran = run(&room, &[], input);
        assert_eq!((ran.status, ran.errors.as_str()), (0, ""), "{input:?}");
        let lines: Vec<&str> = ran.out.lines().filter(|line| line.ends_with(" nps")).collect();
        assert_eq!(lines.len(), 1, "{input:?}: {}", ran.out);
        assert_eq!(bench_count(lines[0]), known, "{input:?}");
    }
    // One that takes seconds is not cut short either.
    let ran = run_for(&room, &[], "bench 5\nquit\n", BENCH);
    assert_eq!((ran.status, ran.errors.as_str()), (0, ""));
    assert!(bench_count(&ran.out) > known, "{}", ran.out);
}

/// The whole bench, from the command line and on stdin: the same count, each
/// within a minute. It needs a release build, so it is run on demand only.
#[test]
#[ignore = "takes up to two minutes, in a release build"]
fn the_whole_bench_counts_the_same_on_stdin() {
    let room = Room::alone();
    let ran = run_for(&room, &["bench"], "", BENCH);
    assert_eq!((ran.status, ran.errors.as_str()), (0, ""));
    let mut engine = room.engine();
    engine.say("bench");
    let end = Instant::now() + BENCH;
    let mut out = String::new();
    while !out.ends_with(" nps\n") {
        for line in engine.listen(Duration::from_millis(100)) {
            out += &line.text;
            out.push('\n');
        }
        assert!(Instant::now() < end, "a bench takes less than a minute");
    }
    assert_eq!(bench_count(&out), bench_count(&ran.out));
}

/// Whether a count stands in a text as a word of its own.
fn tells(text: &str, count: u64) -> bool {
    let count = count.to_string();
    text.split(|letter: char| !letter.is_ascii_digit()).any(|word| word == count)
}

/// `perft` knows its counts, from any position and with any number of threads.
#[test]
fn perft_counts() {
    let room = Room::shared();
    let cases: [(&[&str], u64); 8] = [
        (&["perft", "1"], 18),
        (&["perft", "3"], 6_746),
        (&["perft", "4", "--threads", "1"], 140_011),
        (&["perft", "4", "--threads", "2"], 140_011),
        (&["perft", "2", "--fen", TRAP], 893),
        (&["perft", "--fen", MIDDLE, "2"], 2_098),
        (&["perft", "3", "--fen", MIDDLE, "--threads", "3"], 93_662),
        (&["perft", "2", "--fen", MATED], 0),
    ];
    for (arguments, count) in cases {
        let out = good(&room, arguments);
        assert!(tells(&out, count), "{arguments:?}: no {count} in {out}");
    }
}

/// `--divide` shows the count of every move.
#[test]
fn perft_divides() {
    let room = Room::shared();
    for threads in ["1", "2"] {
        let out = good(&room, &["perft", "2", "--fen", TRAP, "--divide", "--threads", threads]);
        let rows = out.lines().filter_map(|line| line.trim().split_once(": "));
        let game = Game::from_fen(TRAP);
        let told: BTreeMap<String, u64> = rows
            .filter(|(text, _)| game.legal().iter().any(|legal| legal == text))
            .map(|(text, count)| (text.to_owned(), count.trim().parse().expect("a count")))
            .collect();
        let expected: BTreeMap<String, u64> = game
            .current()
            .legal_moves()
            .into_iter()
            .map(|each| (each.to_string(), game.current().play(each).legal_moves().len() as u64))
            .collect();
        assert_eq!(told, expected, "{out}");
        assert!(tells(&out, 893), "{out}");
    }
}

/// `analyse` draws the board and shows lines.
#[test]
fn analyse_shows_board_and_lines() {
    let room = Room::shared();
    let cases: [&[&str]; 6] = [
        &["analyse", "--depth", "2"],
        &["analyse", "--fen", MIDDLE, "--nodes", "500"],
        &["analyse", "--moves", "e2e4", "--movetime", "50"],
        &["analyse", "--fen", MIDDLE, "--depth", "2", "--multipv", "3"],
        &["analyse", "--depth", "1", "--multipv", "100"],
        &["analyse", "--fen", MATED, "--depth", "2"],
    ];
    for arguments in cases {
        let out = good(&room, arguments);
        assert!(out.lines().count() >= 9, "{arguments:?}: {out}");
    }
}

/// `--json` prints objects, one a line, and nothing else.
#[test]
fn analyse_speaks_json_lines() {
    let room = Room::shared();
    let cases: [(&[&str], Game); 4] = [
        (&["--depth", "3"], Game::start()),
        (&["--moves", "e2e4", "--depth", "2"], Game::start().moves("e2e4")),
        (&["--fen", MIDDLE, "--nodes", "800", "--multipv", "3"], Game::from_fen(MIDDLE)),
        (&["--fen", START, "--movetime", "40"], Game::start()),
    ];
    for (arguments, game) in cases {
        let out = good(&room, &[&["analyse", "--json"], arguments].concat());
        let mut texts = Vec::new();
        let mut keys = Vec::new();
        for line in out.lines() {
            let found = json::object(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            texts.extend(found.texts);
            keys.extend(found.keys);
        }
        for key in ["depth", "nodes", "pv"] {
            assert!(keys.iter().any(|found| found == key), "{arguments:?}: no {key} in {out}");
        }
        let moves = game.legal();
        let mut words = texts.iter().flat_map(|text| text.split_whitespace());
        assert!(words.any(|word| moves.iter().any(|legal| legal == word)), "{arguments:?}: {out}");
    }
    for line in good(&room, &["analyse", "--json", "--fen", MATED, "--depth", "2"]).lines() {
        json::object(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    }
}

/// Errors are one clear line on stderr, nothing on stdout, and status 2.
#[test]
fn bad_arguments_are_told() {
    let room = Room::shared();
    let no_king = "9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let one_line: [&[&str]; 6] = [
        &["perft", "2", "--fen", "nonsense"],
        &["perft", "2", "--fen", no_king],
        &["analyse", "--depth", "1", "--fen", ""],
        &[
            "analyse",
            "--depth",
            "1",
            "--fen",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ],
        &["analyse", "--json", "--depth", "1", "--fen", no_king],
        &["analyse", "--depth", "1", "--moves", "e2e5"],
    ];
    for arguments in one_line {
        let ran = run(&room, arguments, "");
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        let lines: Vec<&str> = ran.errors.lines().filter(|line| !line.trim().is_empty()).collect();
        assert_eq!(lines.len(), 1, "{arguments:?}: {}", ran.errors);
        assert!(!ran.errors.contains("panicked"), "{}", ran.errors);
    }
    let king = run(&room, &["perft", "2", "--fen", no_king], "");
    assert!(king.errors.to_lowercase().contains("king"), "{}", king.errors);
    let usage: [&[&str]; 10] = [
        &["frobnicate"],
        &["perft"],
        &["perft", "abc"],
        &["perft", "128"],
        &["perft", "3", "--threads", "0"],
        &["analyse", "--depth", "128"],
        &["analyse", "--multipv", "0"],
        &["analyse", "--hash", "99999999999999999999"],
        &["bench", "--depth", "5000"],
        &["openings", "--count", "0"],
    ];
    for arguments in usage {
        let ran = run(&room, arguments, "");
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!ran.errors.trim().is_empty(), "{arguments:?} says nothing");
        assert!(!ran.errors.contains("panicked"), "{}", ran.errors);
    }
}

/// There are 18 first moves: `openings` writes them, says why there are no more,
/// and does not try for ever.
#[test]
fn missing_openings_are_told() {
    let room = Room::shared();
    let quick = ["openings", "--nodes", "20", "--eval-file", "<none>"];
    let ran = run(&room, &[&quick[..], &["--count", "30", "--plies", "1"]].concat(), "");
    assert_eq!((ran.status, ran.out.lines().count()), (2, 18), "{}", ran.errors);
    assert_eq!(ran.errors.lines().count(), 1, "{}", ran.errors);
    let why = "fewer openings than the 30 asked for: 18 found in ";
    assert!(ran.errors.contains(why) && ran.errors.contains("repeated"), "{}", ran.errors);
}

/// Ctrl-C ends long work in good order: what is known is shown, and the exit
/// status is that of an interrupted program.
#[cfg(unix)]
#[test]
fn interrupted_work_shows_what_it_has() {
    use std::io::{BufRead, BufReader};
    use std::process::Command;

    const INTERRUPTED: i32 = 130;

    let room = Room::shared();
    // What is run, a line after which it is at work, and what must follow.
    let cases: [(&[&str], &str, &[&str]); 4] = [
        (
            &["analyse", "--movetime", "600000", "--multipv", "2"],
            "White to move",
            &["Line    Score", "Best move: "],
        ),
        // Each line is whole, so nothing need follow.
        (&["analyse", "--movetime", "600000", "--json"], "{\"depth\":5,", &[]),
        (&["suite", "--nodes", "30000", "--hash", "1"], "mate-2-02", &["Solved within", "all "]),
        (&["suite", "--movetime", "600000"], "Position", &["Solved within", "all "]),
    ];
    for (arguments, marker, expected) in cases {
        let mut command = room.command();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut out = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        while !line.contains(marker) {
            line.clear();
            assert!(out.read_line(&mut line).is_ok_and(|read| read > 0), "no {marker:?}");
        }
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill is there").success());
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("the rest is text");
        let status = wait(&mut child, HUNG).expect("it ends");
        assert_eq!(status.code(), Some(INTERRUPTED), "{arguments:?}: {status}\n{rest}");
        for text in expected {
            assert!(rest.contains(text), "{arguments:?}: no {text:?} in {rest}");
        }
        let mut errors = String::new();
        let mut stderr = child.stderr.take().expect("stderr is piped");
        stderr.read_to_string(&mut errors).expect("the errors are text");
        assert!(errors.lines().count() == 1 && errors.contains("stopped"), "{errors}");
    }
}

/// `--help` names every command; each command has help of its own.
#[test]
fn help_names_the_commands() {
    let room = Room::shared();
    let out = good(&room, &["--help"]);
    for command in ["bench", "perft", "analyse"] {
        assert!(out.contains(command), "no {command} in {out}");
    }
    for (command, option) in [
        ("bench", "--depth"),
        ("perft", "--divide"),
        ("perft", "--threads"),
        ("analyse", "--json"),
        ("analyse", "--multipv"),
        ("analyse", "--movetime"),
    ] {
        let out = good(&room, &[command, "--help"]);
        assert!(out.contains(option), "no {option} in {out}");
    }
}

/// Without arguments the binary speaks the protocol.
#[test]
fn no_arguments_mean_the_protocol() {
    let room = Room::shared();
    let ran = run(&room, &[], "uci\nquit\n");
    assert_eq!((ran.status, ran.errors.as_str()), (0, ""));
    assert!(ran.out.starts_with("id name Qirkat "), "{}", ran.out);
    assert!(ran.out.ends_with("uciok\n"), "{}", ran.out);
}
