//! Depth, nodes, mate, and limits that mean "move now".

use crate::engine::Engine;
use crate::info::Score;
use crate::limits::{PROMPTLY, WATCH, keeps};
use qirkat_testing::games::{CROWDED, Game, MIDDLE, ONLY_MOVE, START};

/// Numbers too big for any machine word.
const HUGE: &str = "99999999999999999999";

/// `depth N` reaches N and stops there; 0 acts as 1.
#[test]
fn depth_is_reached_and_kept() {
    let mut engine = Engine::shared();
    for fen in [START, MIDDLE] {
        let game = Game::from_fen(fen);
        for (asked, reached) in [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("0", 1)] {
            let answer = engine.search(&game, &format!("go depth {asked}"));
            assert_eq!(answer.depth(), reached, "go depth {asked} in {fen}");
        }
    }
}

/// A node limit holds to the node, and even one node is enough for a move.
#[test]
fn nodes_are_kept() {
    let mut engine = Engine::shared();
    for fen in [START, MIDDLE, CROWDED] {
        let game = Game::from_fen(fen);
        for nodes in [1, 2, 50, 100, 1_000, 20_000] {
            let answer = engine.search(&game, &format!("go nodes {nodes}"));
            for told in answer.infos.iter().filter_map(|info| info.nodes) {
                assert!(told <= nodes, "go nodes {nodes} took {told} in {fen}");
            }
        }
    }
}

/// A limit beyond all numbers is no limit: the other one counts, whichever
/// stands first.
#[test]
fn huge_numbers_are_wide_not_zero() {
    let mut engine = Engine::shared();
    let huge = [
        "nodes",
        "movetime",
        "wtime 99999999999999999999 btime",
        "wtime 99999999999999999999 winc",
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
}

/// Limits that a search cannot reach are taken as they are, and `stop` ends it.
#[test]
fn unreachable_limits_wait_for_stop() {
    let mut engine = Engine::shared();
    let game = Game::from_fen(MIDDLE);
    let limits = [
        "depth 300",
        "depth 99999999999999999999",
        "nodes 99999999999999999999",
        "movetime 99999999999999999999",
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
}

/// A `go` with words but no usable limit says so once and answers promptly.
#[test]
fn garbage_without_a_limit_is_told_and_answered() {
    let mut engine = Engine::shared();
    let limits = [
        "foo",
        "depth abc",
        "depth",
        "depth 3x",
        "nodes many",
        "movetime soon",
        "wtime abc btime def winc ghi",
        "depth \u{0663}",
        "INFINITE!",
        "12",
        "movestogo 5 foo",
    ];
    // The only move comes without thinking, unless the words are taken for a search that
    // waits for `stop`.
    let start = Game::start();
    let forced = Game::from_fen(ONLY_MOVE);
    for (game, limit) in [(&start, "foo")].into_iter().chain(limits.map(|limit| (&forced, limit))) {
        let go = format!("go {limit}");
        keeps(&go, PROMPTLY, || {
            let answer = engine.search(game, &go);
            assert_eq!(answer.notices.len(), 1, "{go}: {:?}", answer.notices);
            answer.took
        });
    }
}

/// `go mate N` ends by itself when it has the mate.
#[test]
fn mate_ends_with_the_mate() {
    let mut engine = Engine::shared();
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
}

/// Bare `go` and `go infinite` go on until `stop`, also where there is little
/// to think about.
#[test]
fn bare_and_infinite_wait_for_stop() {
    let mut engine = Engine::shared();
    let positions = [
        START,
        CROWDED,
        // One legal move; a mate in one; a dead draw; mated; stalemate.
        ONLY_MOVE,
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
}
