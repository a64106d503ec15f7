//! `isready` is answered at once, whatever else goes on.

use std::thread;

use crate::engine::{Engine, Room};
use crate::limits::{ISREADY, MS, keeps, median};
use qirkat_testing::games::{Game, MIDDLE};

/// `isready` is answered at once, in every state, and a search goes on.
#[test]
fn isready_is_answered_at_once() {
    let room = Room::alone();
    let mut engine = room.engine();
    let game = Game::from_fen(MIDDLE);
    let probe = |engine: &mut Engine, state: &str| {
        keeps(&format!("isready, {state}"), ISREADY, || {
            let mut times = Vec::new();
            for _ in 0..9 {
                let said = engine.say("isready");
                let mut lines = engine.until("readyok", |line| line == "readyok");
                let ready = lines.pop().expect("the line waited for");
                let over = lines.iter().any(|line| line.text.starts_with("bestmove"));
                assert!(!over, "isready ended a search: {state}");
                times.push(ready.at.duration_since(said));
                thread::sleep(5 * MS);
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
}
