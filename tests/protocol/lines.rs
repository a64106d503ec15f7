//! The lines of a search: fields, MultiPV, WDL, and legality over many positions. The rules of a
//! single line are in `answer.rs`.

use crate::answer::Answer;
use crate::engine::Engine;
use qirkat_testing::effort;
use qirkat_testing::games::{CROWDED, Game, MIDDLE, Random, START, mirrored};

const POSITIONS: &str = include_str!("../../src/engine/bench_positions.txt");

#[test]
fn lines_are_legal_over_random_positions() {
    let mut engine = Engine::shared();
    let mut random = Random::seeded(3);
    let limits = ["depth 1", "depth 2", "nodes 1", "nodes 700", "movetime 8", "wtime 90 btime 90"];
    let starts = [START.to_owned(), MIDDLE.to_owned(), mirrored(MIDDLE), mirrored(CROWDED)];
    for round in 0..effort([36, 72, 72]) {
        let plies = random.below(40);
        let game = Game::from_fen(&starts[round % starts.len()]).wander(&mut random, plies);
        engine.search(&game, &format!("go {}", limits[round % limits.len()]));
    }
}

#[test]
fn a_longer_search_reports_every_depth() {
    let mut engine = Engine::shared();
    let answer = engine.search(&Game::from_fen(MIDDLE), "go depth 4");
    for depth in 1..=4 {
        let told = answer.infos.iter().any(|info| info.is_line() && info.depth == Some(depth));
        assert!(told, "depth {depth} is not told");
    }
    let last = answer.last();
    assert!(last.nodes > answer.infos[0].nodes, "nodes grow");
    assert!(last.seldepth.is_some_and(|depth| depth > 0));
    assert_eq!(last.multipv, Some(1));
    assert!(last.pv.len() > 1, "four plies deep, and one move to show");
}

#[test]
fn multipv_lines_are_distinct() {
    let mut engine = Engine::shared();
    engine.silently("setoption name TablePath value <none>");
    let two_moves = "8k/9/6K2/9/4Q4/9/9/9/9 b - - 0 60";
    for (fen, wanted, depth, expected) in [
        (START, 4, 3, 4),
        (MIDDLE, 3, 3, 3),
        (START, 18, 2, 18),
        (START, 60, 1, 18),
        (two_moves, 5, 3, 2),
        (CROWDED, 12, 1, 12),
        (START, 1, 3, 1),
    ] {
        engine.silently(&format!("setoption name MultiPV value {wanted}"));
        let game = Game::from_fen(fen);
        let answer = engine.search(&game, &format!("go depth {depth}"));
        let lines = answer.last_lines();
        assert!(lines.iter().all(|line| line.depth == Some(depth)), "{fen}: {lines:?}");
        check_lines(&answer, expected, &format!("{fen} MultiPV {wanted}"));
    }
}

fn check_lines(answer: &Answer, expected: u64, what: &str) {
    let lines = answer.last_lines();
    let numbers: Vec<u64> = lines.iter().filter_map(|line| line.multipv).collect();
    assert_eq!(numbers, (1..=expected).collect::<Vec<u64>>(), "{what}");
    assert_eq!(lines[0].pv[0], answer.best, "{what}");
    let mut firsts: Vec<&str> = lines.iter().map(|line| line.pv[0].as_str()).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len() as u64, expected, "{what}: a move stands in two lines");
    let worth: Vec<i64> = lines.iter().filter_map(|line| Some(line.score?.worth())).collect();
    assert!(worth.is_sorted_by(|better, worse| better >= worse), "{what}: {worth:?}");
}

#[test]
fn multipv_lines_are_consistent_at_any_end() {
    let mut engine = Engine::shared();
    engine.silently("setoption name MultiPV value 3");
    for fen in POSITIONS.lines().step_by(effort([9, 3, 3])).chain([MIDDLE, CROWDED]) {
        let game = Game::from_fen(fen);
        let expected = game.legal().len().min(3) as u64;
        for limit in ["depth 4", "nodes 5000", "nodes 1", "nodes 100", "movetime 30"] {
            if (fen, limit) == (CROWDED, "depth 4") {
                continue;
            }
            let go = format!("go {limit}");
            let answer = engine.search(&game, &go);
            check_lines(&answer, expected, &format!("{go} in {fen}"));
        }
    }
}

#[test]
fn multipv_keeps_to_searchmoves() {
    let mut engine = Engine::shared();
    engine.silently("setoption name MultiPV value 5");
    let answer = engine.search(&Game::start(), "go searchmoves a2a3 e2e4 depth 2");
    let mut firsts: Vec<&str> =
        answer.last_lines().iter().map(|line| line.pv[0].as_str()).collect();
    firsts.sort();
    assert_eq!(firsts, ["a2a3", "e2e4"]);
}

#[test]
fn wdl_is_reported_when_enabled() {
    let mut engine = Engine::shared();
    engine.search(&Game::start(), "go depth 2");
    engine.silently("setoption name UCI_ShowWDL value true");
    engine.wdl = true;
    engine.search(&Game::start(), "go depth 3");
    let won = engine.search(&Game::from_fen("9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60"), "go depth 3");
    assert_eq!(won.last().wdl, Some([1000, 0, 0]));
    let lost = engine.search(&Game::from_fen("9/9/5Q3/9/9/9/9/6K2/8k b - - 0 60"), "go depth 4");
    assert_eq!(lost.last().wdl, Some([0, 0, 1000]));
    engine.silently("setoption name UCI_ShowWDL value false");
    engine.wdl = false;
    engine.search(&Game::start(), "go depth 2");
}

/// Lines after the first also use aspiration windows around their previous scores: five of them
/// cost less than five times as much as one.
#[test]
fn further_lines_use_aspiration_windows() {
    let mut engine = Engine::shared();
    let mut nodes = |lines: u32| -> u64 {
        let mut of = |fen| {
            engine.silently(&format!("ucinewgame\nsetoption name MultiPV value {lines}"));
            let answer = engine.search(&Game::from_fen(fen), "go depth 9");
            answer.last().nodes.expect("nodes are told")
        };
        POSITIONS.lines().take(6).map(&mut of).sum()
    };
    let (one, five) = (nodes(1), nodes(5));
    assert!(five < one * 5, "{one} nodes for one line, {five} for five");
}
