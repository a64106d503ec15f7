//! The engine among other processes: pipes, signals, environment.

use std::io::{Read, Write};
use std::process::Stdio;
use std::time::Duration;

use crate::engine::{Engine, Room, wait};
use qirkat_testing::games::{Game, MIDDLE};
use qirkat_testing::pipes::HUNG;

/// The engine exits without a panic, idle or busy, though its input stays open. Commands are sent
/// repeatedly: a child that another test is just starting briefly holds a copy of the closed output,
/// and writing to that succeeds.
#[test]
fn a_closed_output_ends_the_engine() {
    let room = Room::shared();
    for input in ["uci\n", "go perft 4\n", "go infinite\n", "xboard\nprotover 2\nping 1\n"] {
        let mut command = room.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let _ = stdin.write_all(input.as_bytes());
        drop(child.stdout.take());
        let ended = (0..HUNG.as_secs()).any(|_| {
            let _ = stdin.write_all(b"isready\n");
            wait(&mut child, Duration::from_secs(1)).is_some()
        });
        let _ = child.kill();
        let output = child.wait_with_output().expect("its end");
        assert!(ended && output.status.code() != Some(101), "{input:?}: {:?}", output.status);
        assert_eq!(output.stderr, b"", "{input:?}");
    }
}

fn answers(mut engine: Engine) -> Vec<String> {
    let mut said = Vec::new();
    engine.say("uci");
    let lines = engine.until("uciok", |line| line == "uciok");
    said.extend(lines.into_iter().map(|line| line.text));
    for game in [Game::start(), Game::from_fen(MIDDLE)] {
        said.extend(engine.search(&game, "go depth 3").fingerprint());
        said.push(engine.fen());
    }
    drop(engine);
    said
}

#[test]
fn directory_and_environment_do_not_matter() {
    let room = Room::shared();
    let expected = answers(room.engine());

    let mut elsewhere = room.command();
    elsewhere.current_dir(std::env::temp_dir());
    assert_eq!(answers(room.engine_from(elsewhere)), expected, "in another directory");

    let mut odd = room.command();
    odd.env("HOME", "/nonexistent").env("LANG", "tr_TR").env("LC_ALL", "C").env("TERM", "dumb");
    odd.env("NO_COLOR", "").env("RAYON_NUM_THREADS", "x").env("COLUMNS", "1");
    assert_eq!(answers(room.engine_from(odd)), expected, "in an odd environment");

    #[cfg(unix)]
    {
        let mut bare = room.command();
        bare.env_clear();
        assert_eq!(answers(room.engine_from(bare)), expected, "without an environment");
    }
}

#[test]
fn logging_never_writes_to_stdout() {
    let room = Room::shared();
    let mut command = room.command();
    command.env("RUST_LOG", "trace");
    let mut engine = room.engine_from(command);
    engine.silently("position startpos moves e2e4");
    engine.search(&Game::start(), "go depth 3");
    engine.silently("stop");
    engine.abandon();
}

fn logged(level: &str) -> String {
    let room = Room::shared();
    let mut command = room.command();
    command.env("RUST_LOG", level);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let talk = "uci\nsetoption name Hash value 2\nsetoption name Threads value 2\nsetoption name Nonsense\n\
                position startpos moves e2e4\ngo depth 3\ngo ponder depth 1\nponderhit\nquit\n";
    stdin.write_all(talk.as_bytes()).expect("the engine reads");
    let mut errors = String::new();
    let mut stderr = child.stderr.take().expect("stderr is piped");
    stderr.read_to_string(&mut errors).expect("the log is text");
    assert!(wait(&mut child, HUNG).is_some_and(|status| status.success()));
    errors
}

#[test]
fn each_level_logs_what_the_guide_says() {
    let info =
        ["engine ready: a table of 16 MB", "option Hash: 2", "2 search threads", "table of 2 MB"];
    let warn = ["there is no option `Nonsense`"];
    let debug =
        ["search of rnbqkabnr/ppppppppp", "depth: Some(Depth(3))", "search ended", "ponder hit"];
    let trace = [">> go depth 3", "<< bestmove ", "<< uciok"];
    let levels = [("warn", &warn[..]), ("info", &info), ("debug", &debug), ("trace", &trace)];
    for (index, (level, _)) in levels.iter().enumerate() {
        let log = logged(level);
        for (at, (other, texts)) in levels.iter().enumerate() {
            for text in *texts {
                assert_eq!(log.contains(text), at <= index, "{level}: {text:?}, {other}\n{log}");
            }
        }
    }
    let traffic = logged("qirkat::protocol=trace");
    assert!(traffic.contains(">> uci") && !traffic.contains("search of"), "{traffic}");
    assert_eq!(logged("off"), "");
}
