//! Depth, nodes, mate, and limits that mean "move now".

use crate::engine::Room;
use crate::games::{CROWDED, Game, MIDDLE, START, mirrored};
use crate::info::Score;
use crate::limits::{AT_ONCE, FIRST_DEPTH, PROMPTLY, WATCH, keeps};

/// Numbers too big for any machine word.
const HUGE: &str = "99999999999999999999";

/// `depth N` reaches N and stops there; 0 acts as 1.
#[test]
fn depth_is_reached_and_kept() {
    let room = Room::shared();
    let mut engine = room.engine();
    for fen in [START, MIDDLE] {
        let game = Game::from_fen(fen);
        for (asked, reached) in [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("0", 1)] {
            let answer = engine.search(&game, &format!("go depth {asked}"));
            assert_eq!(answer.depth(), reached, "go depth {asked} in {fen}");
        }
    }
    engine.quit();
}

/// A node limit holds to the node, and even one node is enough for a move.
#[test]
fn nodes_are_kept() {
    let room = Room::shared();
    let mut engine = room.engine();
    for fen in [START, MIDDLE, CROWDED] {
        let game = Game::from_fen(fen);
        for nodes in [1, 2, 50, 100, 1_000, 20_000] {
            let answer = engine.search(&game, &format!("go nodes {nodes}"));
            for told in answer.infos.iter().filter_map(|info| info.nodes) {
                assert!(told <= nodes, "go nodes {nodes} took {told} in {fen}");
            }
        }
    }
    engine.quit();
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
    engine.quit();
}

/// A limit beyond all numbers is no limit: the other one counts, whichever
/// stands first.
#[test]
fn huge_numbers_are_wide_not_zero() {
    let room = Room::shared();
    let mut engine = room.engine();
    let huge = [
        "nodes",
        "movetime",
        "mate",
        "wtime",
        "wtime 99999999999999999999 btime",
        "wtime 99999999999999999999 winc",
        "wtime 600000 movestogo",
    ];
    for name in huge {
        for go in [format!("go depth 3 {name} {HUGE}"), format!("go {name} {HUGE} depth 3")] {
            let answer = engine.search(&Game::start(), &go);
            assert_eq!(answer.depth(), 3, "{go}");
        }
    }
    for depth in ["300", "4294967296", "4294967297", "18446744073709551616", HUGE] {
        let answer = engine.search(&Game::start(), &format!("go depth {depth} nodes 3000"));
        assert!(answer.depth() > 1, "go depth {depth} is more than one");
    }
    engine.quit();
}

/// Limits that a search cannot reach are taken as they are, and `stop` ends it.
#[test]
fn unreachable_limits_wait_for_stop() {
    let room = Room::shared();
    let mut engine = room.engine();
    let game = Game::from_fen(MIDDLE);
    let limits = [
        "depth 300",
        "depth 999",
        "depth 99999999999999999999",
        "nodes 99999999999999999999",
        "nodes 18446744073709551615",
        "movetime 99999999999999999999",
        "movetime 9223372036854775807",
        "mate 300",
        "mate 99999999999999999999",
        "wtime 99999999999999999999 btime 99999999999999999999 winc 99999999999999999999",
    ];
    for limit in limits {
        engine.begin(&game, &format!("go {limit}"));
        engine.say("stop");
        let answer = engine.finish(&game);
        assert!(!answer.best.is_empty(), "{limit}");
        assert_eq!(engine.sync(), [""; 0], "go {limit} is answered once");
    }
    engine.quit();
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
    engine.quit();
}

/// A `go` with words but no usable limit says so once and answers promptly.
#[test]
fn garbage_without_a_limit_is_told_and_answered() {
    let room = Room::shared();
    let mut engine = room.engine();
    let limits = [
        "foo",
        "foo bar baz",
        "depth abc",
        "depth",
        "depth -",
        "depth 3x",
        "depth 1.5",
        "nodes many",
        "movetime soon",
        "movetime",
        "wtime btime",
        "wtime abc btime def winc ghi",
        "depth \u{0663}",
        "infinit",
        "INFINITE!",
        "-1",
        "12",
        "movestogo 5",
        "movestogo 5 foo",
    ];
    for limit in limits {
        let go = format!("go {limit}");
        keeps(&go, PROMPTLY, || {
            let answer = engine.search(&Game::start(), &go);
            assert_eq!(answer.notices.len(), 1, "{go}: {:?}", answer.notices);
            answer.took
        });
    }
    engine.quit();
}

/// `go mate N` ends by itself when it has the mate.
#[test]
fn mate_ends_with_the_mate() {
    let room = Room::shared();
    let mut engine = room.engine();
    for (fen, moves) in [
        ("9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60", 1),
        ("9/9/9/9/9/1R5K1/9/7k1/R8 w - - 0 60", 1),
        ("7k1/9/5K3/8R/9/9/9/9/9 w - - 0 60", 2),
        ("k8/9/9/1K4Q2/9/9/9/9/9 w - - 0 60", 2),
    ] {
        let game = Game::from_fen(fen);
        let answer = engine.search(&game, &format!("go mate {moves}"));
        assert_eq!(answer.score(), Score::Mate(moves), "{fen}");
    }
    let answer = engine.search(&Game::start(), "go mate 3 movetime 50");
    assert!(!matches!(answer.score(), Score::Mate(_)), "no mate is near at the start");
    engine.quit();
}

/// Bare `go` and `go infinite` go on until `stop`, also where there is little
/// to think about.
#[test]
fn bare_and_infinite_wait_for_stop() {
    let room = Room::shared();
    let mut engine = room.engine();
    let positions = [
        START,
        CROWDED,
        // One legal move; a mate in one; a dead draw; mated; stalemate.
        "9/5Q3/7k1/9/9/5K3/9/9/9 b - - 0 60",
        "9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60",
        "4k4/9/9/9/9/9/9/9/4K4 w - - 0 60",
        "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60",
        "9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60",
    ];
    for fen in positions {
        let game = Game::from_fen(fen);
        for go in ["go", "go infinite"] {
            engine.begin(&game, go);
            engine.still_searching(WATCH);
            engine.stop(&game);
        }
    }
    engine.quit();
}
