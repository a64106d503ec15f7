use std::collections::BTreeMap;

use crate::engine::{Engine, Room};
use crate::limits::{COUNT_GRACE, WATCH, keeps};
use qirkat_testing::effort;
use qirkat_testing::games::{Game, MIDDLE, Random, START};
use qirkat_testing::reference::RefPosition;

fn count(position: &RefPosition, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    moves.iter().map(|each| count(&position.play(*each), depth - 1)).sum()
}

/// Runs perft; returns the count of each move, and the reported sum.
fn ask(engine: &mut Engine, game: &Game, depth: u32) -> (BTreeMap<String, u64>, u64) {
    engine.say(&format!("{}\ngo perft {depth}", game.command()));
    let lines = engine.until("the count", |line| line.starts_with("Nodes searched: "));
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let (sum, rest) = texts.split_last().expect("the count");
    let (blank, rows) = rest.split_last().expect("a blank line");
    assert_eq!(*blank, "", "a blank line stands before the sum");
    let mut counts = BTreeMap::new();
    for row in rows {
        let (text, count) = row.split_once(": ").unwrap_or_else(|| panic!("no count in {row:?}"));
        let count = count.parse().unwrap_or_else(|_| panic!("no count in {row:?}"));
        assert!(counts.insert(text.to_owned(), count).is_none(), "{text} stands there twice");
    }
    let sum = sum["Nodes searched: ".len()..].parse().expect("a number");
    (counts, sum)
}

#[test]
fn every_root_move_is_counted() {
    let mut engine = Engine::shared();
    // In the third, one interposition answers two checks; the second has castling.
    for (fen, depth, known) in [
        (START, 1, 18),
        (START, 2, 324),
        (MIDDLE, 2, 2_098),
        ("1n7/b1b3r2/3k1p1p1/p2Ppr3/1pP1PnP1p/B7P/P5P2/2Q3BA1/1N3KR2 b - - 0 1", 2, 893),
        ("9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60", 2, 0),
    ] {
        let game = &Game::from_fen(fen);
        let (counts, sum) = ask(&mut engine, game, depth);
        let expected: BTreeMap<String, u64> = game
            .current()
            .legal_moves()
            .into_iter()
            .map(|each| (each.to_string(), count(&game.current().play(each), depth - 1)))
            .collect();
        assert_eq!(counts, expected, "{} depth {depth}", game.fen());
        assert_eq!(sum, counts.values().sum::<u64>());
        assert!(known == 0 || sum == known, "{sum} is not {known}");
        assert_eq!(engine.sync(), [""; 0], "nothing follows a perft");
    }
}

#[test]
fn counts_are_completed_before_quit() {
    let room = Room::shared();
    let game = Game::from_fen(MIDDLE);
    let mut engine = room.engine();
    let (counts, sum) = ask(&mut engine, &game, 3);
    drop(engine);
    let mut engine = room.engine();
    engine.say(&format!("{}\ngo perft 3\nposition startpos\ngo perft 1\nquit", game.command()));
    let (said, _) = engine.wait_for_clean_exit();
    for (text, count) in counts {
        assert!(said.contains(&format!("{text}: {count}")), "{text} in {said:?}");
    }
    let totals: Vec<&String> = said.iter().filter(|line| line.starts_with("Nodes ")).collect();
    assert_eq!(totals, [&format!("Nodes searched: {sum}"), "Nodes searched: 18"]);
}

/// A command after a perft, a search or a bench is answered after it, whether in the same write or
/// sent after the last line was read, and before the `readyok` of a following `isready`.
#[test]
fn answers_come_in_the_order_of_the_commands() {
    let mut engine = Engine::shared();
    let mut random = Random::seeded(7);
    for (go, last, rounds) in [
        ("go perft 1", "Nodes searched: ", effort([30, 1_000, 1_000])),
        ("go depth 1", "bestmove ", effort([20, 100, 100])),
        ("go movetime 1", "bestmove ", effort([20, 100, 100])),
        ("bench 1", " nps", effort([2, 5, 5])),
    ] {
        for round in 0..rounds {
            let plies = random.below(20);
            let game = Game::start().wander(&mut random, plies);
            let begin = format!("{}\n{go}", game.command());
            let behind = "d\nmoves\neval\nisready";
            let mut said = Vec::new();
            if round % 2 == 0 {
                engine.say(&begin);
                said.extend(engine.until(last, |line| line.contains(last)));
                engine.say(behind);
            } else {
                engine.say(&format!("{begin}\n{behind}"));
            }
            said.extend(engine.until("readyok", |line| line == "readyok"));
            let index_of = |text: &str| said.iter().position(|line| line.text.contains(text));
            let order = [last, "Fen: ", "Legal moves ("].map(index_of);
            assert!(order.is_sorted() && order[0].is_some(), "{go}, round {round}: {order:?}");
            assert_eq!(engine.sync(), [""; 0], "{go}, round {round}: nothing comes late");
        }
    }
}

/// A perft without end does not prevent exit. It counts for two seconds first, so this is part of
/// the long run.
#[test]
fn an_endless_count_ends_with_the_program() {
    if effort([true, false, false]) {
        return;
    }
    let room = Room::shared();
    keeps("leaving during go perft 9", COUNT_GRACE, || {
        let mut engine = room.engine();
        engine.say("position startpos\ngo perft 9\nquit");
        engine.wait_for_clean_exit().1
    });
}

#[test]
fn depths_are_limited() {
    let mut engine = Engine::shared();
    for (line, said) in [
        ("go perft 128", "go perft: 128 is not a depth from 0 to 127"),
        ("go perft -1", "go perft: -1 is not a depth from 0 to 127"),
        ("bench 0", "bench: `0` is not a depth from 1 to 127"),
        ("bench -4", "bench: `-4` is not a depth from 1 to 127"),
    ] {
        assert_eq!(engine.notice(line), said);
    }
    engine.say("go perft 127");
    let said = engine.listen(WATCH);
    assert!(said.is_empty(), "a count of 127 plies goes on");
    assert_eq!(engine.notice("stop"), "perft stopped");
}
