//! Time limits. These tests have the machine for themselves ([`Room::alone`]). They are in the last
//! module, as tests run in the order of their names, so that the machine is not idle before each.
//!
//! [`Room::alone`]: crate::engine::Room::alone

use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, Room};
use crate::limits::{AT_ONCE, FIRST_DEPTH, ISREADY, MS, STOP, WATCH, keeps, median, slack};
use qirkat_testing::effort;
use qirkat_testing::games::{CROWDED, Game, MIDDLE, ONLY_MOVE, both, mirrored};

#[test]
fn quit_and_end_of_input_end_a_search() {
    let room = Room::alone();
    for search in ["", "go", "go ponder", "setoption name Threads value 4\ngo movetime 600000"] {
        for (same_write, hang_up) in [(false, false), (false, true), (true, false), (true, true)] {
            keeps(&format!("leaving, {search:?} {same_write} {hang_up}"), AT_ONCE, || {
                let mut engine = room.engine();
                engine.sync();
                if same_write && !hang_up {
                    engine.say(&format!("position startpos\n{search}\nquit"));
                } else {
                    engine.say(&format!("position startpos\n{search}"));
                    if !same_write {
                        engine.still_searching(20 * MS);
                    }
                    if hang_up {
                        engine.hang_up();
                    } else {
                        engine.say("quit");
                    }
                }
                engine.wait_for_clean_exit().1
            });
        }
    }
}

#[cfg(unix)]
#[test]
fn sigterm_ends_the_engine() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    const SIGTERM: i32 = 15;

    let room = Room::alone();
    for state in ["", "go perft 9", "setoption name Threads value 4\ngo infinite"] {
        keeps(&format!("SIGTERM, {state:?}"), AT_ONCE, || {
            let mut engine = room.engine();
            engine.sync();
            engine.say(state);
            engine.still_searching(30 * MS);
            let sent = Instant::now();
            let kill = Command::new("kill").args(["-TERM", &engine.pid().to_string()]).status();
            assert!(kill.expect("kill is there").success());
            let status = engine.gone();
            let is_clean = matches!(status.code(), Some(0 | 143));
            assert!(status.signal() == Some(SIGTERM) || is_clean, "{state}: {status}");
            sent.elapsed()
        });
    }
}

/// `movetime` and the clock are kept, with sixteen threads too, and the time is used. The increment
/// is not available time, and one clock, even the opponent's, is enough. Without time or nodes
/// there is a legal move at once.
#[test]
fn clocks_are_respected() {
    let mut engine = Engine::alone();
    let white = Game::start().moves("e2e4 e8e6");
    let black = Game::start().moves("e2e4");
    let (middle, crowded) = (Game::from_fen(MIDDLE), Game::from_fen(CROWDED));
    let cases = [
        (&middle, "movetime 20", 20),
        (&crowded, "movetime 100", 100),
        (&black, "wtime 100 btime 100", 100),
        (&white, "wtime 50 winc 10000 btime 50 binc 10000", 50),
        (&black, "wtime 60000 winc 10000 btime 50 binc 10000", 50),
        (&white, "wtime 200 btime 60000", 200),
        (&white, "wtime 100 btime 100 movestogo 1", 100),
        (&white, "wtime 300 btime 300 movestogo 0", 300),
        (&white, "wtime 300 btime 300 movestogo 99999999999999999999", 300),
        (&white, "btime 400", 400),
        (&black, "wtime 400 winc 5000", 400),
        (&white, "wtime 10 btime 10", 10),
        (&white, "wtime 3000 movetime 50", 50),
        (&white, "movetime 3000 wtime 100", 100),
        (&white, "movetime 0", 0),
        (&crowded, "movetime -99999999999999999999", 0),
        (&crowded, "nodes 0", 0),
        (&crowded, "wtime 0 btime 60000", 0),
        (&white, "wtime -3600000 btime 3600000 winc 60000 binc 60000", 0),
        (&white, "wtime 0 winc 0 movestogo 1", 0),
        (&black, "wtime 60000 btime 0 binc 9000", 0),
    ];
    for threads in [1, 16] {
        engine.silently(&format!("setoption name Threads value {threads}"));
        for (game, words, promise) in cases.into_iter().step_by(threads.min(5)) {
            let go = format!("go {words}");
            let promise = if promise == 0 { AT_ONCE } else { promise * MS };
            keeps(&format!("{go}, {threads} threads"), promise, || engine.search(game, &go).took);
        }
    }
    engine.silently("setoption name Threads value 1");
    let took = engine.search(&white, "go movetime 250").took;
    assert!(took >= 80 * MS, "movetime 250 took {took:?} only");
    engine.silently("setoption name Move Overhead value 1000");
    let go = "go wtime 100 btime 100";
    keeps("more overhead than time", 100 * MS, || engine.search(&white, go).took);
}

