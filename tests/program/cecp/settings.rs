//! `memory`, `cores` and `option`.

use super::engine::Engine;
use qirkat_testing::games::Game;

const GOOD: [&str; 10] = [
    "memory 1",
    "memory 64",
    "cores 2",
    "option Clear Hash",
    "option MultiPV=3",
    "option Move Overhead=100",
    "option Skill Level=0",
    "option UCI_LimitStrength=1",
    "option UCI_Elo=500",
    "option Resign=1",
];

/// Told in one line that says what was sent.
const BAD: [&str; 9] = [
    "memory",
    "memory abc",
    "cores",
    "option",
    "option Nonsense=1",
    "option MultiPV",
    "option MultiPV=abc",
    "option Resign=7",
    "option Resign",
];

/// Numbers beyond the bounds: taken as the bound or refused, but in one line.
const OUTSIDE: [&str; 5] = [
    "memory 0",
    "cores 0",
    "option MultiPV=99999999999999999999",
    "option Skill Level=21",
    "option Move Overhead=-1",
];

fn plays_on(engine: &mut Engine, after: &str) {
    let mut game = Game::start().moves("e2e4");
    let said = engine.answer("new\nsd 2\nusermove e2e4");
    let moves = said.iter().filter(|line| line.starts_with("move ")).count();
    assert_eq!(moves, 1, "after {after}: {said:?}");
    engine.take_move(&mut game, said);
}

#[test]
fn good_values_are_taken() {
    let mut engine = Engine::greeted();
    for line in GOOD {
        engine.silently(line);
        plays_on(&mut engine, line);
    }
    // In the middle of a game too.
    let mut game = Game::start();
    engine.silently("option Clear Hash\nnew\nsd 2");
    for (line, text) in [("memory 2", "e2e4"), ("cores 2", "d2d3"), ("cores 1\nmemory 8", "b2b3")] {
        engine.silently(line);
        engine.plays(&mut game, text);
        engine.stands_at(&game);
    }
}

#[test]
fn bad_values_are_told() {
    let mut engine = Engine::greeted();
    for line in BAD.iter().chain(&OUTSIDE) {
        let told = engine.only_answer(line);
        let is_refused = told.starts_with("Error (") && told.ends_with(&format!(": {line}"));
        assert!(is_refused || OUTSIDE.contains(line) && told.starts_with("# "), "{line}: {told}");
        plays_on(&mut engine, line);
    }
}
