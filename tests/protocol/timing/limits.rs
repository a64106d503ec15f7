//! A search keeps to its time, and answers at once where it has none.

use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, Room};
use crate::limits::{AT_ONCE, FIRST_DEPTH, MS, keeps, median, slack};
use qirkat_testing::games::{CROWDED, Game, MIDDLE, START, mirrored};

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
}

/// No time, no nodes: a legal move, now.
#[test]
fn nothing_left_means_move_now() {
    let room = Room::alone();
    let mut engine = room.engine();
    let limits = [
        "movetime 0",
        "movetime -5",
        "movetime -99999999999999999999",
        "nodes 0",
        "nodes -1",
        "wtime 0 btime 60000",
        "wtime -1 btime -1",
        "wtime -3600000 btime 3600000 winc 60000 binc 60000",
        "wtime -99999999999999999999",
        "wtime 0 winc 0 movestogo 1",
        "wtime 1",
        "wtime 1 btime 1 winc 60000 binc 60000",
        "wtime 1 movestogo 0",
        "depth 0",
        "depth -3",
        "movetime 1",
    ];
    for limit in limits {
        for fen in [START, CROWDED] {
            let game = Game::from_fen(fen);
            keeps(limit, AT_ONCE, || engine.search(&game, &format!("go {limit}")).took);
        }
    }
    let black = Game::start().moves("e2e4");
    keeps("black's clock", AT_ONCE, || {
        engine.search(&black, "go wtime 60000 btime 0 binc 9000").took
    });
}

/// Where dozens of pieces hang on both sides the captures after the first ply
/// have an end.
#[test]
fn crowded_positions_are_answered() {
    let room = Room::alone();
    let mut engine = room.engine();
    let positions = [
        "2q5k/q1q2Q3/Q1Qq3q1/QQq4Q1/2Q2qQ1q/Q3Qq3/1Q4QQ1/2q4Q1/K1QQ5 w - - 0 1",
        "3A3k1/1P2Qb1pn/A1Qb1n2N/r2PaB3/1P3Pp2/1P1PrP1RK/1p1a1n1QB/a1pp2P1q/B1q1RR1r1 b - - 0 1",
    ];
    for fen in positions {
        for fen in [fen.to_owned(), mirrored(fen)] {
            let game = Game::from_fen(&fen);
            keeps(&fen, FIRST_DEPTH, || engine.search(&game, "go depth 1").took);
        }
    }
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
                drop(engine);
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
