//! `level`, `st`, `sd`, `time` and `otim`: good and bad values. How exactly
//! the time is used is not judged here, only that moves come.

use super::engine::Engine;
use qirkat_testing::effort;
use qirkat_testing::games::Game;

/// Each leads to moves within a few seconds.
const GOOD: [&str; 10] = [
    "level 40 0:02 0\ntime 200\notim 200",
    "level 0 0:02 0",
    "level 0 0 1",
    "level 1 0:01 0",
    "level 40 5 0\ntime 100\notim 30000",
    "level 0 2 12\ntime 50\notim 12000",
    "level 40 25+5 0\ntime 100\notim 100",
    "level 0 5 0\ntime -50\notim -10",
    "level 0 5 0.1\ntime 50\notim 50",
    "st 1\nsd 3",
];

/// Each is an error of one line.
const BAD: [&str; 10] = [
    "level",
    "level 40 5",
    "level 40 x 0",
    "level -1 5 0",
    "level 40 -5 0",
    "st",
    "st abc",
    "sd -1",
    "time abc",
    "otim abc",
];

#[test]
fn every_kind_of_time_control_is_played() {
    let mut engine = Engine::greeted();
    for line in GOOD.into_iter().step_by(effort([2, 1, 1])) {
        engine.silently(&format!("new\n{line}"));
        let mut game = Game::start();
        engine.plays(&mut game, "e2e4");
        // The second move only shows that there is one.
        game.play("d2d3");
        engine.moves_on(&mut game, "usermove d2d3\n?");
        engine.stands_at(&game);
    }
}

/// What makes no sense is told in one line, and whatever was set, a move comes.
#[test]
fn bad_values_are_told() {
    let extremes = [
        "st 0",
        "sd 0",
        "time 0",
        "time 999999999999999999999",
        "level 0 99999999999999 99999999999",
        "level 0 0 0",
        "st 1e9",
        "st nan",
        "level 0 5 inf",
        "level 0 1:2:3 0",
        "level 1 2 3 4 5 6",
    ];
    let mut engine = Engine::greeted();
    for line in extremes.iter().chain(&BAD) {
        let said = engine.answer(&format!("new\nst 1\nsd 2\n{line}"));
        assert!(said.len() <= 1 && said.iter().all(|line| line.starts_with("Error (")), "{said:?}");
        if BAD.contains(line) {
            assert!(said.iter().any(|said| said.ends_with(line)), "{line}: {said:?}");
        }
        let mut game = Game::start().moves("e2e4");
        engine.moves_on(&mut game, "usermove e2e4\n?");
    }
}

/// A game's worth of time does not last for one move: the clock of the engine
/// is the one it heard of last.
#[test]
fn clocks_are_followed() {
    let mut engine = Engine::greeted();
    engine.silently("level 0 60 0");
    let mut game = Game::start();
    for text in ["e2e4", "d2d3"] {
        game.play(text);
        // A second for the rest of the game: the move must not take minutes.
        engine.moves_on(&mut game, &format!("time 100\notim 360000\nusermove {text}"));
    }
}
