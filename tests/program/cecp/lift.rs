//! `lift` for every point.

use super::engine::Engine;
use qirkat_testing::games::{CROWDED, Game, MIDDLE, Random, START, mirrored};

/// Castling both ways, checks, pins, promotions with and without capture, and
/// en passant, for both sides.
const POSITIONS: [&str; 12] = [
    START,
    MIDDLE,
    CROWDED,
    "r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
    "4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 1",
    "4k4/9/9/6p1P/9/9/9/9/4K4 w - g7 0 1",
    "1n2k1r2/P1P4P1/9/9/9/9/9/9/4K4 w - - 0 1",
    "k8/8P/9/9/4r4/9/9/4R4/4K4 w - - 0 1",
    "4k4/9/9/4r4/9/9/9/3PNP3/4K4 w - - 0 1",
    "4k4/9/4r4/9/9/9/9/3P1P3/4K2B1 w - - 0 1",
    "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60",
    "9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60",
];

#[test]
fn every_point_is_marked_as_the_rules_say() {
    let mut engine = Engine::greeted();
    engine.silently("force");
    for fen in POSITIONS {
        for fen in [fen.to_owned(), mirrored(fen)] {
            engine.silently(&format!("setboard {fen}"));
            engine.stands_at(&Game::from_fen(&fen));
        }
    }
}

#[test]
fn random_games_are_marked_as_the_rules_say() {
    let mut engine = Engine::greeted();
    let mut random = Random::seeded(31);
    for plies in [2, 9, 33, 60, 140] {
        let game = Game::start().wander(&mut random, plies);
        engine.silently("new\nforce");
        let moves = game.command();
        for text in moves.split_whitespace().skip(3) {
            engine.say(&format!("usermove {text}"));
        }
        engine.silently("put e4");
        engine.stands_at(&game);
    }
}

/// What is no point is refused, and nothing changes.
#[test]
fn what_is_no_point_is_refused() {
    let mut engine = Engine::greeted();
    for line in
        ["lift", "lift e", "lift e0", "lift j5", "lift e10", "lift E2", "lift e2e4", "lift @"]
    {
        let told = engine.only_answer(line);
        assert!(told.starts_with("Error (") && told.ends_with(line), "{told}");
    }
    engine.stands_at(&Game::start());
}
