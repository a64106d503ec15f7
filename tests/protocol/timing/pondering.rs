//! The limits of a search count from `ponderhit` on.

use std::time::{Duration, Instant};

use crate::engine::Room;
use crate::limits::{MS, STOP, WATCH, keeps};
use qirkat_testing::games::{Game, MIDDLE, ONLY_MOVE};

/// While it ponders the engine says no `bestmove`, however short its limits;
/// after `ponderhit` they count.
#[test]
fn ponder_waits_and_then_keeps_its_limits() {
    let room = Room::alone();
    let mut engine = room.engine();
    let game = Game::start().moves("e2e4 e8e6");
    let over = Game::from_fen("9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60");
    let forced = Game::from_fen(ONLY_MOVE);
    let cases = [
        (&game, "depth 1", 0),
        (&game, "nodes 10", 0),
        (&game, "movetime 10", 10),
        (&game, "movetime 300", 300),
        (&game, "wtime 0 btime 0", 0),
        (&game, "wtime 200 btime 200", 200),
        (&game, "wtime 400 btime 400 winc 60000 binc 60000", 400),
        (&game, "wtime 600 btime 600 movestogo 2", 600),
        (&over, "wtime 1000 btime 1000", 0),
        (&forced, "wtime 300 btime 300", 300),
    ];
    for (game, words, promise) in cases {
        keeps(&format!("ponderhit after {words}"), promise * MS + STOP, || {
            engine.begin(game, &format!("go ponder {words}"));
            engine.still_searching(WATCH / 3);
            engine.end_with("ponderhit", game).1
        });
        keeps(&format!("stop after ponder {words}"), STOP, || {
            engine.begin(game, &format!("go {words} ponder"));
            engine.still_searching(WATCH / 3);
            engine.end_with("stop", game).1
        });
    }
}

/// What was thought while pondering counts: when it was enough for the move, the
/// answer is there with the hit. Less than that is not thought anew, but made up
/// to what the move deserves, and the clock is never overrun.
#[test]
fn thought_while_pondering_counts() {
    let room = Room::alone();
    let mut engine = room.engine();
    let game = Game::from_fen(MIDDLE);
    // A share of the clock for this move, a fiftieth of it, and more than the
    // three or four times as much that a doubtful move gets.
    for (words, pondered) in [
        ("wtime 2500 btime 2500", 250 * MS),
        ("wtime 1000 btime 1000 winc 20 binc 20", 250 * MS),
        ("movetime 150", 200 * MS),
        ("wtime 60000 btime 60000 movetime 150", 200 * MS),
    ] {
        keeps(&format!("a hit after long pondering, {words}"), STOP, || {
            engine.begin(&game, &format!("go ponder {words}"));
            engine.still_searching(pondered);
            engine.end_with("ponderhit", &game).1
        });
    }
    // A hit at once leaves all of the fixed time but what has gone by.
    let mut thought = Duration::ZERO;
    keeps("a hit at once", 400 * MS, || {
        let start = Instant::now();
        engine.begin(&game, "go ponder movetime 400");
        engine.still_searching(100 * MS);
        let after = engine.end_with("ponderhit", &game).1;
        // All of it is measured, since on a busy machine the hit comes late.
        thought = thought.max(start.elapsed());
        after + 100 * MS
    });
    assert!(thought >= 300 * MS, "{thought:?} with what was pondered");
}