/// Where dozens of pieces hang on both sides, quiescence search after the first ply ends.
#[test]
fn crowded_positions_are_answered() {
    let mut engine = Engine::alone();
    let positions = [
        "2q5k/q1q2Q3/Q1Qq3q1/QQq4Q1/2Q2qQ1q/Q3Qq3/1Q4QQ1/2q4Q1/K1QQ5 w - - 0 1",
        "3A3k1/1P2Qb1pn/A1Qb1n2N/r2PaB3/1P3Pp2/1P1PrP1RK/1p1a1n1QB/a1pp2P1q/B1q1RR1r1 b - - 0 1",
    ];
    for fen in both(&positions) {
        let game = Game::from_fen(&fen);
        keeps(&fen, FIRST_DEPTH, || engine.search(&game, "go depth 1").took);
    }
}

#[test]
fn eight_engines_at_once() {
    let room = Room::alone();
    let mut engines: Vec<Engine> = (0..8).map(|_| room.engine()).collect();
    for engine in &mut engines {
        engine.sync();
    }
    let play = |mut engine: Engine| {
        let mut game = Game::start();
        let times = (0..effort([2, 5, 5])).map(|_| {
            let answer = engine.search(&game, "go movetime 100");
            game.play(&answer.best);
            answer.took
        });
        times.collect::<Vec<Duration>>()
    };
    let players: Vec<_> =
        engines.into_iter().map(|engine| thread::spawn(move || play(engine))).collect();
    let times = players.into_iter().flat_map(|player| player.join().expect("all play to the end"));
    let usual = median(times.collect());
    assert!(usual <= 100 * MS + slack(), "{usual:?} for movetime 100 with eight engines");
}

