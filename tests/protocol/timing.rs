//! Answers in time.

use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, Room};
use crate::games::{CROWDED, Game, MIDDLE, START};
use crate::limits::{ISREADY, STOP, keeps, median, slack};

const MS: Duration = Duration::from_millis(1);

/// `isready` is answered at once, in every state, and a search goes on.
#[test]
fn isready_is_answered_at_once() {
    let room = Room::alone();
    let mut engine = room.engine();
    let game = Game::from_fen(MIDDLE);
    let probe = |engine: &mut Engine, state: &str| {
        keeps(&format!("isready, {state}"), ISREADY, || {
            let mut times = Vec::new();
            for _ in 0..15 {
                let said = engine.say("isready");
                let mut lines = engine.until("readyok", |line| line == "readyok");
                let ready = lines.pop().expect("the line waited for");
                let over = lines.iter().any(|line| line.text.starts_with("bestmove"));
                assert!(!over, "isready ended a search: {state}");
                times.push(ready.at.duration_since(said));
                thread::sleep(10 * MS);
            }
            median(times)
        });
    };
    engine.sync();
    probe(&mut engine, "idle");
    for threads in [1, 4, 16] {
        engine.silently(&format!("setoption name Threads value {threads}"));
        for go in ["go infinite", "go ponder wtime 60000 btime 60000", "go depth 300"] {
            engine.begin(&game, go);
            probe(&mut engine, &format!("{go}, {threads} threads"));
            engine.say("stop");
            engine.expect_bestmove();
        }
    }
    engine.say("go perft 9");
    probe(&mut engine, "go perft");
    engine.say("stop");
    engine.sync();
    engine.quit();
}

/// Hundreds of threads take no time while nothing is searched.
#[test]
fn many_threads_are_ready_at_once() {
    let room = Room::alone();
    let mut engine = room.engine();
    for command in ["setoption name Threads value 400", "ucinewgame"] {
        keeps(command, 500 * MS, || {
            engine.say("setoption name Threads value 1");
            engine.sync();
            let said = engine.say(&format!("{command}\nisready"));
            engine.expect("readyok", |line| line == "readyok").at.duration_since(said)
        });
        engine.say("setoption name Threads value 400");
    }
    engine.search(&Game::start(), "go depth 2");
    engine.quit();
}

/// `movetime` is kept, and used.
#[test]
fn movetime_is_kept() {
    let room = Room::alone();
    let mut engine = room.engine();
    for fen in [START, MIDDLE, CROWDED] {
        let game = Game::from_fen(fen);
        for movetime in [20, 100, 250] {
            let go = format!("go movetime {movetime}");
            let mut best = Duration::ZERO;
            keeps(&go, movetime * MS, || {
                let took = engine.search(&game, &go).took;
                best = best.max(took);
                took
            });
            assert!(fen != START || best >= movetime * MS / 3, "{go} took {best:?} only");
        }
    }
    engine.quit();
}

/// The clock is never overrun, the increment is not time one has, and one
/// clock, be it the opponent's, is enough.
#[test]
fn clocks_are_kept() {
    let room = Room::alone();
    let mut engine = room.engine();
    let white = Game::start().moves("e2e4 e8e6");
    let black = Game::start().moves("e2e4");
    let cases = [
        (&white, "wtime 100 btime 100", 100),
        (&black, "wtime 100 btime 100", 100),
        (&white, "wtime 100", 100),
        (&white, "wtime 50 winc 10000 btime 50 binc 10000", 50),
        (&black, "wtime 60000 winc 10000 btime 50 binc 10000", 50),
        (&white, "wtime 200 btime 60000", 200),
        (&black, "btime 200 wtime 60000", 200),
        (&white, "wtime 100 btime 100 movestogo 1", 100),
        (&white, "wtime 300 btime 300 movestogo 999", 300),
        (&white, "wtime 300 btime 300 movestogo 0", 300),
        (&white, "wtime 300 btime 300 movestogo -3", 300),
        (&white, "wtime 300 btime 300 movestogo 99999999999999999999", 300),
        (&white, "btime 400", 400),
        (&black, "wtime 400 winc 5000", 400),
        (&white, "wtime 10 btime 10", 10),
        (&white, "wtime 3000 movetime 50", 50),
        (&white, "movetime 3000 wtime 100", 100),
    ];
    for (game, words, promise) in cases {
        let go = format!("go {words}");
        keeps(&go, promise * MS, || engine.search(game, &go).took);
    }
    engine.silently("setoption name Move Overhead value 1000");
    keeps("more overhead than time", 100 * MS, || {
        engine.search(&white, "go wtime 100 btime 100").took
    });
    engine.quit();
}

/// `stop` is obeyed within 60 ms, with one thread and with more threads than
/// cores.
#[test]
fn stop_is_obeyed_at_once() {
    let room = Room::alone();
    let mut engine = room.engine();
    for threads in [1, 2, 16] {
        engine.silently(&format!("setoption name Threads value {threads}"));
        for fen in [START, MIDDLE, CROWDED] {
            let game = Game::from_fen(fen);
            keeps(&format!("stop with {threads} threads"), STOP, || {
                engine.begin(&game, "go infinite");
                engine.still_searching(60 * MS);
                engine.stop(&game).1
            });
        }
    }
    engine.quit();
}

/// Sixteen threads keep to time as one does.
#[test]
fn sixteen_threads_keep_to_time() {
    let room = Room::alone();
    let mut engine = room.engine();
    engine.silently("setoption name Threads value 16");
    for fen in [START, MIDDLE] {
        let game = Game::from_fen(fen);
        for (words, promise) in [("movetime 100", 100), ("wtime 100 btime 100", 100)] {
            let go = format!("go {words}");
            keeps(&format!("{go}, 16 threads"), promise * MS, || engine.search(&game, &go).took);
        }
        engine.search(&game, "go depth 2");
    }
    engine.silently("setoption name Threads value 1");
    engine.search(&Game::start(), "go depth 2");
    engine.quit();
}

/// Eight engines at once each answer `movetime 100` in time.
#[test]
fn eight_engines_at_once() {
    let room = Room::alone();
    let mut engines: Vec<Engine> = (0..8).map(|_| room.engine()).collect();
    for engine in &mut engines {
        engine.sync();
    }
    let start = Instant::now() + 50 * MS;
    let players: Vec<_> = engines
        .into_iter()
        .map(|mut engine| {
            thread::spawn(move || {
                thread::sleep(start.saturating_duration_since(Instant::now()));
                let mut game = Game::start();
                let mut times = Vec::new();
                for _ in 0..5 {
                    let answer = engine.search(&game, "go movetime 100");
                    game.play(&answer.best);
                    times.push(answer.took);
                }
                engine.quit();
                times
            })
        })
        .collect();
    let times: Vec<Duration> = players
        .into_iter()
        .flat_map(|player| player.join().expect("every engine plays to the end"))
        .collect();
    assert_eq!(times.len(), 40);
    let usual = median(times);
    assert!(usual <= 100 * MS + slack(), "{usual:?} for movetime 100 with eight engines");
}