#[test]
fn ponder_waits_and_then_keeps_its_limits() {
    let mut engine = Engine::alone();
    let game = Game::start().moves("e2e4 e8e6");
    let over = Game::from_fen("9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60");
    let forced = Game::from_fen(ONLY_MOVE);
    for (game, words, promise) in [
        (&game, "depth 1", 0),
        (&game, "nodes 10", 0),
        (&game, "movetime 300", 300),
        (&game, "wtime 0 btime 0", 0),
        (&game, "wtime 200 btime 200", 200),
        (&game, "wtime 400 btime 400 winc 60000 binc 60000", 400),
        (&over, "wtime 1000 btime 1000", 0),
        (&forced, "wtime 300 btime 300", 300),
    ] {
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

/// Ponder time counts: when it was enough for the move, the answer comes with the hit. Otherwise
/// only the rest of the move's time is used, and the clock is never overrun.
#[test]
fn ponder_time_counts() {
    let mut engine = Engine::alone();
    let game = Game::from_fen(MIDDLE);
    // A move's share is a fiftieth of the clock; pondering takes more than the three or four
    // times as much that a doubtful move gets.
    for (words, pondered) in [
        ("wtime 2500 btime 2500", 250 * MS),
        ("wtime 1000 btime 1000 winc 20 binc 20", 250 * MS),
        ("movetime 150", 200 * MS),
        ("wtime 60000 btime 60000 movetime 150", 200 * MS),
    ]
    .into_iter()
    .step_by(effort([3, 1, 1]))
    {
        keeps(&format!("a hit after long pondering, {words}"), STOP, || {
            engine.begin(&game, &format!("go ponder {words}"));
            engine.still_searching(pondered);
            engine.end_with("ponderhit", &game).1
        });
    }
    // After an immediate hit, all of the fixed time is left but what has passed.
    let mut thought = Duration::ZERO;
    keeps("a hit at once", 200 * MS, || {
        let start = Instant::now();
        engine.begin(&game, "go ponder movetime 200");
        engine.still_searching(50 * MS);
        let after = engine.end_with("ponderhit", &game).1;
        // The total is measured, since on a busy machine the hit comes late.
        thought = thought.max(start.elapsed());
        after + 50 * MS
    });
    assert!(thought >= 150 * MS, "{thought:?} with what was pondered");
}

#[test]
fn isready_is_answered_at_once() {
    let mut engine = Engine::alone();
    let game = Game::from_fen(MIDDLE);
    let probe = |engine: &mut Engine, state: &str| {
        keeps(&format!("isready, {state}"), ISREADY, || {
            let mut times = Vec::new();
            for _ in 0..effort([5, 9, 9]) {
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
    for threads in [1, 4, 16].into_iter().step_by(effort([2, 1, 1])) {
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

#[test]
fn many_threads_are_ready_at_once() {
    let mut engine = Engine::alone();
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

#[test]
fn stop_is_answered_at_once() {
    let mut engine = Engine::alone();
    for threads in [1, 2, 16] {
        engine.silently(&format!("setoption name Threads value {threads}"));
        for fen in [MIDDLE, CROWDED] {
            let game = Game::from_fen(fen);
            keeps(&format!("stop with {threads} threads"), STOP, || {
                engine.begin(&game, "go infinite");
                engine.still_searching(60 * MS);
                engine.stop(&game).1
            });
        }
    }
}

#[test]
fn commands_during_a_search_stop_it_first() {
    let mut engine = Engine::alone();
    let game = Game::from_fen(MIDDLE);
    let flipped = mirrored(MIDDLE);
    // A command, and the start of its answer.
    let cases = [
        ("d", Some("Fen: ")),
        ("moves", Some("Legal moves (44):")),
        ("go depth 1", Some("bestmove ")),
        ("go perft 1", Some("Nodes searched: 44")),
        ("setoption name UCI_Variant value chesquerque", Some("info string variant chesquerque")),
        ("setoption name Hash value 0", Some("info string ")),
        ("position fen nonsense", Some("info string ")),
        ("position startpos moves e2e4", None),
        ("ucinewgame", None),
        ("eval", None),
        ("flip", None),
        ("setoption name Threads value 1", None),
    ];
    for go in ["go infinite", "go ponder wtime 60000 btime 60000"] {
        for (command, own) in cases {
            keeps(&format!("{command} during {go}"), STOP, || {
                engine.begin(&game, go);
                engine.still_searching(effort([5, 30, 30]) * MS);
                let (_, took) = engine.end_with(command, &game);
                if let Some(own) = own {
                    engine.expect(own, |line| line.starts_with(own));
                }
                let more = engine.sync();
                let is_second = more.iter().any(|line| line.starts_with("bestmove"));
                assert!(!is_second, "{command}: {more:?}");
                took
            });
            match command {
                "position startpos moves e2e4" => {
                    assert_eq!(engine.fen(), Game::start().moves("e2e4").fen());
                }
                "flip" => assert_eq!(engine.fen(), flipped),
                "position fen nonsense" | "d" => assert_eq!(engine.fen(), MIDDLE),
                _ => {}
            }
        }
    }
}

/// A long perft ends on `stop`, without `bestmove`, and `isready` is answered during it; other
/// commands wait for it, and `stop` applies to them too.
#[test]
fn a_long_perft_can_be_stopped() {
    let mut engine = Engine::alone();
    engine.say("position startpos");
    keeps("isready after go perft 9 and stop", STOP, || {
        engine.say("go perft 9");
        engine.sync();
        let said = engine.say("stop\nisready");
        engine.expect("readyok", |line| line == "readyok").at.duration_since(said)
    });
    let rest = engine.listen(WATCH);
    assert!(rest.iter().all(|line| !line.text.starts_with("bestmove")), "a perft has no bestmove");
    engine.say("go perft 9");
    engine.say("go infinite");
    engine.say("stop");
    engine.expect_bestmove();
}
